"""Values of pieces and squares, estimated from how the pieces move.

A piece's value is proportional to the moves that it has on average, on a board on which a square
is occupied with some probability. Centipawns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from variants.chess.definition.definition import Definition, Move

#: Probability that a square is empty.
_EMPTY = 0.68
#: Centipawns of a side's pieces in chess, and a little more.
_CHESS = 4200
#: Centipawns for an average move.
_PER_MOVE = 58
_PAWN, _ADVANCED = 100, 6
_CENTRE = 5


def _by_legs(game: Definition, move: Move, number: int, file: int, rank: int) -> float:
    """Return how many squares the legs of a move from one on reach on average."""
    leg = move.legs[number]
    last = number == len(move.legs) - 1
    occupied = sum(sign in leg.enter for sign in ("cp" if not last else "c", "o", "d"))
    stops = (1 - _EMPTY) * 0.5 * occupied
    total, chance = 0.0, 1.0
    for step in range(1, leg.steps + 1):
        at = file + step * leg.dx, rank + step * leg.dy
        if move.wraps:
            at = at[0] % game.files, at[1]
        if not (0 <= at[0] < game.files and 0 <= at[1] < game.ranks) or chance < 0.01:
            break
        if step <= leg.skip:
            continue
        ends = chance * (_EMPTY * ("m" in leg.enter) + stops)
        total += ends if last else ends and ends * _by_legs(game, move, number + 1, *at)
        chance *= _EMPTY
    return total


def mean_targets(game: Definition, move: Move, file: int, rank: int) -> float:
    """Return how many squares a move reaches on average from a square, quiet or not."""
    if move.legs:
        return _by_legs(game, move, 0, file, rank) * (0.3 if move.initial else 1)
    share = (0.3 if move.initial else 1) * _EMPTY ** len(move.path)
    total, chance = 0.0, 1.0
    for step in range(1, move.steps + 1):
        if not (
            0 <= file + step * move.dx < game.files and 0 <= rank + step * move.dy < game.ranks
        ):
            break
        if move.hop and step == 1:
            chance = 1 - _EMPTY
            continue
        total += share * chance
        if move.hop == "g":
            break
        chance *= _EMPTY
    return total


def _targets(game: Definition, move: Move, file: int, rank: int) -> float:
    """Return the targets of a move that also captures, half of them of one that does not."""
    kinds = 1.0 if move.legs else 0.5 * move.quiet + 0.5 * move.capture
    return kinds * mean_targets(game, move, file, rank)


def mobility(game: Definition, letter: str) -> dict[tuple[int, int], float]:
    """Return the average number of moves of White's piece by square."""
    moves = game.pieces[letter].moves
    return {at: sum(_targets(game, move, *at) for move in moves) for at in game.on_board()}


def piece_values(game: Definition) -> dict[str, int]:
    """Return the value of every piece, 0 for the royal one."""
    values: dict[str, int] = {}
    pawns = game.rules.promotion_pawn_types[0] | game.rules.promotion_pawn_types[1]
    for letter in game.pieces:
        average = sum(mobility(game, letter).values()) / (game.files * game.ranks)
        value = round(_PER_MOVE * average)
        if letter in pawns:
            value = max(_PAWN, value)
        values[letter] = max(value, 20)
    values |= game.values
    if game.royal:
        values[game.royal] = 0
    return values


def magnitude(values: Mapping[str, int], signs: Iterable[str]) -> int:
    """Return how many times a side has the pieces of a side in chess, by their values; at least 1.

    ``signs`` are the pieces of both sides at the start: capital letters are White's.
    """
    armies = [0, 0]
    for sign in signs:
        armies[sign.islower()] += values.get(sign.upper(), 0)
    return max(1, max(armies) // _CHESS)


def square_values(game: Definition, letter: str) -> dict[tuple[int, int], int]:
    """Return the piece-square values of White's piece, in centipawns by square."""
    table = mobility(game, letter)
    average = sum(table.values()) / len(table)
    pawns = game.rules.promotion_pawn_types[0]
    found = {}
    for at, moves in table.items():
        found[at] = round(_CENTRE * (moves - average))
        if letter in pawns:
            found[at] = _ADVANCED * at[1] + round(_CENTRE * (moves - average))
        if letter == game.royal:
            found[at] = -found[at] - 8 * at[1]
    return found
