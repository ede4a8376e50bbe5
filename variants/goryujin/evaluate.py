"""Static evaluation of Goryujin, the race to the far edge, and the hints that follow from it."""

from __future__ import annotations

from ryugi_engine.abi import H_SIDE
from ryugi_engine.jit import kernel, routine
from ryugi_engine.memory import const64, load32, load64, popcount, shr, store32
from variants.goryujin import layout as L
from variants.goryujin.board import file_of, rank_of, shape_at, touchdown_distance
from variants.goryujin.moves import end_square
from variants.goryujin.race import reach, trace

#: What being so many turns away from the far edge costs: each turn more costs 85 % of the one
#: before it, since a landing that is near is harder to stop.
TURN_COSTS = [round(1000 * (1 - 0.85**turns)) for turns in range(L.MAX_LAYERS + 2)]
#: What it costs not to get there at all, and for each row short of it.
_SHORT, _ROW = 900, 40
_TEMPO = 60
_SPARE_P = 12
#: An end that the fewest turns lead to and a P can land on, for at most 31 of them.
_WAYS = 3


@kernel
def race_base(side):
    """Where the race's search of a side works."""
    return L.RACE + side * L.RACE_WORDS


@kernel
def _prospect(S, T, f, side, reached):
    """What a side's race is worth: less for every turn to its landing, and for every row short."""
    distance = reached & 255
    turns = (reached >> 8) & 255
    ways = reached >> 16
    landed = load64(S, f + L.TOUCHED + side) >> 20
    if landed <= distance:
        distance = landed
        turns = 0
        ways = 31
    if distance == 1:
        return _WAYS * ways - const64(T, L.T_TURN_COSTS + turns)
    return _WAYS * ways - _SHORT - _ROW * distance - 4 * turns


@routine
def evaluate_position(S, T, f):
    """Centipawns for the side to move."""
    us = load64(S, H_SIDE)
    ours = reach(S, T, f, us, race_base(us))
    theirs = reach(S, T, f, 1 - us, race_base(1 - us))
    score = _prospect(S, T, f, us, ours) - _prospect(S, T, f, 1 - us, theirs) + _TEMPO
    spare = shr(load64(S, f + L.HANDS + us), 4 * L.P) & 15
    their_spare = shr(load64(S, f + L.HANDS + 1 - us), 4 * L.P) & 15
    return score + _SPARE_P * (spare - their_spare)


#: Hints for the search's order, beside histories of up to 16384: a landing that wins, a turn that
#: begins a fastest way of one's own, a square of the enemy's fastest ways that a turn covers.
_WIN = 1 << 20
_ON_WAY = 6000
_BLOCK = 1500


@routine
def rank_turns(S, T, f, moves, n, W, out):
    """Pairs of hint and history slot: turns on our fastest ways, and such that lie in theirs."""
    us = load64(S, H_SIDE)
    ours = race_base(us)
    theirs = race_base(1 - us)
    our_reach = reach(S, T, f, us, ours)
    their_reach = reach(S, T, f, 1 - us, theirs)
    trace(S, T, us, ours, our_reach)
    trace(S, T, 1 - us, theirs, their_reach)
    for i in range(n):
        move = load32(S, moves + i)
        placement = move & L.PLACEMENT
        kind = (move >> L.KIND_AT) & 3
        hint = 0
        if kind != L.PASSED:
            at = shape_at(placement)
            row = L.PAD + rank_of(placement)
            shift = L.PAD + file_of(placement)
            crossed = 0
            for r in range(const64(T, at + L.S_HEIGHT)):
                cells = const64(T, at + L.S_ROWS + r) << shift
                crossed += popcount(cells & load64(S, theirs + L.R_CELLS + row + r))
            hint = _BLOCK * crossed
            if kind == L.TOUCHDOWN:
                hint = _WIN if touchdown_distance(T, us, placement) == 1 else 0
            else:
                for end in range(const64(T, at + L.S_ENDS)):
                    if kind == L.GROWTH and end == (move >> L.END_AT) & 3:
                        continue
                    file, rank, direction = end_square(T, placement, end)
                    if file < 0 or file >= L.FILES or rank < 0 or rank >= L.RANKS:
                        continue
                    first = load64(S, ours + L.R_FIRST + direction * L.ROWS + L.PAD + rank)
                    if (shr(first, L.PAD + file) & 1) != 0:
                        hint += _ON_WAY
                        break
        store32(W, 2 * (out + i), hint)
        store32(W, 2 * (out + i) + 1, (move ^ move >> 9) & 8191)
    return 0
