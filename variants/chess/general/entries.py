"""The general family's entries, called by search, perft and Position; see ``kernel.abi``."""

from __future__ import annotations

from ryugi_engine.kernel.abi import ALL, HEADER, MAX_MOVES, PROMISING, TACTICAL, Kernels
from ryugi_engine.kernel.jit import kernel, routine, template
from ryugi_engine.kernel.memory import load32
from ryugi_engine.kernel.views import Values
from variants.chess.general.count.perft_kernel import perft
from variants.chess.general.ends.deciding import gives_direct_check, wins_at_once
from variants.chess.general.ends.repetition import no_moves, status
from variants.chess.general.evaluate.evaluate import evaluate
from variants.chess.general.evaluate.ordering import exchange, order
from variants.chess.general.legal.legal_moves import list_legal
from variants.chess.general.legal.may_check import may_check as is_check_possible
from variants.chess.general.legal.publish import publish
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.bundles import PLAY
from variants.chess.general.memory.primitives import copy_frame, lion_key, mark_lion, search_key
from variants.chess.general.memory.sets import has, keep, no_squares
from variants.chess.general.moves.en_passant import toggle_en_passant
from variants.chess.general.moves.makemove import end_turn, make
from variants.chess.general.moves.moves import kind_of, put_move, takes
from variants.chess.general.moves.turns import turn_key
from variants.chess.general.moves.useful_walls import PROMISING_WALLS, TACTICAL_WALLS

#: Where checks are counted, quiescence tries those of a side with at most so many left to give.
#: Three-check at 10,000 nodes: 2 for none +82 +- 51 Elo in 160 games, 3 for 2 +31 +- 45 in 200;
#: checks ordered as captures -35 +- 55.
TACTICAL_CHECKS = 3


@routine
def rebuild(S):
    """Compute what follows from board, hands and rights of the current frame."""
    T = L.STATE(S).tables
    t = L.TABLES(T)
    f = HEADER(S).frame
    frame = L.FRAME(S, f)
    key = t.key_castling[frame.castling]
    if frame.side != 0:
        key ^= t.key_side
    key ^= t.key_left[frame.moves_left] ^ lion_key(t, frame.lion)
    key ^= turn_key(t, frame, frame.side)
    for code in range(L.CODES):
        frame.count[code] = 0
    for side in range(2):
        frame.king[side] = -1
        frame.pieces[side] = 0
        frame.held[side] = 0
        frame.psq[side] = 0
        key ^= t.key_checks[side][frame.checks[side] & 15]
        keep(frame.by_color[side], no_squares())
    keep(frame.occupied, no_squares())
    for word in range(L.WORDS):
        for kind in range(L.BLACK):
            frame.by_kind[word][kind] = 0
    for square in range(L.SQUARES):
        code = frame.board[square]
        if code != 0:
            frame.occupied[square >> 6] |= 1 << (square & 63)
        key ^= t.key_piece[code][square]
        if has(frame.en_passant, square) or has(frame.older, square):
            key ^= t.key_en_passant[square]
        if has(frame.gates, square):
            key ^= t.key_gate[square]
        if code == 0 or code == L.WALL:
            continue
        side = code >> 6
        frame.by_color[side][square >> 6] |= 1 << (square & 63)
        frame.by_kind[square >> 6][code & 63] |= 1 << (square & 63)
        frame.count[t.moves_as[code]] += 1
        frame.pieces[side] += 1
        frame.psq[side] += t.psq[code][square]
        if t.royal[code]:
            frame.king[side] = square
    for code in range(L.CODES):
        number = frame.hand[code]
        key ^= t.key_hand[code][number & 63]
        frame.held[code >> 6] += number
        frame.psq[code >> 6] += number * t.held_value[code]
    frame.key = key
    frame.last = 0
    publish(T, S, f)
    return 0


@template(1, PLAY)
def refresh(S: int) -> int:
    """Compute what follows from board, hands and rights of the frame that Python has written."""
    return rebuild(S)


@template(3, PLAY)
def generate(S: int, kind: int, out: int) -> int:
    """List the legal moves from ``out`` on.

    TACTICAL: captures unless all moves are, promotions of pawns, what wins at once, and checks if
    few are left to give. Of a move's walls TACTICAL and PROMISING list only the most useful ones.
    """
    T = L.STATE(S).tables
    f = HEADER(S).frame
    us = HEADER(S).side
    frame = L.FRAME(S, f)
    t = L.TABLES(T)
    checks = kind == TACTICAL and t.check_counting != 0 and frame.checks[us] <= TACTICAL_CHECKS
    only_tactical = kind == TACTICAL and not checks
    walls = 0
    if kind != ALL:
        walls = PROMISING_WALLS if kind == PROMISING else TACTICAL_WALLS
    n = list_legal(T, S, f, us, 1 if only_tactical else 0, walls, out)
    if kind != TACTICAL or n > MAX_MOVES:
        return n
    kept = 0
    for i in range(n):
        move = load32(S, out + i)
        tactical = kind_of(move) == L.PROMOTION or (takes(frame, move) and not t.only_captures)
        if checks and not tactical:
            tactical = gives_direct_check(T, S, f, us, move)
        if tactical or wins_at_once(T, S, f, move):
            put_move(S, out + kept, move)
            kept += 1
    return kept


@template(2, PLAY)
def make_move(S: int, move: int) -> int:
    """Play a legal move."""
    T = L.STATE(S).tables
    g = make(T, S, HEADER(S).frame, move)
    publish(T, S, g)
    return 0


@kernel
def _step_back(S):
    header = HEADER(S)
    f = header.frame - L.FRAME_WORDS
    frame = L.FRAME(S, f)
    header.frame = f
    header.side = frame.side
    header.key = search_key(L.TABLES(L.STATE(S).tables), frame)
    header.check = frame.pressed


@template(1, PLAY)
def unmake_move(S: int) -> int:
    """Unmake the last move."""
    _step_back(S)
    return 0


@template(1, PLAY)
def make_null_move(S: int) -> int:
    """Make a null move; return 0, with nothing done, where a null move proves nothing."""
    T = L.STATE(S).tables
    t = L.TABLES(T)
    f = HEADER(S).frame
    old = L.FRAME(S, f)
    us = old.side
    if old.checked or old.pieces[us] + old.held[us] <= 3:
        return 0
    if t.must_drop | t.walling_rule | t.free_drops | t.progressive:
        return 0
    g = f + L.FRAME_WORDS
    frame = L.FRAME(S, g)
    copy_frame(t, S, f, g)
    toggle_en_passant(t, frame)
    keep(frame.en_passant, no_squares())
    keep(frame.older, no_squares())
    mark_lion(t, frame, 0)
    end_turn(t, frame, us)
    frame.null_distance = 0
    frame.clock = old.clock + 1
    frame.last = 0
    frame.captured = 0
    publish(T, S, g)
    return 1


@template(1, PLAY)
def unmake_null_move(S: int) -> int:
    """Unmake a null move."""
    _step_back(S)
    return 0


@template(2, PLAY)
def may_check(S: int, move: int) -> int:
    """Return 0 if a legal move surely gives no check, else 1."""
    return is_check_possible(L.STATE(S).tables, S, HEADER(S).frame, HEADER(S).side, move)


def kernels(values: Values) -> Kernels:
    """Return the kernels compiled for games with these known table values."""
    all_of_them = (
        *(generate, make_move, unmake_move, make_null_move, unmake_null_move),
        *(evaluate, status, no_moves, order, exchange, may_check, perft),
    )
    return Kernels(*(entry.given(values) for entry in all_of_them))
