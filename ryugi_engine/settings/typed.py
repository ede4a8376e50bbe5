"""Read JSON objects as dataclasses, and refuse values that the annotations do not allow.

``Annotated[int, 1, 9]`` is a number from 1 to 9, ``Annotated[str, "a", "b"]`` one of two words.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from ryugi_engine.errors import UserError
from ryugi_engine.settings.argument import annotation_of

T = TypeVar("T")
_Reader = Callable[[Any], Any]
#: Range of a number whose annotation has none.
_RANGES: dict[Any, tuple[float, float]] = {int: (-(1 << 62), 1 << 62), float: (-1e12, 1e12)}


def parse(text: bytes) -> Any:
    """Parse JSON; UserError if it is invalid, nested too deeply, or not UTF-8."""
    try:
        value = json.loads(text.decode())
        if b"\\u" in text:  # half a surrogate pair could not be written again
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise UserError("the brackets are nested too deeply") from None
    except UnicodeError:
        raise UserError("this is no UTF-8 text") from None
    except ValueError as error:
        raise UserError(" ".join(str(error).split())) from None
    return value


def read(kind: type[T], data: object) -> T:
    """Make a dataclass from a JSON object; UserError names the field that is wrong."""
    hint: Any = kind
    value: T = _reader(hint)(data)
    return value


@functools.cache
def _reader(hint: Any) -> _Reader:
    """Return what reads a value of an annotation."""
    kind, limits, _argument, optional = annotation_of(hint)
    given = _given(kind, limits)
    return (lambda value: None if value is None else given(value)) if optional else given


def _given(kind: Any, limits: tuple[Any, ...]) -> _Reader:
    """Return what reads a value that is not None."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Sequence or arguments[1:] == (...,):
        return _sequence(_reader(arguments[0]))
    if origin is tuple:
        return _tuple([_reader(one) for one in arguments])
    if is_dataclass(kind):
        assert isinstance(kind, type)
        return _dataclass(kind)
    return _plain(kind, limits)


def _plain(kind: Any, allowed: tuple[Any, ...]) -> _Reader:
    """Return what reads a number, a word, a path, or true and false."""
    low, high = allowed if allowed and kind is not str else _RANGES.get(kind, (0, 0))

    def number(value: Any) -> Any:
        # True is an int, too
        if type(value) not in (int, kind) or not low <= value <= high:
            raise UserError(f"{_shown(value)} is not a number from {low:.15g} to {high:.15g}")
        return kind(value)

    def word(value: Any) -> Any:
        if not isinstance(value, str) or (kind is Path and "\0" in value):
            raise UserError(f"{_shown(value)} is not a {'path' if kind is Path else 'text'}")
        if allowed and value not in allowed:
            raise UserError(f"{_shown(value)} is none of {', '.join(allowed)}")
        return value

    def truth(value: Any) -> Any:
        if not isinstance(value, bool):
            raise UserError(f"{_shown(value)} is neither true nor false")
        return value

    if kind is Path:
        return lambda value: Path(word(value))
    assert kind in (int, float, str, bool), kind
    return number if kind in _RANGES else word if kind is str else truth


def _sequence(item: _Reader) -> _Reader:
    return lambda value: tuple(item(one) for one in _list(value))


def _tuple(items: Sequence[_Reader]) -> _Reader:
    def read(value: Any) -> Any:
        if len(_list(value)) != len(items):
            raise UserError(f"the list has {len(value)} items, not {len(items)}")
        return tuple(item(one) for item, one in zip(items, value, strict=True))

    return read


def _list(value: Any) -> Any:
    if not isinstance(value, list):
        raise UserError(f"{_shown(value)} is not a list")
    return value


def _dataclass(kind: type) -> _Reader:
    hints = get_type_hints(kind, include_extras=True)
    needed = {
        field.name
        for field in fields(kind)
        if field.default is MISSING and field.default_factory is MISSING
    }

    def read(value: Any) -> Any:
        if isinstance(value, kind):
            return value  # the caller's own, not JSON's
        if not isinstance(value, dict):
            raise UserError(f"{_shown(value)} is not an object with names")
        if wrong := sorted(needed - value.keys()) or sorted(value.keys() - hints.keys()):
            there = "is missing" if wrong[0] in needed else "is not known"
            raise UserError(f"{_shown(wrong[0])} {there}")
        results = {}
        for name, one in value.items():
            try:
                results[name] = _reader(hints[name])(one)
            except UserError as error:
                raise UserError(f"{name}: {error}") from None
        return kind(**results)

    return read


def _shown(value: object) -> str:
    """Return a short text of a value, for messages."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = str(value)
    return f"'{text[:40]}'" if len(text) <= 40 else f"'{text[:40]}...'"
