"""En passant squares in position texts: drop those that no move can have passed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from variants.chess.definition.definition import Definition, Move, Square
from variants.chess.definition.placed_moves import placed_moves, turned


def possible_squares(
    game: Definition, board: Mapping[Square, str], mover: int, squares: frozenset[Square]
) -> frozenset[Square]:
    """Return those of ``squares`` that a piece of ``mover`` may have passed with the last move.

    It is now where a move from an empty square over the empty one would have led it.
    Walls and gated pieces may have come after the move; where turns have several moves, the
    piece may have gone on.
    """
    if not squares or game.has_long_turns() or game.rules.seirawan_gating:
        return squares
    kinds = {kind.sign: kind for kind in game.kinds()}
    taken = {at for at, sign in board.items() if sign != "*"}
    found: set[Square] = set()
    for at, sign in board.items():
        if sign == "*" or sign.strip("+~").islower() != bool(mover):
            continue
        for placed in placed_moves(game, kinds[sign.upper()].moves_as, mover):
            if not placed.move.passes:
                continue
            for end, passed in _passes(turned(placed.move, mover)):
                start = at[0] - end[0], at[1] - end[1]
                if placed.start is None or start in placed.start:
                    way = {(start[0] + x, start[1] + y) for x, y in passed}
                    if taken & {start, *way}:
                        continue
                    # the piece's own square tells it where it has not passed straight on
                    if all(square[0] == at[0] for square in way):
                        found |= way
                    elif at in squares:
                        found |= way | {at}
    return squares & found


def _passes(move: Move) -> Iterator[tuple[Square, tuple[Square, ...]]]:
    """Yield the ends of a move that passes squares, and those on its way to each, as offsets."""
    if move.path:
        yield (move.dx, move.dy), move.path
    else:
        for steps in range(2, move.steps + 1):
            passed = tuple((step * move.dx, step * move.dy) for step in range(1, steps))
            yield (steps * move.dx, steps * move.dy), passed
