"""Errors and warnings for users, one line each.

An error is raised where it is found, in the words that the user will read. It is caught where the
user is answered: in ``cli.main``, a protocol's loop or ``terminal/typed_game``. A subclass is for
code that tells it apart from others.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable


class UserError(ValueError):
    """A fault of the user's input, in one line: what is wrong, where, and what would be right."""


class GameError(UserError):
    """A game that breaks the contract of games: one line that names it and what is wrong."""


def warn(line: str) -> None:
    """Write a warning, one line, to standard error."""
    print(f"ryugi-engine: {line}", file=sys.stderr, flush=True)


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return ``did you mean 'bench'?`` for the most similar of some names; "" if none is."""
    import difflib  # an error's only

    spelled = {known.lower(): known for known in names}
    near = difflib.get_close_matches(name.lower(), list(spelled), n=1, cutoff=0.6)
    return f"did you mean '{spelled[near[0]]}'?" if near else ""
