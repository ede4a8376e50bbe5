"""Annotations of settings dataclasses, from which the command line makes options.

A field is annotated ``Annotated[int, low, high, Argument(...)]``, with choices instead of limits if
it is a ``str``. :mod:`ryugi_engine.commands.settings_arguments` makes options of such fields.
"""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Argument:
    """A settings field's option on the command line: its name and help text."""

    help: str
    metavar: str = "N"
    #: The option; by default the field's name after ``--``.
    option: str = ""
    #: What ``--help`` says of the default; by default its value.
    default: str = ""


def all_cores() -> int:
    """Return the number of processor cores, 1 if unknown."""
    return os.cpu_count() or 1
