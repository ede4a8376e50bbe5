"""Requests of pages: JSON objects whose fields are validated one by one."""

from __future__ import annotations

import json
from typing import Any

from ryugi_engine.errors import UserError

#: Plies and numbers of variations are below this.
MOST = 1_000_000


class Request:
    """One message of a page. UserError names a field that is wrong."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    @classmethod
    def read(cls, text: str) -> Request:
        """Parse a message."""
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError):
            raise UserError("a message is no JSON text") from None
        if not isinstance(fields, dict):
            raise UserError("a message is no JSON object")
        return cls(fields)

    def text(self, name: str, default: str | None = None, most: int = 200) -> str:
        """Return a text of at most ``most`` characters."""
        value = self._fields.get(name, default)
        if not isinstance(value, str) or len(value) > most:
            raise UserError(f"'{name}' is no text of at most {most} characters")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise UserError(f"'{name}' has half a character in it") from None
        return value

    def number(self, name: str, low: int = 0, high: int = MOST, default: int | None = None) -> int:
        """Return a whole number from ``low`` to ``high``."""
        value = self._fields.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise UserError(f"'{name}' is no whole number from {low} to {high}")
        return value

    def flag(self, name: str, default: bool | None = None) -> bool:
        """Return a boolean."""
        value = self._fields.get(name, default)
        if not isinstance(value, bool):
            raise UserError(f"'{name}' is neither true nor false")
        return value

    def values(self) -> dict[str, Any]:
        """Return all fields: texts, small numbers, flags, null, and short lists of these.

        Numbers may have fractions.
        """
        for name, value in self._fields.items():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, str):
                    Request({name: one}).text(name, most=4000)
                elif isinstance(one, int | float) and not isinstance(one, bool):
                    if not -MOST <= one <= MOST:  # nor what is no number
                        raise UserError(f"a number is in -{MOST:,}..{MOST:,}")
                elif one is not None and not isinstance(one, bool):
                    raise UserError(f"'{name[:20]}' is no text, number or flag")
            if isinstance(value, list) and len(value) > 20:
                raise UserError(f"'{name[:20]}' is a list of more than 20")
        return self._fields

    def has(self, name: str) -> bool:
        """Return whether the request has this field."""
        return name in self._fields

    def part(self, name: str) -> Request:
        """Return a nested object as a request."""
        value = self._fields.get(name)
        if not isinstance(value, dict):
            raise UserError(f"'{name}' is no object")
        return Request(value)
