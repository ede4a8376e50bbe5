"""The inputs of a net: a position's cells, and the features that their values activate.

A cell is a byte. The first cells are the board's squares, rank by rank from White's first. Their
values are piece codes: 0 for an empty square, the kind (from 1) for White's piece, ``black`` + kind
for Black's, WALL for a wall. Then come counters, two cells for each, White's and Black's: pieces of
a kind in hand, checks left to give.

Features of a perspective are numbered: the own kinds by square, the enemy's, walls; then the own
counters, and the enemy's. A counter of value n switches on its first n features (a "thermometer").
Black's perspective sees the board with its ranks reversed, unless both sides go the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Piece code of a square that no piece can enter.
WALL = 63
#: The code of White's king in games whose kinds are letters.
KING = 2
#: Added to the code of a piece that has not moved.
UNMOVED = 128
#: Piece codes from here on are Black's: with up to 15 kinds of piece and nothing else, and else.
BLACK, BLACK_OF_MANY = 16, 64
#: Maximum number of kinds, of features of all counters of a side, of cells.
MAX_KINDS, MAX_COUNTED, MAX_CELLS = 62, 256, 512

#: Names of what is only true or false.
_FLAGS = ("walls", "unmoved", "reverses")


class Counter(NamedTuple):
    """An input that is a number of each side, as pieces in hand or checks left."""

    name: str
    #: Number of its features: higher values are not told apart.
    high: int


@dataclass(frozen=True)
class Inputs:
    """The cells of a game's positions."""

    files: int
    ranks: int
    #: Kinds of piece as position texts write them, that of code 1 first.
    kinds: tuple[str, ...]
    counters: tuple[Counter, ...] = ()
    #: Whether walls come and go.
    walls: bool = False
    #: Whether pieces that have not moved are recorded as such; features do not tell them apart.
    unmoved: bool = False
    #: Whether Black's perspective sees the ranks reversed.
    reverses: bool = True
    black: int = BLACK_OF_MANY
    #: Code of White's king, which king buckets go by; 0 if a side may have several.
    king: int = KING

    @classmethod
    def of_letters(cls, files: int, ranks: int, letters: str) -> Inputs:
        """Return the inputs of a game of up to 15 kinds of piece and nothing else."""
        return cls(files, ranks, tuple(letters), black=BLACK)

    # ---- cells

    @property
    def squares(self) -> int:
        """The number of squares of the board."""
        return self.files * self.ranks

    @property
    def cells(self) -> int:
        """The number of cells of a position."""
        return self.squares + 2 * len(self.counters)

    @property
    def letters(self) -> str:
        """The kinds of piece in one text."""
        return ("" if all(len(kind) == 1 for kind in self.kinds) else " ").join(self.kinds)

    def cell(self, counter: int, side: int) -> int:
        """Return the cell of a side's counter."""
        return self.squares + 2 * counter + side

    # ---- features

    @property
    def planes(self) -> int:
        """The number of features of a square, for one perspective."""
        return 2 * len(self.kinds) + self.walls

    @cached_property
    def features(self) -> int:
        """The number of features of a perspective."""
        return self.planes * self.squares + 2 * sum(counter.high for counter in self.counters)

    def plane(self, perspective: int, code: int) -> int:
        """Return the plane of a piece code from a perspective (0: White's)."""
        if code == WALL and self.walls:
            return 2 * len(self.kinds)
        enemy = (code >= self.black) != (perspective == 1)
        return enemy * len(self.kinds) + code % self.black - 1

    def seen(self, perspective: int, square: int, mirrored: int = 0) -> int:
        """Return the index of a square from a perspective."""
        rank, file = divmod(square, self.files)
        if perspective == 1 and self.reverses:
            rank = self.ranks - 1 - rank
        if mirrored:
            file = self.files - 1 - file
        return rank * self.files + file

    def nearest_places(self, other: Inputs) -> NDArray[np.intp]:
        """Return the square of this board that is nearest to each of another, scaled to it."""
        ranks, files = (
            np.rint(np.linspace(0, own - 1, count)).astype(np.intp)
            for own, count in ((self.ranks, other.ranks), (self.files, other.files))
        )
        return (ranks[:, None] * self.files + files).reshape(-1)

    def counted(self, perspective: int, counter: int, side: int) -> int:
        """Return the first feature of a side's counter from a perspective."""
        highs = [counter.high for counter in self.counters]
        first = self.planes * self.squares + sum(highs[:counter])
        return first + sum(highs) if side != perspective else first

    def codes(self) -> list[int]:
        """Return all piece codes."""
        own = list(range(1, len(self.kinds) + 1))
        return [*own, *(self.black + code for code in own), *([WALL] if self.walls else [])]

    # ---- facts of files

    @property
    def is_plain(self) -> bool:
        """Whether the inputs are only letters on squares, as in the files' first version."""
        return (
            self.black == BLACK
            and not self.counters
            and not self.walls
            and all(len(kind) == 1 for kind in self.kinds)
        )

    def facts(self) -> dict[str, Any]:
        """Return the inputs as plain data for files."""
        board = {"files": self.files, "ranks": self.ranks}
        if self.is_plain:
            return {**board, "letters": self.letters}
        counters = [list(counter) for counter in self.counters]
        flags = {name: getattr(self, name) for name in _FLAGS}
        return {**board, "kinds": list(self.kinds), "counters": counters, **flags}

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any]) -> Inputs:
        """Return the inputs from a file's data; ValueError if they are invalid."""
        files, ranks = (_integer(facts, name) for name in ("files", "ranks"))
        if min(files, ranks) < 1 or max(files, ranks) > MAX_CELLS:
            raise ValueError(f"its board is {files}x{ranks}")
        if "kinds" not in facts:
            letters = facts.get("letters")
            if not isinstance(letters, str):
                raise ValueError("its letters are no text")
            inputs = cls.of_letters(files, ranks, letters)
        else:
            kinds: Any = facts.get("kinds")
            counters: Any = facts.get("counters")
            flags: Any = {name: facts.get(name) for name in _FLAGS}
            if not _is_list_of(kinds, str) or not _is_list_of([*flags.values()], bool):
                raise ValueError("its kinds are no texts, or its flags not true or false")
            if not _is_list_of(counters, list):
                raise ValueError("its counters are no list")
            inputs = cls(files, ranks, tuple(kinds), tuple(map(_counter, counters)), **flags)
        inputs.check()
        return inputs

    def check(self) -> None:
        """Raise ValueError for inputs that are too large."""
        if not 1 <= len(self.kinds) <= min(self.black - 1, MAX_KINDS):
            most = min(self.black - 1, MAX_KINDS)
            raise ValueError(f"its kinds of piece are not 1 to {most}")
        counted = sum(counter.high for counter in self.counters)
        highs = range(1, 2 * self.black)
        if any(c.high not in highs for c in self.counters) or counted > MAX_COUNTED:
            raise ValueError(f"its counters have {counted} features")
        if self.cells > MAX_CELLS:
            raise ValueError(f"it has {self.cells} cells")
        if not 0 <= self.king <= MAX_KINDS:
            raise ValueError(f"its king is {self.king}")

    def difference(self, other: Inputs) -> str:
        """Return the difference to other inputs as ``theirs, not ours``; "" if they are equal."""
        if (self.files, self.ranks) != (other.files, other.ranks):
            return f"board {other.files}x{other.ranks}, not {self.files}x{self.ranks}"
        if self.kinds != other.kinds or self.black != other.black:
            return f"pieces {other.letters}, not {self.letters}"
        if self.counters != other.counters:
            theirs, ours = (
                ", ".join(f"{c.name} up to {c.high}" for c in one.counters) or "none"
                for one in (other, self)
            )
            return f"counters {theirs}, not {ours}"
        for name in _FLAGS:
            if getattr(self, name) != getattr(other, name):
                return f"{name} {getattr(other, name)}, not {getattr(self, name)}"
        return ""


def _integer(facts: Mapping[str, Any], name: str) -> int:
    value = facts.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"its {name} is {str(value)[:40]!r}, no integer")
    return value


def _is_list_of(values: object, kind: type) -> bool:
    return isinstance(values, list) and all(isinstance(value, kind) for value in values)


def _counter(fact: list[Any]) -> Counter:
    if len(fact) != 2 or not isinstance(fact[0], str):
        raise ValueError("a counter is a name and a number")
    return Counter(fact[0], _integer({"counter": fact[1]}, "counter"))


class Features(NamedTuple):
    """The features that a cell's value activates: ``number`` of them from ``first`` on."""

    first: NDArray[np.int32]  # [king zone, perspective, value, cell]
    number: NDArray[np.uint8]  # [value, cell]; the last value stands for all higher ones


@lru_cache(maxsize=64)
def feature_tables(inputs: Inputs, king_buckets: int = 1) -> Features:
    """Return the tables of a game's features; shared: do not change them.

    A king zone is 2 * king bucket + 1 if the board is mirrored. Each king bucket has all features.
    """
    highs = [counter.high for counter in inputs.counters]
    values = UNMOVED + 2 * inputs.black if inputs.unmoved else 2 * inputs.black
    first = np.zeros((2 * king_buckets, 2, values, inputs.cells), dtype=np.int32)
    count = np.zeros((values, inputs.cells), dtype=np.uint8)
    squares = range(inputs.squares)
    count[inputs.codes(), : inputs.squares] = 1
    if inputs.unmoved:
        count[UNMOVED:] = count[:UNMOVED]
    for number, high in enumerate(highs):
        for side in range(2):
            count[:, inputs.cell(number, side)] = np.minimum(np.arange(values), high)
    for zone, perspective in np.ndindex(2 * king_buckets, 2):
        bucket, mirrored = divmod(zone, 2)
        table = first[zone, perspective]
        seen = np.array([inputs.seen(perspective, square, mirrored) for square in squares])
        for code in inputs.codes():
            table[code, : inputs.squares] = inputs.plane(perspective, code) * len(seen) + seen
        if inputs.unmoved:
            table[UNMOVED:] = table[:UNMOVED]
        for number, side in np.ndindex(len(highs), 2):
            table[:, inputs.cell(number, side)] = inputs.counted(perspective, number, side)
        table += bucket * inputs.features
    return Features(first, count)
