"""The options that an engine announces, and the values that a match gives them.

Used by matches and by the compliance check, so that both send an engine the same.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ryugi_engine.errors import UserError, did_you_mean
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.text.numbers import whole

_TRUE, _FALSE = ("true", "on", "1"), ("false", "off", "0")
#: Limits of a number for which the engine names none.
_UNLIMITED = 1 << 63
_KEY = re.compile(r"(?:^|\s)(default|min|max|var)(?=\s|$)")
#: What comes before each choice of a combo; a choice may itself be called default, min or max.
_CHOICE = re.compile(r"(?:^|\s)var\s+(?=\S)")
#: Characters of the list of an engine's options in a message.
_LISTED = 300


@dataclass(frozen=True)
class EngineOption:
    """An option as an engine announces it."""

    name: str
    #: spin, check, combo, string or button; of CECP also slider, file, path, save and reset.
    kind: str
    default: str = ""
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    @property
    def has_value(self) -> bool:
        """Whether the option takes a value; a button does not."""
        return self.kind not in ("button", "save", "reset")

    def read(self, text: str, *, loaded: bool = False) -> str:
        """Return a value in UCI's spelling; UserError if the option cannot have it.

        ``loaded``: a file of games may have changed the choices since they were announced.
        """
        if not text.isprintable():
            raise UserError(f"{ascii(text)[:60]} is more than a line of text")
        if self.kind in ("spin", "slider"):
            return str(whole(text, self.low, self.high))
        if self.kind == "check":
            if text.lower() not in (*_TRUE, *_FALSE):
                raise UserError(f"'{text[:40]}' is neither true nor false")
            return "true" if text.lower() in _TRUE else "false"
        if self.kind == "combo" and self.choices:
            for choice in self.choices:
                if choice.lower() == text.lower():
                    return choice
            if not loaded:
                known = ", ".join(self.choices)[:_LISTED]
                raise UserError(f"'{text[:40]}' is none of {known}")
        return text


def option_parts(line: str) -> tuple[str, str, str]:
    """Split an ``option`` line of UCI into the option's name, its type and what follows.

    ValueError if the line is not like ``option name NAME type TYPE ...``.
    """
    tokens = line.split()
    at = tokens.index("type", 3)
    if tokens[:2] != ["option", "name"] or at + 1 == len(tokens):
        raise ValueError(line[:100])
    return " ".join(tokens[2:at]), tokens[at + 1], " ".join(tokens[at + 2 :])


def option_fields(kind: str, rest: str) -> tuple[str, list[tuple[str, str]]]:
    """Split what follows an option's type into keys and values, and what comes before them."""
    last: list[tuple[str, str]] = []
    if kind == "combo":
        rest, *choices = _CHOICE.split(rest)
        if choices and "default" not in rest and " default " in choices[-1]:
            choices[-1], _, default = choices[-1].rpartition(" default ")
            last = [("default", default.strip())]
        last = [*(("var", choice.strip()) for choice in choices), *last]
    first, *parts = _KEY.split(rest, maxsplit=1 if kind == "combo" else 0)
    pairs = zip(parts[::2], map(str.strip, parts[1::2]), strict=True)
    return first.strip(), [*pairs, *last]


def uci_option(line: str) -> EngineOption:
    """Return the option of an ``option`` line; ValueError if it has no name and type."""
    name, kind, rest = option_parts(line)
    if kind == "string":
        return EngineOption(name, kind)
    _, pairs = option_fields(kind, rest)
    values = dict(pairs)
    choices = tuple(value for key, value in pairs if key == "var" and value)
    low, high = _limits(values.get("min", ""), values.get("max", ""))
    return EngineOption(name, kind, values.get("default", ""), low, high, choices)


def cecp_option(text: str) -> EngineOption:
    """Return the option of ``feature option="NAME -TYPE ..."``."""
    name, _, rest = text.partition(" -")
    kind, _, value = rest.partition(" ")
    default, low, high, *_ = [*value.split(), "", "", ""]
    choices: tuple[str, ...] = ()
    if kind == "combo":
        choices = tuple(choice.strip().removeprefix("*") for choice in value.split("///"))
    return EngineOption(name.strip(), kind, default, *_limits(low, high), choices)


def _limits(low: str, high: str) -> tuple[int, int]:
    """Return the limits that an engine names for a number, wide ones if it names none."""
    with contextlib.suppress(UserError):
        return whole(low, -_UNLIMITED, _UNLIMITED), whole(high, -_UNLIMITED, _UNLIMITED)
    return -_UNLIMITED, _UNLIMITED


def given_options(
    spec: EngineSpec, known: Mapping[str, EngineOption], variants_file: str
) -> dict[str, str]:
    """Return the options that a match sets, by their given names, in the order of sending.

    Those of the engine's description; before them ``VariantPath``, for the user's own games.
    ``known`` are the engine's options by their names in lower case.
    """
    given = dict(spec.options)
    if variants_file and "variantpath" in known and not loads_games(given):
        given = {"VariantPath": str(Path(variants_file).resolve()), **given}
    return given


def loads_games(given: Mapping[str, str]) -> bool:
    """Return whether options make an engine read a file of games."""
    return "variantpath" in map(str.lower, given)


def unknown_option(name: str, known: list[str]) -> str:
    """Return the error message for an option that an engine lacks."""
    near = did_you_mean(name[:60], known)
    listed = f"it has {', '.join(known)[:_LISTED]}" if known else "it has none"
    return f"it has no option '{name[:60]}', {near or listed}"
