"""Annotations of settings dataclasses, from which the command line makes options.

A field is annotated ``Annotated[int, low, high, Argument(...)]``, with choices instead of limits if
it is a ``str``. Options are made of such fields by :mod:`ryugi_engine.commands.settings_arguments`.
"""

from __future__ import annotations

import os
import types
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin


@dataclass(frozen=True)
class Argument:
    """A settings field's option on the command line: its name and help text."""

    help: str
    metavar: str = "N"
    #: The option; by default the field's name after ``--``.
    option: str = ""
    #: What ``--help`` says of the default; by default its value.
    default: str = ""


class Annotation(NamedTuple):
    """A field's type, its limits or choices, its Argument, and whether it may be None."""

    kind: Any
    limits: tuple[Any, ...]
    argument: Argument | None
    optional: bool


def annotation_of(hint: Any) -> Annotation:
    """Return the parts of a type hint."""
    optional = get_origin(hint) in (Union, types.UnionType)
    if optional:
        (hint,) = (one for one in get_args(hint) if one is not types.NoneType)
    if get_origin(hint) is not Annotated:
        return Annotation(hint, (), None, optional)
    kind, *rest = get_args(hint)
    argument = next((one for one in rest if isinstance(one, Argument)), None)
    return Annotation(kind, tuple(x for x in rest if x is not argument), argument, optional)


def all_cores() -> int:
    """Return the number of processor cores, 1 if unknown."""
    return os.cpu_count() or 1
