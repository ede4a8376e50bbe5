"""The chess family's entries, called by search, perft and Position; see ``kernel.abi``."""

from __future__ import annotations

from ryugi_engine.kernel.abi import (
    ALL,
    CORRECTION_KEYS,
    DRAWN,
    HEADER,
    LOST,
    MOVE_CAPACITY,
    ONGOING,
    Kernels,
)
from ryugi_engine.kernel.bits import bits, one
from ryugi_engine.kernel.jit import entry, kernel, routine
from ryugi_engine.kernel.memory import load32, store32
from ryugi_engine.kernel.repetition import plies_since_repetition
from variants.chess.family.material import BOUND, MATES
from variants.chess.fast import layout as L
from variants.chess.fast.evaluate import evaluate as evaluate_frame
from variants.chess.fast.makemove import (
    correction_key_of,
    extra_of,
    kind_of,
    make,
    make_null,
    origin_of,
    publish,
    target_of,
    unmake_mailbox,
)
from variants.chess.fast.may_check import may_check as is_check_possible
from variants.chess.fast.movegen import list_moves
from variants.chess.fast.perft_kernel import perft
from variants.chess.fast.see import exchange_at_least

_CAPTURE_SCORE = 1 << 20
_KEY = L.FRAME.word("key")


@routine
def rebuild(S):
    """Recompute the current frame from mailbox, side, castling and en passant; return its key."""
    state = L.STATE(S)
    T = state.tables
    t = L.TABLES(T)
    f = HEADER(S).frame
    frame = L.FRAME(S, f)
    for i in range(L.COMPONENTS):
        frame.by_type[i] = bits(0, 0)
    for colour in range(2):
        frame.by_color[colour] = bits(0, 0)
    for part in range(CORRECTION_KEYS):
        frame.correction_keys[part] = 0
    key = t.key_castling[frame.castling]
    if frame.side == 1:
        key ^= t.key_side
    if frame.en_passant >= 0:
        key ^= t.key_en_passant[frame.en_passant]
    psq = 0
    for square in range(L.SQUARES):
        piece = state.mailbox[square]
        if piece == 0:
            continue
        for i in range(L.COMPONENTS):
            frame.by_type[i] |= t.membership[piece][i] & one(square)
        frame.by_color[piece >> 4] |= one(square)
        key ^= t.key_piece[piece][square]
        frame.correction_keys[correction_key_of(piece)] ^= t.key_piece[piece][square]
        if (piece & 15) == L.KING_TYPE:
            frame.king[piece >> 4] = square
        psq += t.psq[piece][square]
    frame.key = key
    frame.psq = psq
    publish(S, T, f)
    return key


@entry(1)
def refresh(S: int) -> int:
    """Recompute the current frame and publish it; called by Python."""
    return rebuild(S)


@entry(3)
def generate(S: int, kind: int, out: int) -> int:
    """List the legal moves of a kind from ``out`` on; TACTICAL: captures and promotions."""
    return list_moves(S, L.STATE(S).tables, HEADER(S).frame, HEADER(S).side, kind, out)


@entry(2)
def make_move(S: int, move: int) -> int:
    """Play a legal move."""
    T = L.STATE(S).tables
    f = HEADER(S).frame
    make(S, T, f, move, HEADER(S).side)
    publish(S, T, f + L.FRAME_WORDS)
    return 0


@kernel
def _step_back(S, g):
    f = g - L.FRAME_WORDS
    frame = L.FRAME(S, f)
    HEADER(S).frame = f
    HEADER(S).side = frame.side
    HEADER(S).key = frame.key
    HEADER(S).check = frame.checked


@entry(1)
def unmake_move(S: int) -> int:
    """Unmake the last move."""
    g = HEADER(S).frame
    unmake_mailbox(S, L.STATE(S).tables, g, 1 - L.FRAME(S, g).side)
    _step_back(S, g)
    return 0


@entry(1)
def make_null_move(S: int) -> int:
    """Make a null move; return 0, with nothing done, if the side has only king and pawns."""
    T = L.STATE(S).tables
    f = HEADER(S).frame
    frame = L.FRAME(S, f)
    if not frame.by_color[HEADER(S).side] & ~(frame.by_type[L.PAWN] | frame.by_type[L.KING]):
        return 0
    make_null(S, T, f)
    publish(S, T, f + L.FRAME_WORDS)
    return 1


@entry(1)
def unmake_null_move(S: int) -> int:
    """Unmake a null move."""
    _step_back(S, HEADER(S).frame)
    return 0


@entry(1)
def evaluate(S: int) -> int:
    """Return the static evaluation in centipawns for the side to move."""
    return evaluate_frame(S, L.STATE(S).tables, HEADER(S).frame)


@routine
def is_dead(S, T, f):
    """Return whether no legal moves can mate: bare kings, a lone minor, one square colour."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    mailbox = L.STATE(S).mailbox
    if frame.by_type[L.PAWN] | frame.by_type[L.ORTHO] | frame.by_type[L.RIDER]:
        return False
    others = (frame.by_color[0] | frame.by_color[1]) & ~frame.by_type[L.KING]
    count = others.count()
    if count == 0:
        return True
    if count == 1:
        return t.power[mailbox[others.first()] & 15] != MATES
    light = (others & t.light).count()
    if 0 < light < count:
        return False
    while others:
        square, others = others.pop()
        if t.power[mailbox[square] & 15] != BOUND:
            return False
    return True


@entry(2)
def status(S: int, plies: int) -> int:
    """Return DRAWN by repetition, fifty-move rule or dead position, else ONGOING.

    ``plies`` is the distance from the search's root, see ``plies_since_repetition``; a position
    from before is a draw when it can be claimed.
    """
    T = L.STATE(S).tables
    t = L.TABLES(T)
    f = HEADER(S).frame
    frame = L.FRAME(S, f)
    clock = frame.clock
    if clock >= 4:
        reach = min(clock, frame.null_distance)
        times = t.claim_repetition
        if plies_since_repetition(S, f, L.FRAME_WORDS, _KEY, reach, 2, plies, times) != 0:
            return DRAWN
        if clock >= t.claim_plies:
            if HEADER(S).check == 0:
                return DRAWN
            # mate takes precedence; the scratch list lies at the buffer's unused end
            scratch = HEADER(S).moves + MOVE_CAPACITY - L.MAX_MOVES
            if list_moves(S, T, f, HEADER(S).side, ALL, scratch) > 0:
                return DRAWN
    if is_dead(S, T, f):
        return DRAWN
    return ONGOING


@entry(1)
def no_moves(S: int) -> int:
    """Return LOST for checkmate, DRAWN for stalemate."""
    return LOST if HEADER(S).check != 0 else DRAWN


@entry(5)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """Write MVV-LVA score (0: quiet) and history slot of each listed move as 32-bit pairs."""
    state = L.STATE(S)
    t = L.TABLES(state.tables)
    for i in range(n):
        move = load32(S, moves + i)
        piece = state.mailbox[origin_of(move)]
        to = target_of(move)
        kind = kind_of(move)
        gain = t.value[state.mailbox[to]]
        if kind == L.EN_PASSANT_CAPTURE:
            gain = t.value[L.PAWN_TYPE]
        elif kind == L.PROMOTION:
            gain += t.value[extra_of(move)] - t.value[L.PAWN_TYPE]
        elif kind == L.CASTLE:
            gain = 0
        score = 0
        if gain > 0:
            score = _CAPTURE_SCORE + gain * 16 - t.value[piece]
        store32(W, 2 * (out + i), score)
        store32(W, 2 * (out + i) + 1, (piece << 7) | to)
    return 0


@entry(3)
def exchange(S: int, move: int, threshold: int) -> int:
    """Return 1 if static exchange evaluation is at least ``threshold`` centipawns, else 0."""
    won = exchange_at_least(S, L.STATE(S).tables, HEADER(S).frame, move, threshold)
    return 1 if won else 0


@entry(2)
def may_check(S: int, move: int) -> int:
    """Return 0 if a legal move surely gives no check, else 1."""
    return is_check_possible(S, L.STATE(S).tables, HEADER(S).frame, HEADER(S).side, move)


# ---- for FastRules ------------------------------------------------------------------------------


@entry(1)
def dead(S: int) -> int:
    """Return 1 if no sequence of legal moves can mate, else 0."""
    return 1 if is_dead(S, L.STATE(S).tables, HEADER(S).frame) else 0


KERNELS = Kernels(
    *(generate, make_move, unmake_move, make_null_move, unmake_null_move),
    *(evaluate, status, no_moves, order, exchange, may_check, perft),
)
