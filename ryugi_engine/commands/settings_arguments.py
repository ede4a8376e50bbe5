"""Options of a command from the fields of the settings that they fill."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from typing import Any, get_type_hints

from ryugi_engine.commands.common import decimal_number, whole_number
from ryugi_engine.settings.argument import Argument, annotation_of


def _exposed(kind: type) -> Iterator[tuple[Field[Any], Any, tuple[Any, ...], Argument]]:
    """Return field, type, limits or choices, and Argument of every field that has one."""
    hints = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        base, limits, argument, _optional = annotation_of(hints[field.name])
        if argument is not None:
            yield field, base, limits, argument


def _option(field: Field[Any], argument: Argument) -> str:
    return argument.option or f"--{field.name.replace('_', '-')}"


def add_settings(parser: argparse.ArgumentParser, kind: type, *names: str) -> None:
    """Add an option for each field of a dataclass that is annotated with an Argument."""
    for field, base, limits, argument in _exposed(kind):
        if names and field.name not in names:
            continue
        default = field.default if field.default is not MISSING else None
        if field.default_factory is not MISSING:
            default = field.default_factory()
        option = _option(field, argument)
        how: dict[str, Any] = {"default": default}
        if base is bool:
            parser.add_argument(
                option, help=argument.help, action=f"store_{str(not default).lower()}", **how
            )
            continue
        text = argument.default or (
            "" if default is None else f"{default:g}" if base is float else str(default)
        )
        how["help"] = argument.help.replace("%", "%%") + (f" (default: {text})" if text else "")
        if base is str:
            how["choices"] = limits
        else:
            how["metavar"] = argument.metavar
            how["type"] = (whole_number if base is int else decimal_number)(*limits)
        parser.add_argument(option, **how)


def settings_of(kind: type, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the parsed values of a dataclass's options by field name."""
    values = {}
    for field, base, _limits, argument in _exposed(kind):
        name = _option(field, argument)[2:].replace("-", "_")  # as argparse has it
        if hasattr(arguments, name):
            value = getattr(arguments, name)
            values[field.name] = base(value) if base is int and value is not None else value
    return values
