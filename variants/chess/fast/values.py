"""Piece values, derived from the pieces' movements on the board of a game.

A piece's *crowded mobility* is the number of squares it reaches, averaged over the board. Each
square on the way is empty with probability 0.7. Its value follows from that by ``weights``; a
definition file can override it. Source: R. Betza, "About the values of chess pieces".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from variants.chess.definition.definition import Square
from variants.chess.fast.game import FastGame
from variants.chess.fast.movement import BISHOP_STEPS, KNIGHT_STEPS, ROOK_STEPS, Movement
from variants.chess.fast.weights import WEIGHTS

EMPTY = 0.7
PAWN_VALUE = 100
#: Rough values, in centipawns, below which a piece has one phase unit, or two; else it has four.
_MINOR, _ROOK = 450, 700


def _leaps(move: Movement, files: int, ranks: int, at: Square) -> list[float]:
    """Return the lengths of a piece's leaps from a square."""
    lengths = []
    for x, y in sorted(move.offsets()):
        if 0 <= at[0] + x < files and 0 <= at[1] + y < ranks:
            lengths.append(math.hypot(x, y))
    return lengths


@lru_cache(maxsize=1 << 14)
def _mobility(move: Movement, files: int, ranks: int, at: Square) -> Mapping[str, float]:
    """Return the expected number of targets from a square, by the kind of movement."""

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


def crowded_mobility(game: FastGame, letter: str, at: Square) -> float:
    """Return the expected number of targets of a piece on a square."""
    return sum(_mobility(game.movements[letter], game.files, game.ranks, at).values())


def _means(move: Movement, files: int, ranks: int) -> Mapping[str, float]:
    """Return the expected number of targets averaged over the board, by kind of movement."""
    squares = [_mobility(move, files, ranks, (f, r)) for f in range(files) for r in range(ranks)]
    return {kind: sum(m[kind] for m in squares) / len(squares) for kind in squares[0]}


def mean_mobility(game: FastGame, letter: str) -> float:
    """Return a piece's crowded mobility."""
    return sum(_means(game.movements[letter], game.files, game.ranks).values())


def _mean_length(move: Movement, files: int, ranks: int) -> float:
    """Return the total length of a piece's leaps from a square, averaged over the board."""
    squares = [(f, r) for f in range(files) for r in range(ranks)]
    return sum(sum(_leaps(move, files, ranks, at)) for at in squares) / len(squares)


def _movement_value(game: FastGame, letter: str, each: Mapping[str, float]) -> float:
    """Return the value of a piece's movements in centipawns; ``each`` has weights by name."""
    move = game.movements[letter]
    means = _means(move, game.files, game.ranks)
    whole = sum(means.values())
    joined = sum(1 for mean in means.values() if mean) - 1
    value = sum(each[kind] * mean for kind, mean in means.items())
    value += each["length"] * _mean_length(move, game.files, game.ranks)
    value += each["square"] * whole * whole + each["joint"] * joined
    return value + (each["bound"] if move.colourbound else 0.0)


def _named(begin: str) -> dict[str, float]:
    """Return the weights whose names begin with a prefix, without the prefix."""
    every = WEIGHTS._asdict()
    return {name[len(begin) :]: every[name] for name in every if name.startswith(begin)}


def middle_values(game: FastGame) -> dict[str, int]:
    """Return middle-game values of all pieces but the king, in centipawns."""
    each = _named("value_")
    others = (letter for letter in game.movements if letter != game.royal)
    values = {letter: round(_movement_value(game, letter, each)) for letter in others}
    return {game.pawn: PAWN_VALUE, **values, **game.values}


def end_values(game: FastGame) -> dict[str, int]:
    """Return end-game values of all pieces but the king, in centipawns."""
    each, given = _named("ending_"), (game.pawn, *game.values)
    values = {letter: value + value // 16 for letter, value in middle_values(game).items()}
    for letter in values.keys() - given:
        values[letter] += round(_movement_value(game, letter, each))
    return values


def exchange_values(game: FastGame) -> dict[str, int]:
    """Return values for exchanges: the mean of middle and end game; a pawn is 100."""
    end = end_values(game)
    values = {letter: (value + end[letter]) // 2 for letter, value in middle_values(game).items()}
    return {**values, game.pawn: PAWN_VALUE, **game.values}


def phase_units(game: FastGame, letter: str) -> int:
    """Return a piece's phase units, by a rough value that does not depend on weights."""
    if letter in (game.pawn, game.royal):
        return 0
    mean = mean_mobility(game, letter)
    value = game.values.get(letter, round(55 * mean + 0.9 * mean * mean))
    return 1 if value < _MINOR else 2 if value < _ROOK else 4
