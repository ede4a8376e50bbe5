"""What pieces are worth, derived from what they can do on the board of a game.

A piece's *crowded mobility* is the number of squares it reaches, averaged over the board, when
each square on the way is empty with probability 0.7 (R. Betza, "About the values of chess
pieces"). Its value follows from that by ``weights``; a definition file can override it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from variants.chess_family.betza import BISHOP_STEPS, KNIGHT_STEPS, ROOK_STEPS, Movement
from variants.chess_family.definition import Definition
from variants.chess_family.squares import Square
from variants.chess_family.weights import Weights

EMPTY = 0.7
PAWN_VALUE = 100
#: Rough values below which a piece counts one unit in the game phase, or two; four from there on.
_MINOR, _ROOK = 450, 700


def _leaps(move: Movement, files: int, ranks: int, at: Square) -> list[float]:
    """The lengths of a piece's leaps from a square."""
    found = []
    for x, y in sorted(move.offsets()):
        if 0 <= at[0] + x < files and 0 <= at[1] + y < ranks:
            found.append(math.hypot(x, y))
    return found


@lru_cache(maxsize=1 << 14)
def _mobility(move: Movement, files: int, ranks: int, at: Square) -> Mapping[str, float]:
    """Expected number of targets on a square, by the kind of movement."""

    def inside(to: Square) -> bool:
        return 0 <= to[0] < files and 0 <= to[1] < ranks

    def slides(steps: tuple[Square, ...]) -> float:
        total = 0.0
        for x, y in steps:
            to, chance = (at[0] + x, at[1] + y), 1.0
            while inside(to):
                total += chance
                chance *= EMPTY
                to = (to[0] + x, to[1] + y)
        return total

    return MappingProxyType(
        {
            "leap": float(len(_leaps(move, files, ranks, at))),
            "ortho": slides(ROOK_STEPS) if move.rook else 0.0,
            "diag": slides(BISHOP_STEPS) if move.bishop else 0.0,
            "rider": slides(KNIGHT_STEPS) if move.nightrider else 0.0,
        }
    )


def mobility(game: Definition, letter: str, at: Square) -> float:
    """Expected number of targets of a piece on a square."""
    return sum(_mobility(game.pieces[letter], game.files, game.ranks, at).values())


@lru_cache(maxsize=1 << 10)
def _means(move: Movement, files: int, ranks: int) -> Mapping[str, float]:
    """The same averaged over the board."""
    found = [_mobility(move, files, ranks, (f, r)) for f in range(files) for r in range(ranks)]
    return MappingProxyType({kind: sum(m[kind] for m in found) / len(found) for kind in found[0]})


def mean_mobility(game: Definition, letter: str) -> float:
    """A piece's crowded mobility."""
    return sum(_means(game.pieces[letter], game.files, game.ranks).values())


@lru_cache(maxsize=1 << 10)
def _mean_length(move: Movement, files: int, ranks: int) -> float:
    """All that a piece leaps over the board, averaged over its squares."""
    squares = [(f, r) for f in range(files) for r in range(ranks)]
    return sum(sum(_leaps(move, files, ranks, at)) for at in squares) / len(squares)


def _worth(game: Definition, letter: str, each: Mapping[str, float]) -> float:
    """What a piece's movements are worth, by weights that are named as in ``Weights``."""
    move = game.pieces[letter]
    means = _means(move, game.files, game.ranks)
    whole = sum(means.values())
    joined = sum(1 for mean in means.values() if mean) - 1
    found = sum(each[kind] * mean for kind, mean in means.items())
    found += each["length"] * _mean_length(move, game.files, game.ranks)
    found += each["square"] * whole * whole + each["joint"] * joined
    return found + (each["bound"] if move.colourbound else 0.0)


def _named(weights: Weights, begin: str) -> dict[str, float]:
    """The weights whose names begin so, by what follows."""
    every = weights._asdict()
    return {name[len(begin) :]: every[name] for name in every if name.startswith(begin)}


def piece_values(game: Definition, weights: Weights, unit: int = 1) -> dict[str, int]:
    """Every letter's but the king's, in so many parts of a centipawn."""
    each = _named(weights, "value_")
    found = {game.pawn: unit * PAWN_VALUE}
    for letter in game.pieces:
        if letter != game.royal:
            found[letter] = round(unit * _worth(game, letter, each))
    found.update({letter: unit * value for letter, value in game.values.items()})
    return found


def end_values(game: Definition, weights: Weights, unit: int = 1) -> dict[str, int]:
    """The same for the end game."""
    each = _named(weights, "ending_")
    found = piece_values(game, weights, unit)
    for letter, value in found.items():
        more = 0.0 if letter in (game.pawn, *game.values) else unit * _worth(game, letter, each)
        found[letter] = value + value // 16 + round(more)
    return found


def exchange_values(game: Definition, weights: Weights, unit: int = 1) -> dict[str, int]:
    """What is exchanged for what: between middle and end game; a pawn is the measure."""
    middle, end = piece_values(game, weights, unit), end_values(game, weights, unit)
    found = {letter: (value + end[letter]) // 2 for letter, value in middle.items()}
    return {
        **found,
        **dict.fromkeys(game.pawn, unit * PAWN_VALUE),
        **{letter: unit * value for letter, value in game.values.items()},
    }


def phase_units(game: Definition, letter: str) -> int:
    """Weight of a piece in the game phase: by a rough value, which no fitting moves."""
    if letter in (game.pawn, game.royal):
        return 0
    mean = mean_mobility(game, letter)
    value = game.values.get(letter, round(55 * mean + 0.9 * mean * mean))
    return 1 if value < _MINOR else 2 if value < _ROOK else 4
