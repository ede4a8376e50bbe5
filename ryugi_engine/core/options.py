"""Engine options, independent of protocol: their kinds, limits and values."""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ryugi_engine.errors import UserError
from ryugi_engine.numbers import whole

MAX_HASH = 65_536
MAX_THREADS = 256


def has_memory(megabytes: int) -> bool:
    """Whether the system would give a table so much; numpy may not have been imported yet."""
    try:
        mmap.mmap(-1, megabytes << 20).close()
    except (OSError, ValueError, OverflowError):
        return False
    return True


@dataclass(frozen=True)
class Option:
    """One option as GUIs know it: kind is spin, check, combo, string, button or file."""

    name: str
    kind: str
    default: str = ""
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    #: The protocol that announces it, "" for both; the other has a command of its own for it.
    protocol: str = ""

    def read(self, text: str) -> str:
        """The value in its normal spelling; UserError if it cannot be taken."""
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
    """All options with their present values; names are found in any letter case."""

    def __init__(self, variants: Iterable[str], variant: str) -> None:
        """``variants`` are the names that UCI_Variant takes, ``variant`` is its default."""
        names = tuple(variants)
        self._options = [
            Option("Debug Log File", "file"),
            Option("Threads", "spin", "1", 1, MAX_THREADS, protocol="uci"),
            Option("Hash", "spin", "64", 1, MAX_HASH, protocol="uci"),
            Option("Clear Hash", "button"),
            Option("Ponder", "check", "false", protocol="uci"),
            Option("MultiPV", "spin", "1", 1, 500),
            Option("Skill Level", "spin", "20", 0, 20),
            Option("Move Overhead", "spin", "20", 0, 5000),
            Option("UCI_ShowWDL", "check", "false", protocol="uci"),
            Option("UCI_Variant", "combo", variant, choices=names, protocol="uci"),
            Option("VariantPath", "file"),
            Option("Use NNUE", "check", "true"),
            Option("EvalFile", "file"),
            Option("Take Back", "button", protocol="xboard"),
            Option("Resign", "check", "false", protocol="xboard"),
            Option("Resign Score", "spin", "800", 100, 10_000, protocol="xboard"),
            Option("Draw Score", "spin", "-50", -10_000, 10_000, protocol="xboard"),
        ]
        self._values = {option.name: option.default for option in self._options}

    def __iter__(self) -> Iterator[Option]:
        return iter(self._options)

    def find(self, name: str) -> Option:
        """The option of a name; UserError if there is none."""
        for option in self._options:
            if option.name.lower() == name.lower():
                return option
        raise UserError(f"no such option '{name[:60]}'")

    def set(self, name: str, text: str) -> Option:
        """Give an option a value."""
        option = self.find(name)
        self._values[option.name] = option.read(text)
        return option

    def set_variants(self, names: Iterable[str], default: str = "") -> None:
        """Change the choices of UCI_Variant, and its default where one is named."""
        option = self.find("UCI_Variant")
        changed = replace(option, choices=tuple(names), default=default or option.default)
        self._options[self._options.index(option)] = changed

    def text(self, name: str) -> str:
        """Present value of an option."""
        return self._values[name]

    def number(self, name: str) -> int:
        """Present value of a spin option."""
        return int(self._values[name])

    def flag(self, name: str) -> bool:
        """Present value of a check option."""
        return self._values[name] == "true"
