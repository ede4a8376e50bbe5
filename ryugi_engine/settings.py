"""Settings that are dataclasses: what the command line has to know of their fields.

A field is annotated ``Annotated[int, low, high, Argument(...)]``, with choices instead of limits if
it is a ``str``. :mod:`ryugi_engine.commands.settings_arguments` makes options of such fields.
"""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Argument:
    """How a field is given on the command line."""

    help: str
    metavar: str = "N"
    #: The option; by default the field's name behind ``--``.
    option: str = ""
    #: What ``--help`` says of the default; by default its value.
    default: str = ""


def all_cores() -> int:
    """Return the number of processor cores, 1 if unknown."""
    return os.cpu_count() or 1
