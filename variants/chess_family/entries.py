"""The chess family's entries: what search, perft and Position call, see ``kernel.abi``."""

from __future__ import annotations

from ryugi_engine.kernel.abi import (
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
    PARTS,
    Kernels,
)
from ryugi_engine.kernel.bits import bits, one
from ryugi_engine.kernel.jit import entry, kernel, routine
from ryugi_engine.kernel.memory import load32, load64, store32, store64
from variants.chess_family import layout as L
from variants.chess_family.endings import are_bound
from variants.chess_family.evaluate import evaluate as evaluate_frame
from variants.chess_family.makemove import (
    extra_of,
    kind_of,
    make,
    make_null,
    origin_of,
    part_of,
    publish,
    target_of,
    unmake_mailbox,
)
from variants.chess_family.movegen import list_moves
from variants.chess_family.perft_kernel import perft
from variants.chess_family.see import exchange_at_least

_CAPTURE_SCORE = 1 << 20


@routine
def rebuild(S):
    """Make the current frame anew from mailbox, side, castling and en passant square; its key."""
    state = L.STATE(S)
    T = state.tables
    t = L.TABLES(T)
    f = load64(S, H_FRAME)
    frame = L.FRAME(S, f)
    for i in range(L.COMPONENTS):
        frame.sets[i] = bits(0, 0)
    for colour in range(2):
        frame.men[colour] = bits(0, 0)
    for part in range(PARTS):
        frame.parts[part] = 0
    key = t.key_castling[frame.castling]
    if frame.side == 1:
        key ^= t.key_side
    if frame.en_passant >= 0:
        key ^= t.key_en_passant[frame.en_passant]
    psq = 0
    phase = 0
    for square in range(L.SQUARES):
        piece = state.mailbox[square]
        if piece == 0:
            continue
        for i in range(L.COMPONENTS):
            frame.sets[i] |= t.membership[piece][i] & one(square)
        frame.men[piece >> 4] |= one(square)
        key ^= t.key_piece[piece][square]
        frame.parts[part_of(piece)] ^= t.key_piece[piece][square]
        if (piece & 15) == L.KING_TYPE:
            frame.king[piece >> 4] = square
        psq += t.psq[piece][square]
        phase += t.phase[piece]
    frame.key = key
    frame.psq = psq
    frame.phase = phase
    publish(S, T, f)
    return key


@entry(1)
def refresh(S: int) -> int:
    """:func:`rebuild` for Python."""
    return rebuild(S)


@entry(3)
def generate(S: int, kind: int, out: int) -> int:
    """Legal moves of a kind (``abi.ALL``, ``abi.TACTICAL``), listed from ``out`` on."""
    return list_moves(S, L.STATE(S).tables, load64(S, H_FRAME), load64(S, H_SIDE), kind, out)


@entry(2)
def make_move(S: int, move: int) -> int:
    """Play a legal move."""
    T = L.STATE(S).tables
    f = load64(S, H_FRAME)
    make(S, T, f, move, load64(S, H_SIDE), 1, 1)
    publish(S, T, f + L.FRAME_WORDS)
    return 0


@kernel
def _step_back(S, g):
    f = g - L.FRAME_WORDS
    frame = L.FRAME(S, f)
    store64(S, H_FRAME, f)
    store64(S, H_SIDE, frame.side)
    store64(S, H_KEY, frame.key)
    store64(S, H_CHECK, frame.checked)


@entry(1)
def unmake_move(S: int) -> int:
    """Take the last move back."""
    g = load64(S, H_FRAME)
    unmake_mailbox(S, L.STATE(S).tables, g, 1 - L.FRAME(S, g).side)
    _step_back(S, g)
    return 0


@entry(1)
def make_null_move(S: int) -> int:
    """Pass, for the null-move heuristic; 0 if the side has only pawns and must not."""
    T = L.STATE(S).tables
    f = load64(S, H_FRAME)
    frame = L.FRAME(S, f)
    if not frame.men[load64(S, H_SIDE)] & ~(frame.sets[L.PAWN] | frame.sets[L.KING]):
        return 0
    make_null(S, T, f)
    publish(S, T, f + L.FRAME_WORDS)
    return 1


@entry(1)
def unmake_null_move(S: int) -> int:
    """Take a null move back."""
    _step_back(S, load64(S, H_FRAME))
    return 0


@entry(1)
def evaluate(S: int) -> int:
    """Centipawns for the side to move."""
    return evaluate_frame(S, L.STATE(S).tables, load64(S, H_FRAME))


@kernel
def repetitions(S, f, enough):
    """How often the position of frame ``f`` stood before, counting up to ``enough``."""
    frame = L.FRAME(S, f)
    reach = min(frame.clock, frame.null_distance)
    found = 0
    back = 4
    while back <= reach and found < enough:
        if L.FRAME(S, f - back * L.FRAME_WORDS).key == frame.key:
            found += 1
        back += 2
    return found


@routine
def is_dead(S, T, f):
    """Whether no sequence of legal moves can mate: bare kings, a lone minor, one colour only."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    mailbox = L.STATE(S).mailbox
    if frame.sets[L.PAWN] | frame.sets[L.ORTHO] | frame.sets[L.RIDER]:
        return False
    others = (frame.men[0] | frame.men[1]) & ~frame.sets[L.KING]
    count = others.count()
    if count == 0:
        return True
    if count == 1 and t.lone_minor[mailbox[others.first()] & 15] != 0:
        return True
    light = (others & t.light).count()
    if 0 < light < count:
        return False
    return are_bound(t, mailbox, others)


@entry(2)
def status(S: int, plies: int) -> int:
    """DRAWN where the search may count on a draw: repetition, move rule, dead position.

    ``plies`` is the distance from the search's root: a position that stood before within the
    search, or twice before it, is a draw that one side can bring about.
    """
    T = L.STATE(S).tables
    t = L.TABLES(T)
    f = load64(S, H_FRAME)
    frame = L.FRAME(S, f)
    clock = frame.clock
    if clock >= 4:
        reach = min(clock, frame.null_distance)
        found = 0
        back = 4
        while back <= reach:
            if L.FRAME(S, f - back * L.FRAME_WORDS).key == frame.key:
                found += 1
                if back <= plies or found + 1 >= t.claim_repetition:
                    return DRAWN
            back += 2
        if clock >= t.claim_plies:
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
    """1 if the exchange a move begins wins at least ``threshold`` centipawns."""
    won = exchange_at_least(S, L.STATE(S).tables, load64(S, H_FRAME), move, threshold)
    return 1 if won else 0


# facts that Position asks for


@entry(1)
def repetition_count(S: int) -> int:
    """How often the current position has stood on the board, this time included."""
    return repetitions(S, load64(S, H_FRAME), 1000) + 1


@entry(1)
def dead(S: int) -> int:
    """1 if no sequence of legal moves can mate."""
    return 1 if is_dead(S, L.STATE(S).tables, load64(S, H_FRAME)) else 0


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
