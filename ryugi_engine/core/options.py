"""Engine options, independent of protocol; ``Session.__init__`` has the table of them."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ryugi_engine.errors import UserError
from ryugi_engine.text.numbers import whole

MAX_HASH = 65_536
MAX_THREADS = 256
MAX_SEED = 2**31 - 1
#: What UCI_Elo may be; in every game values beyond its ladder are those of the ladder's end.
ELO = (500, 2800)
#: Options that the engine has had, and what has taken their place.
_REPLACED = {"skilllevel": "Level, 1 to 12, has taken its place"}
#: Own score in centipawns up to which a draw is agreed on, as long as no option says another.
DRAW_SCORE = -50


def has_memory(megabytes: int) -> bool:
    """Return whether ``megabytes`` of memory can be allocated, without importing numpy."""
    try:
        mmap.mmap(-1, megabytes << 20).close()
    except (OSError, ValueError, OverflowError):
        return False
    return True


class Option(NamedTuple):
    """An option as GUIs know it.

    ``kind`` is spin, check, combo, string, button or file. ``low`` and ``high`` bound a spin, both
    included.
    """

    name: str
    kind: str
    default: str = ""
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    #: Protocol that announces the option, "" for both; the other has a command of its own for it.
    protocol: str = ""
    #: Callback for a new value, before it is stored; refuses the value by a UserError.
    on_change: Callable[[str], object] = lambda value: None
    #: Reads a value in place of the kind's own rule.
    parse: Callable[[str], str] | None = None

    def read(self, text: str) -> str:
        """Validate a value and return it in canonical form; UserError if it is not allowed."""
        if self.parse is not None:
            return self.parse(text)
        if self.kind == "spin":
            try:
                return str(whole(text, self.low, self.high))
            except UserError as error:
                raise UserError(f"{self.name}: {error}") from None
        if self.kind == "check":
            if text.lower() not in ("true", "false"):
                raise UserError(f"{self.name}: '{text[:40]}' is not true or false")
            return text.lower()
        if self.kind == "combo":
            for choice in self.choices:
                if choice.lower() == text.lower():
                    return choice
            raise UserError(f"{self.name}: '{text[:40]}' is none of {', '.join(self.choices)}")
        return "" if text == "<empty>" else text


class Options:
    """Options with their present values; names are found in any letter case."""

    def __init__(self, *options: Option) -> None:
        self._options: dict[str, Option] = {}
        self._values: dict[str, str] = {}
        self.add(*options)

    def __iter__(self) -> Iterator[Option]:
        return iter(self._options.values())

    def add(self, *options: Option) -> None:
        """Add options, or replace those of the same names; values already set are kept."""
        for option in options:
            self._options[option.name.lower()] = option
            self._values.setdefault(option.name, option.default)

    def find(self, name: str) -> Option:
        """Return the option of a name. Raises UserError if there is none."""
        try:
            return self._options[name.lower()]
        except KeyError:
            instead = _REPLACED.get(name.lower().replace(" ", ""))
            more = f": {instead}" if instead else ""
            raise UserError(f"no such option '{name[:60]}'{more}") from None

    def set(self, name: str, text: str) -> Option:
        """Set an option and call its callback. Raises UserError if either refuses the value."""
        option = self.find(name)
        value = option.read(text)
        option.on_change(value)
        self._values[option.name] = value
        return option

    def text(self, name: str) -> str:
        """Return the value of an option."""
        return self._values[name]

    def number(self, name: str) -> int:
        """Return the value of a spin option."""
        return int(self._values[name])

    def flag(self, name: str) -> bool:
        """Return the value of a check option."""
        return self._values[name] == "true"
