"""The chess family's entries: what search, perft and Position call, see ``ryugi_engine.abi``."""

from __future__ import annotations

from ryugi_engine.abi import (
    ALL,
    DRAWN,
    H_CHECK,
    H_FRAME,
    H_KEY,
    H_MOVES,
    H_SIDE,
    LOST,
    MOVE_ROOM,
    ONGOING,
    Kernels,
)
from ryugi_engine.jit import entry, kernel, routine
from ryugi_engine.memory import const64, load8, load32, load64, select, store32, store64
from variants.chess_family import layout as L
from variants.chess_family.attacks import count_bits, first_square, pop_square, square_bits
from variants.chess_family.evaluate import evaluate as evaluate_frame
from variants.chess_family.makemove import make, make_null, publish, unmake_mailbox
from variants.chess_family.movegen import list_moves
from variants.chess_family.perft_kernel import perft
from variants.chess_family.see import exchange_at_least

_MAIL = L.MAILBOX * 8
_CAPTURE_SCORE = 1 << 20


@entry(1)
def refresh(S: int) -> int:
    """Rebuild the current frame from mailbox, side, castling and en passant square."""
    T = load64(S, L.TABLES)
    f = load64(S, H_FRAME)
    for i in range(L.BOARDS):
        store64(S, f + i, 0)
    key = const64(T, L.T_KEY_CASTLING + load64(S, f + L.CASTLING))
    if load64(S, f + L.SIDE) == 1:
        key ^= const64(T, L.T_KEY_SIDE)
    target = load64(S, f + L.EN_PASSANT)
    if target >= 0:
        key ^= const64(T, L.T_KEY_EN_PASSANT + target)
    psq = 0
    phase = 0
    for square in range(128):
        piece = load8(S, _MAIL + square)
        if piece == 0:
            continue
        a, b = square_bits(square)
        for i in range(L.HALF):
            row = L.T_MEMBERSHIP + piece * L.BOARDS + i
            store64(S, f + i, load64(S, f + i) | (const64(T, row) & a))
            store64(S, f + L.HALF + i, load64(S, f + L.HALF + i) | (const64(T, row) & b))
        key ^= const64(T, L.T_KEY_PIECE + piece * 128 + square)
        if (piece & 15) == 2:
            store64(S, f + L.KING_SQUARE + (piece >> 4), square)
        psq += const64(T, L.T_PSQ + piece * 128 + square)
        phase += const64(T, L.T_PHASE + piece)
    store64(S, f + L.KEY, key)
    store64(S, f + L.PSQ, psq)
    store64(S, f + L.PHASE, phase)
    publish(S, T, f)
    return key


@entry(3)
def generate(S: int, kind: int, out: int) -> int:
    """Legal moves of a kind (``movegen.ALL``, ``TACTICAL``), listed from ``out`` on."""
    f = load64(S, H_FRAME)
    return list_moves(S, load64(S, L.TABLES), f, load64(S, H_SIDE), kind, out)


@entry(2)
def make_move(S: int, move: int) -> int:
    """Play a legal move."""
    T = load64(S, L.TABLES)
    f = load64(S, H_FRAME)
    make(S, T, f, move, load64(S, H_SIDE), 1, 1)
    publish(S, T, f + L.FRAME)
    return 0


@kernel
def _step_back(S, g):
    f = g - L.FRAME
    store64(S, H_FRAME, f)
    store64(S, H_SIDE, load64(S, f + L.SIDE))
    store64(S, H_KEY, load64(S, f + L.KEY))
    store64(S, H_CHECK, load64(S, f + L.CHECKED))


@entry(1)
def unmake_move(S: int) -> int:
    """Take the last move back."""
    T = load64(S, L.TABLES)
    g = load64(S, H_FRAME)
    unmake_mailbox(S, T, g, 1 - load64(S, g + L.SIDE))
    _step_back(S, g)
    return 0


@entry(1)
def make_null_move(S: int) -> int:
    """Pass, for the null-move heuristic; 0 if the side has only pawns and must not."""
    T = load64(S, L.TABLES)
    f = load64(S, H_FRAME)
    side = load64(S, H_SIDE)
    own_lo = load64(S, f + L.OCCUPIED + side)
    own_hi = load64(S, f + L.HALF + L.OCCUPIED + side)
    own_lo &= ~(load64(S, f + L.PAWN) | load64(S, f + L.KING))
    own_hi &= ~(load64(S, f + L.HALF + L.PAWN) | load64(S, f + L.HALF + L.KING))
    if (own_lo | own_hi) == 0:
        return 0
    make_null(S, T, f)
    publish(S, T, f + L.FRAME)
    return 1


@entry(1)
def unmake_null_move(S: int) -> int:
    """Take a null move back."""
    _step_back(S, load64(S, H_FRAME))
    return 0


@entry(1)
def evaluate(S: int) -> int:
    """Centipawns for the side to move."""
    return evaluate_frame(S, load64(S, L.TABLES), load64(S, H_FRAME))


@kernel
def repetitions(S, f, enough):
    """How often the position of frame ``f`` stood before, counting up to ``enough``."""
    reach = load64(S, f + L.CLOCK)
    distance = load64(S, f + L.NULL_DISTANCE)
    reach = select(distance < reach, distance, reach)
    key = load64(S, f + L.KEY)
    found = 0
    back = 4
    while back <= reach and found < enough:
        if load64(S, f - back * L.FRAME + L.KEY) == key:
            found += 1
        back += 2
    return found


@routine
def is_dead(S, T, f):
    """Whether no sequence of legal moves can mate: bare kings, a lone minor, one colour only."""
    lo = load64(S, f + L.OCCUPIED) | load64(S, f + L.OCCUPIED + 1)
    hi = load64(S, f + L.HALF + L.OCCUPIED) | load64(S, f + L.HALF + L.OCCUPIED + 1)
    heavy = load64(S, f + L.PAWN) | load64(S, f + L.ORTHO) | load64(S, f + L.RIDER)
    heavy |= load64(S, f + L.HALF + L.PAWN) | load64(S, f + L.HALF + L.ORTHO)
    heavy |= load64(S, f + L.HALF + L.RIDER)
    if heavy != 0:
        return False
    others_lo = lo & ~load64(S, f + L.KING)
    others_hi = hi & ~load64(S, f + L.HALF + L.KING)
    count = count_bits(others_lo, others_hi)
    if count == 0:
        return True
    if count == 1:
        square = first_square(others_lo, others_hi)
        if const64(T, L.T_LONE_MINOR + (load8(S, _MAIL + square) & 15)) != 0:
            return True
    light = count_bits(others_lo & const64(T, L.T_LIGHT), others_hi & const64(T, L.T_LIGHT + 1))
    if 0 < light < count:
        return False
    while (others_lo | others_hi) != 0:
        square, others_lo, others_hi = pop_square(others_lo, others_hi)
        kind = load8(S, _MAIL + square) & 15
        if const64(T, L.T_COLOURBOUND + kind) == 0:
            return False
    return True


@entry(2)
def status(S: int, plies: int) -> int:
    """DRAWN where the search may count on a draw: repetition, move rule, dead position.

    ``plies`` is the distance from the search's root: a position that stood before within the
    search, or twice before it, is a draw that one side can bring about.
    """
    T = load64(S, L.TABLES)
    f = load64(S, H_FRAME)
    clock = load64(S, f + L.CLOCK)
    if clock >= 4:
        reach = load64(S, f + L.NULL_DISTANCE)
        reach = select(clock < reach, clock, reach)
        key = load64(S, f + L.KEY)
        found = 0
        back = 4
        while back <= reach:
            if load64(S, f - back * L.FRAME + L.KEY) == key:
                found += 1
                if back <= plies or found + 1 >= const64(T, L.T_CLAIM_REPETITION):
                    return DRAWN
            back += 2
        if clock >= const64(T, L.T_CLAIM_PLIES):
            if load64(S, H_CHECK) == 0:
                return DRAWN
            # a mate by the last move counts; the list goes where no line of play comes to
            scratch = load64(S, H_MOVES) + MOVE_ROOM - L.MAX_MOVES
            if list_moves(S, T, f, load64(S, H_SIDE), ALL, scratch) > 0:
                return DRAWN
    if is_dead(S, T, f):
        return DRAWN
    return ONGOING


@entry(1)
def no_moves(S: int) -> int:
    """What it means that the side to move has no legal move: mate or stalemate."""
    return LOST if load64(S, H_CHECK) != 0 else DRAWN


@entry(5)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """For each listed move a tactical score (0: quiet) and a history slot, as 32-bit pairs."""
    T = load64(S, L.TABLES)
    for i in range(n):
        move = load32(S, moves + i)
        piece = load8(S, _MAIL + (move & 127))
        to = (move >> 7) & 127
        kind = (move >> 14) & 7
        victim = load8(S, _MAIL + to)
        gain = const64(T, L.T_VALUE + victim)
        if kind == L.EN_PASSANT_CAPTURE:
            gain = const64(T, L.T_VALUE + 1)
        elif kind == L.PROMOTION:
            gain += const64(T, L.T_VALUE + (move >> 17)) - const64(T, L.T_VALUE + 1)
        elif kind == L.CASTLE:
            gain = 0
        score = 0
        if gain > 0:
            score = _CAPTURE_SCORE + gain * 16 - const64(T, L.T_VALUE + piece)
        store32(W, 2 * (out + i), score)
        store32(W, 2 * (out + i) + 1, (piece << 7) | to)
    return 0


@entry(3)
def exchange(S: int, move: int, threshold: int) -> int:
    """1 if the exchange a move begins wins at least ``threshold`` centipawns."""
    won = exchange_at_least(S, load64(S, L.TABLES), load64(S, H_FRAME), move, threshold)
    return 1 if won else 0


# facts that Position asks for


@entry(1)
def repetition_count(S: int) -> int:
    """How often the current position has stood on the board, this time included."""
    return repetitions(S, load64(S, H_FRAME), 1000) + 1


@entry(1)
def dead(S: int) -> int:
    """1 if no sequence of legal moves can mate."""
    return 1 if is_dead(S, load64(S, L.TABLES), load64(S, H_FRAME)) else 0


KERNELS = Kernels(
    generate=generate,
    make=make_move,
    unmake=unmake_move,
    make_null=make_null_move,
    unmake_null=unmake_null_move,
    evaluate=evaluate,
    status=status,
    no_moves=no_moves,
    order=order,
    exchange=exchange,
    perft=perft,
)
