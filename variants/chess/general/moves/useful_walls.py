"""Which walls a search tries: those on squares that many of the enemy's moves need.

A move with each of its walls is hundreds of moves. A wall is worth what the enemy's moves through
its square are: each move a little, a capture what it takes. A wall that stays is in the way of both
sides.
"""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import load32
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import walls_of
from variants.chess.general.moves.movegen import list_pseudo
from variants.chess.general.moves.moves import (
    fits,
    kind_of,
    origin_of,
    put_move,
    square_of,
    takes,
    target_of,
)
from variants.chess.general.moves.walls import DUCK, show_walls

#: Walls of a move that a search tries, and of a capture in quiescence. Duck chess at 5000 nodes:
#: 3 are worse than 5 by 35 +- 81 Elo, 9 by 108 +- 140.
PROMISING_WALLS, TACTICAL_WALLS = 5, 1
#: Centipawns: what a move through a square is worth, and the capture of a piece that decides.
_MOVE, _DECISIVE = 8, 2000


@kernel
def _weigh(t, frame, worth, move, sign):
    """Add a move's worth to the squares that it passes, and to its empty target."""
    origin, target = origin_of(move), target_of(move)
    value = _MOVE
    if takes(frame, move):
        code = frame.board[target]
        decisive = t.royal[code] != 0 or t.extinction_piece_types[code] != 0
        value += _DECISIVE if decisive else t.value[code]
    if frame.board[target] == 0:
        worth[target] += sign * value
    files, ranks = (target & 15) - (origin & 15), (target >> 4) - (origin >> 4)
    steps = max(abs(files), abs(ranks))
    if steps > 1 and (files == 0 or ranks == 0 or abs(files) == abs(ranks)):
        step = files // steps + 16 * (ranks // steps)
        for i in range(1, steps):
            worth[origin + i * step] += sign * value


@routine
def weigh_walls(T, S, f, us, out):
    """Write what a wall is worth to a side into the scratch; lists moves from ``out`` on."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    worth = L.STATE(S).scratch.wall_worth
    for square in range(L.SQUARES):
        worth[square] = 0
    walls = walls_of(t, frame)
    leaves = t.walling_rule == DUCK
    if leaves:
        show_walls(frame, walls, 0)
    for side in range(2):
        if side == us and leaves:
            continue  # it is gone before they move again
        n = list_pseudo(T, S, f, side, 0, out)
        for i in range(n if fits(out, n) else 0):
            move = load32(S, out + i)
            if kind_of(move) not in (L.DROP, L.PASS, L.CASTLE):
                _weigh(t, frame, worth, move, -1 if side == us else 1)
    if leaves:
        show_walls(frame, walls, L.WALL)
    return 0


@routine
def keep_useful_walls(S, first, n, limit):
    """Bring the ``limit`` listed walls that are worth most to the front; return how many stay."""
    worth = L.STATE(S).scratch.wall_worth
    kept = min(n, limit)
    for place in range(first, first + kept):
        best = place
        for i in range(place + 1, first + n):
            if worth[square_of(load32(S, i))] > worth[square_of(load32(S, best))]:
                best = i
        move = load32(S, best)
        put_move(S, best, load32(S, place))
        put_move(S, place, move)
    return kept
