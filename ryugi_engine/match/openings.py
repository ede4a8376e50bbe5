"""Openings of a match: of a file, the game's own, or random first plies.

A round of a match has the opening of its number. It is looked for, and checked, when it is played.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Protocol

from ryugi_engine.errors import UserError, warn
from ryugi_engine.games.game import Game
from ryugi_engine.settings import typed

if TYPE_CHECKING:  # the command line is read without numpy
    from ryugi_engine.games.position import Position

#: What stands for a set of one: the game's start position.
START = "start"
ORDERS = ("random", "sequential")
#: Openings in a row that are left out; then the file has another fault.
_MOST_FAULTS = 100
#: Random openings of a match: as many as it may have games.
_MOST_RANDOM = 10**6


class Opening(NamedTuple):
    """A position text, the moves that are played from it, and the text of where they lead to."""

    root: str
    moves: tuple[str, ...]
    text: str

    @classmethod
    def of(cls, position: Position) -> Opening:
        """Return a position with the moves that led to it."""
        return cls(position.root_text, tuple(position.moves), position.text())

    def position(self, game: Game) -> Position:
        """Set the position up."""
        from ryugi_engine.games.position import Position

        position = Position(game, self.root)
        for move in self.moves:
            position.push(move)
        return position


class Source(Protocol):
    """Openings by their numbers from 0."""

    def __len__(self) -> int:
        """How many there are."""

    def read(self, number: int) -> Position | None:
        """Set up an opening; UserError says what is wrong with it, None that it is none."""

    def place(self, number: int) -> str:
        """Return where an opening stands, for a message: ``book.epd:7: ``, or "" """


class PositionTexts:
    """Positions that are in memory."""

    def __init__(self, game: Game, texts: Sequence[str]) -> None:
        self._game, self.texts = game, texts

    def __len__(self) -> int:
        return len(self.texts)

    def read(self, number: int) -> Position:
        """See :class:`Source`."""
        from ryugi_engine.games.position import Position

        return Position(self._game, self.texts[number])

    def place(self, number: int) -> str:
        """See :class:`Source`."""
        return ""


class RandomPlies:
    """Random first plies, by a seed."""

    def __init__(self, game: Game, seed: int) -> None:
        self._game, self._seed = game, seed

    def __len__(self) -> int:
        return _MOST_RANDOM

    def read(self, number: int) -> Position:
        """See :class:`Source`."""
        from ryugi_engine.search.random_opening import random_opening

        return random_opening(self._game, f"{self._seed} {number}")

    def place(self, number: int) -> str:
        """See :class:`Source`."""
        return ""


def built_in(game: Game) -> tuple[str, ...]:
    """Return the names of a game's opening sets that need no file."""
    return (START, game.name) if game.positions("openings") else (START,)


@dataclass(frozen=True)
class _Kept:
    """The openings of a match in its journal; without a file they are random."""

    file: str
    plies: Annotated[int, 0, 10**6]
    order: Annotated[str, *ORDERS]
    seed: Annotated[int, 0, 1 << 31]
    start: Annotated[int, 1, 10**9]
    digest: Annotated[int, 0, 1 << 32]


@dataclass(eq=False)
class Openings:
    """The openings of a match in the order in which its rounds use them, again and again."""

    source: Source
    order: str = "sequential"
    seed: int = 0
    #: The first one that is used, from 1.
    start: int = 1
    #: The openings' file, and the plies of a game that are taken.
    file: str = ""
    plies: int = 0
    #: An engine that can begin a game only at the start position; "" for none.
    only_from_start: str = ""

    def __post_init__(self) -> None:
        #: Numbers in the source that have been found right, in order, and those after them.
        self._right: list[int] = []
        self._numbers = self._ordered()

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(self, index: int) -> Opening:
        """Return the opening of a round, from 0.

        What is wrong is left out, with a line; UserError if nothing is left.
        """
        while index >= len(self._right) and self._look(warn):
            pass
        return Opening.of(self._read(self._right[index % len(self._right)]))

    def check(self) -> None:
        """Raise the UserError of the first opening if there is none to begin with."""
        replace(self)._look(lambda line: None)

    def _look(self, report: Callable[[str], None]) -> bool:
        """Find the next opening that is right; return whether there is one."""
        faults: list[UserError] = []
        for number in self._numbers:
            try:
                self._read(number)
            except _NoOpening:
                continue
            except UserError as error:
                faults.append(error)
                if len(faults) == _MOST_FAULTS:
                    raise faults[0] from None
                continue
            self._right.append(number)
            break
        else:
            if not self._right:
                raise (faults or [UserError(f"{self.file}: no positions")])[0]
            number = -1
        for fault in faults:
            report(f"{fault} (left out)")
        return number >= 0

    def _read(self, number: int) -> Position:
        """Return an opening's position; UserError if it is none for this match."""
        position = self.source.read(number)
        if position is None:
            raise _NoOpening
        if position.outcome() is not None:
            raise UserError(f"{self.source.place(number)}the game is over in this position")
        if self.only_from_start and position.root_text != position.game.start:
            fault = f"'{self.only_from_start}' cannot be given this position"
            raise UserError(self.source.place(number) + fault)
        return position

    def _ordered(self) -> Iterator[int]:
        """Yield the numbers in the source in the order of use.

        A random order is drawn as far as it is used, by Fisher and Yates.
        """
        count = len(self.source)
        numbers = iter(range(count)) if self.order == "sequential" else _shuffled(count, self.seed)
        last = array("q", islice(numbers, (self.start - 1) % count))
        return chain(numbers, last)

    def from_start(self, game: Game, engine: str, seed: int) -> Openings:
        """Return openings for an engine that can begin a game only at the start position.

        Games' first moves, or random ones instead of positions in memory; UserError if a file has
        positions alone.
        """
        if isinstance(self.source, PositionTexts) and game.start not in self.source.texts:
            warn(f"random first moves are the openings: '{engine}' cannot be given positions")
            return Openings(RandomPlies(game, seed), seed=seed, only_from_start=engine)
        openings = replace(self, only_from_start=engine)
        openings.check()
        return openings

    # ---- in a journal ----------------------------------------------------------------------

    def to_json(self, most: int | None) -> Any:
        """Plain data that :meth:`from_json` reads; of texts in memory the first ``most``."""
        if isinstance(self.source, PositionTexts):
            return [self.source.texts[number] for number in islice(self._ordered(), most)]
        digest = getattr(self.source, "digest", 0)  # a file's
        kept = _Kept(self.file, self.plies, self.order, self.seed, self.start, digest)
        return vars(kept)

    @classmethod
    def from_json(cls, game: Game, data: Any) -> Openings:
        """Read what :meth:`to_json` makes; UserError if the file is not the same any more."""
        if isinstance(data, list):
            if not data or not all(isinstance(text, str) for text in data):
                raise UserError("openings: there is none, or one that is no text")
            return cls(PositionTexts(game, data))
        kept = typed.read(_Kept, data)
        source: Source = RandomPlies(game, kept.seed)
        if kept.file:
            from ryugi_engine.match.opening_files import OpeningFile

            source = OpeningFile(game, Path(kept.file), kept.plies)
            if source.digest != kept.digest:
                raise UserError(f"{kept.file}: the file has changed since the match began")
        return cls(source, kept.order, kept.seed, kept.start, kept.file, kept.plies)


class _NoOpening(Exception):
    """What was read is a comment."""


def _shuffled(count: int, seed: int) -> Iterator[int]:
    """Yield the numbers below ``count`` in a random order; memory for those yielded."""
    source = random.Random(seed)
    moved: dict[int, int] = {}
    for place in range(count):
        other = source.randrange(place, count)
        number = moved.get(other, other)
        moved[other] = moved.get(place, place)
        moved.pop(place, None)
        yield number


def read_openings(
    game: Game,
    book: Path | str | None,
    plies: int = 0,
    *,
    order: str = ORDERS[0],
    seed: int = 0,
    start: int = 1,
) -> Openings:
    """Return the openings of a file, of a built-in set, or if None the game's own.

    In a file of positions a line is FEN or EPD, see :func:`read_epd`; lines with ``#`` are left
    out. Of games the first ``plies`` are taken, 0 for all of them. A game without openings has
    random first plies. UserError names file and line.
    """
    if book is not None and (Path(book).exists() or str(book) not in built_in(game)):
        from ryugi_engine.match.opening_files import OpeningFile

        source = OpeningFile(game, Path(book), plies)
        openings = Openings(source, order, seed, start, str(Path(book).absolute()), plies)
        openings.check()
        return openings
    texts = (game.start,) if book == START else game.positions("openings")
    if texts:
        return Openings(PositionTexts(game, texts), order, seed, start)
    return Openings(RandomPlies(game, seed), start=start, seed=seed)
