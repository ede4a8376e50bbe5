"""Pieces, sides and squares in the words of rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TypeVar

from ryugi_engine.games.notation import square_name as square
from variants.chess.definition.definition import Definition
from variants.chess.definition.game_rules import Regions
from variants.chess.definition.regions import mirrored
from variants.chess.pictures.figures import names_of

__all__ = ["a", "article", "by_side", "chosen", "listed", "name", "plural", "region", "square"]
_Value = TypeVar("_Value")
#: Lists of more squares are shown by their number.
_MOST_SQUARES = 16


def name(game: Definition, letter: str) -> str:
    """Return what a piece is called: its letter where it has no name."""
    return names_of(game).get(letter, letter)


def article(noun: str) -> str:
    """Return the indefinite article of a noun."""
    vowels = "aeio" if len(noun) > 1 else "aefhilmnorsx"
    return "an" if noun[:1].lower() in vowels else "a"


def a(game: Definition, letter: str) -> str:
    """Return a piece with its article."""
    called = name(game, letter)
    return f"{article(called)} {called}"


def plural(game: Definition, letter: str) -> str:
    """Return what several pieces are called."""
    called = name(game, letter)
    return called + ("es" if called.endswith(("s", "x", "ch", "sh")) else "s")


def listed(
    game: Definition, letters: Collection[str], joint: str, called: Callable[[Definition, str], str]
) -> str:
    """Return pieces in the order of the definition, the last joined by ``and`` or ``or``."""
    texts = [called(game, letter) for letter in game.pieces if letter in letters]
    return f" {joint} ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))


def by_side(game: Definition, values: tuple[_Value, _Value]) -> Iterator[tuple[str, _Value]]:
    """Yield each side with its value; both as "" where these are equal."""
    if values[0] == values[1]:
        yield "", values[0]
    else:
        yield from zip(game.appearance.sides, values, strict=True)


def region(game: Definition, regions: Regions) -> str:
    """Return squares in words: from each side's view where they are ranks of the board."""
    first, second = regions
    if first == second or not second:
        return _squares(game, first)
    if not first:
        return _squares(game, second)
    if second == mirrored(first, game.ranks):
        ranks = _own_ranks(game, first)
        if ranks:
            return ranks
    white, black = game.appearance.sides
    return f"{_squares(game, first)} ({white}) and {_squares(game, second)} ({black})"


def _own_ranks(game: Definition, squares: Collection[tuple[int, int]]) -> str:
    """Return ranks as a side counts them, first and last; "" for other squares."""
    ranks = sorted({rank for _file, rank in squares})
    if (
        not ranks
        or len(squares) != len(ranks) * game.files
        or ranks[-1] - ranks[0] != len(ranks) - 1
    ):
        return ""
    number = len(ranks)
    ends = "rank" if number == 1 else f"{number} ranks"
    if ranks[-1] == game.ranks - 1:
        return f"the last {ends}"
    if ranks[0] == 0:
        return f"the first {ends}"
    if number == 1:
        nth = {1: "second", 2: "third", 3: "fourth"}
        return f"the {nth.get(ranks[0], f'{ranks[0] + 1}th')} rank"
    return f"ranks {ranks[0] + 1} to {ranks[-1] + 1} as each side counts"


def _squares(game: Definition, squares: Collection[tuple[int, int]]) -> str:
    """Return squares in words: ranks, a rectangle, or each of them."""
    if not squares:
        return "no square"
    files, ranks = sorted({at[0] for at in squares}), sorted({at[1] for at in squares})
    low, high = (files[0], ranks[0]), (files[-1], ranks[-1])
    if len(squares) == game.files * game.ranks:
        return "any square"
    if len(squares) == (high[0] - low[0] + 1) * (high[1] - low[1] + 1) > 1:
        if high[0] - low[0] + 1 == game.files:
            several = f"ranks {low[1] + 1} to {high[1] + 1}"
            return several if low[1] < high[1] else f"rank {low[1] + 1}"
        return f"{square(low)} to {square(high)}"
    if len(squares) > _MOST_SQUARES:
        return f"{len(squares)} of the squares between {square(low)} and {square(high)}"
    *others, last = [square(at) for at in sorted(squares, key=lambda at: at[::-1])]
    return f"{', '.join(others)} or {last}" if others else last


def chosen(*pairs: tuple[object, str]) -> Iterator[str]:
    """Yield the sentences whose condition holds."""
    return (sentence for holds, sentence in pairs if holds)
