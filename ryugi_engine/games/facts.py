"""The types and ranges of a game's properties, looked at when games are listed."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ryugi_engine.games.game import Game
from ryugi_engine.games.groups import GROUPS
from ryugi_engine.games.look import Look

#: Maximum length of a text; of a position, whose hands may be full.
_TEXT, _POSITION = 200, 4000
#: Ranges of the numbers.
RANGES: Mapping[str, tuple[int, int]] = {
    "files": (1, 702), "ranks": (1, 99), "pocket": (0, 64), "timeout_pass": (0, (1 << 31) - 1),
    "longest": (0, 1_000_000), "horizon": (0, 1000), "length": (0, 10_000),
    "saturation": (0, 30_000),
    "bench_depth": (1, 100), "beam": (0, 100_000),
}  # fmt: skip
FLAGS = ("placed", "captures", "legs", "proves", "draws", "trained")
TEXTS = ("title", "about", "wall", "template", "parent", "family", "setup_of", "no_chess960")
_LETTERS = ("royal", "pawn", "promotes", "neutral")
_FUNCTIONS = ("load", "reference")
_OPTIONAL_FUNCTIONS = (
    "sentences", "ini", "toml", "diagram", "openings", "chess960", "mistakes", "without",
)  # fmt: skip
#: The form of Betza's notation: modifiers, an atom, a range. XBoard reads what follows from it.
_BETZA = re.compile(r"(?:[a-z]*+[A-Z][0-9]*+)*+\Z")


def _shown(value: object) -> str:
    return repr(value)[:40]


def _text_fault(value: object, longest: int = _TEXT) -> str:
    if not isinstance(value, str):
        return f"{_shown(value)} is not a text"
    if len(value) > longest:
        return f"longer than {longest} letters"
    return "" if value.isprintable() else f"{_shown(value)} is not printable"


def _number_fault(value: object, low: int, high: int) -> str:
    if not isinstance(value, int) or isinstance(value, bool):
        return f"{_shown(value)} is not a whole number"
    return "" if low <= value <= high else f"{_shown(value)} is not in {low}..{high}"


def _pieces_fault(value: object, what: Callable[[object], str]) -> str:
    """Return what is wrong with a table by the letters of pieces."""
    if not isinstance(value, Mapping):
        return f"{_shown(value)} is not a table by letters"
    for letter, entry in value.items():
        if not isinstance(letter, str) or not re.fullmatch("[A-Z]", letter):
            return f"{_shown(letter)} is not a letter of A to Z"
        fault = what(entry)
        if fault:
            return f"{letter}: {fault}"
    return ""


def _moves_fault(value: object) -> str:
    fault = _text_fault(value)
    if fault or _BETZA.match(str(value)):
        return fault
    return f"{_shown(value)} is not Betza's notation"


def _shape_fault(wanted: Any) -> str:
    fault = _text_fault(wanted, _POSITION)
    try:
        _ = fault or re.compile(wanted)
    except (re.error, OverflowError, RecursionError) as error:
        return f"{_shown(wanted)} is no regular expression: {error}"
    return fault


def _fact_fault(game: Game, name: str, value: Any) -> str:
    """Return what is wrong with a property, as a phrase."""
    if name in RANGES:
        return _number_fault(value, *RANGES[name])
    if name in FLAGS:
        return "" if isinstance(value, bool) else f"{_shown(value)} is neither True nor False"
    if name in TEXTS:
        return _text_fault(value) or ("" if value or name != "title" else "is missing")
    if name in _LETTERS:
        known = isinstance(value, str) and all(letter in game.pieces for letter in value)
        return "" if known else f"{_shown(value)} is none of the pieces {''.join(game.pieces)}"
    if name in _FUNCTIONS or name in _OPTIONAL_FUNCTIONS:
        fits = callable(value) or (value is None and name in _OPTIONAL_FUNCTIONS)
        return "" if fits else f"{_shown(value)} is not a function"
    if name == "name":
        return "" if isinstance(value, str) else f"{_shown(value)} is not a text"
    if name == "aliases":
        names = isinstance(value, tuple | list) and all(isinstance(one, str) for one in value)
        return "" if names else f"{_shown(value)} is not a list of names"
    if name == "start":
        return _text_fault(value, _POSITION) or ("" if value.split() else "is missing")
    if name in ("pieces", "turned"):
        return _pieces_fault(value, _moves_fault)
    if name in ("promoted", "names"):
        return _pieces_fault(value, _text_fault)
    if name == "move_shape":
        return _shape_fault(value)
    if name == "group":
        return "" if value in GROUPS else f"{_shown(value)} is none of {', '.join(GROUPS)}"
    if name == "sides":
        pair = isinstance(value, tuple) and len(value) == 2
        faults = [_text_fault(side) or "is missing" * (not side) for side in value] if pair else []
        return next(filter(None, faults), "") if pair else f"{_shown(value)} is not two names"
    if name == "look":
        return "" if isinstance(value, Look) else f"{_shown(value)} is no Look"
    if name == "san":
        return "" if value in ("", "chess", "shogi") else f"{_shown(value)} is no kind of SAN"
    if name in ("folder", "levels", "net"):
        return "" if value is None or isinstance(value, Path) else f"{_shown(value)} is not a path"
    raise AssertionError(f"no check of the property {name}")


def fault_of(game: Game) -> str:
    """Return the first property with a wrong type or range, and what is wrong; "" if none has."""
    names = [field.name for field in dataclasses.fields(Game)]
    for name in ["pieces", *names]:  # which the letters are looked up in
        fault = _fact_fault(game, name, getattr(game, name))
        if fault:
            return f"{name}: {fault}"
    return ""
