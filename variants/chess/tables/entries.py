"""The general family's entries, called by search, perft and Position; see ``kernel.abi``."""

from __future__ import annotations

from ryugi_engine.kernel.abi import (
    DRAWN,
    EVAL_LIMIT,
    HEADER,
    LOST,
    MAX_MOVES,
    ONGOING,
    TACTICAL,
    UNCOUNTED,
    WON,
    Kernels,
)
from ryugi_engine.kernel.jit import kernel, routine, template
from ryugi_engine.kernel.memory import load32, recurse6, select, store32
from ryugi_engine.kernel.repetition import plies_since_repetition
from ryugi_engine.kernel.views import Values
from ryugi_engine.nnue.kernels import NET
from variants.chess.tables import layout as L
from variants.chess.tables.attacks import is_attacked
from variants.chess.tables.counting import count_legal
from variants.chess.tables.endings import counted_material, game_result, turned
from variants.chess.tables.legal_moves import list_legal
from variants.chess.tables.legality import kind_of, moved_code, takes, victim_of
from variants.chess.tables.lists import put_move
from variants.chess.tables.makemove import copy_frame, end_turn, make, toggle_en_passant
from variants.chess.tables.nnue import net_value
from variants.chess.tables.publish import list_aside, publish
from variants.chess.tables.sets import has

_CAPTURE_SCORE = 1 << 20
_TEMPO = 12
#: Plies without progress up to which the move rule changes no evaluation.
_QUIET_PLIES = 20
_KEY = L.FRAME.word("key")


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
    key ^= t.key_left[frame.moves_left]
    for code in range(L.CODES):
        frame.count[code] = 0
    for side in range(2):
        frame.king[side] = -1
        frame.pieces[side] = 0
        frame.held[side] = 0
        frame.psq[side] = 0
        key ^= t.key_checks[side][frame.checks[side] & 15]
        for word in range(L.WORDS):
            frame.by_color[side][word] = 0
    for word in range(L.WORDS):
        frame.occupied[word] = 0
        for kind in range(L.BLACK):
            frame.by_kind[word][kind] = 0
    for square in range(L.SQUARES):
        code = frame.board[square]
        if code != 0:
            frame.occupied[square >> 6] |= 1 << (square & 63)
        key ^= t.key_piece[code][square]
        if has(frame.en_passant, square) | has(frame.older, square):
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


@template(1, L.TABLES)
def refresh(S: int) -> int:
    """Compute what follows from board, hands and rights of the frame that Python has written."""
    return rebuild(S)


@template(3, L.TABLES)
def generate(S: int, kind: int, out: int) -> int:
    """List the legal moves from ``out`` on; TACTICAL: captures, and promotions of pawns."""
    T = L.STATE(S).tables
    f = HEADER(S).frame
    n = list_legal(T, S, f, HEADER(S).side, 1 if kind == TACTICAL else 0, out)
    if kind != TACTICAL or n > MAX_MOVES:
        return n
    frame = L.FRAME(S, f)
    kept = 0
    for i in range(n):
        move = load32(S, out + i)
        if takes(frame, move) or kind_of(move) == L.PROMOTION:
            put_move(S, out + kept, move)
            kept += 1
    return kept


@template(2, L.TABLES)
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
    header.key = frame.key
    header.check = frame.checked


@template(1, L.TABLES)
def unmake_move(S: int) -> int:
    """Unmake the last move."""
    _step_back(S)
    return 0


@template(1, L.TABLES)
def make_null_move(S: int) -> int:
    """Make a null move; return 0, with nothing done, where a null move proves nothing."""
    T = L.STATE(S).tables
    t = L.TABLES(T)
    f = HEADER(S).frame
    old = L.FRAME(S, f)
    us = old.side
    if old.checked or old.pieces[us] + old.held[us] <= 3:
        return 0
    if t.must_capture | t.must_drop | t.walling_rule | t.free_drops:
        return 0
    g = f + L.FRAME_WORDS
    frame = L.FRAME(S, g)
    copy_frame(t, S, f, g)
    toggle_en_passant(t, frame)
    for word in range(L.WORDS):
        frame.en_passant[word] = 0
        frame.older[word] = 0
    end_turn(t, frame, us)
    frame.null_distance = 0
    frame.clock = old.clock + 1
    frame.last = 0
    frame.captured = 0
    publish(T, S, g)
    return 1


@template(1, L.TABLES)
def unmake_null_move(S: int) -> int:
    """Unmake a null move."""
    _step_back(S)
    return 0


@kernel
def learnt_value(S, f):
    """Return the hand-crafted evaluation, the net's, or the sum, for the side to move."""
    N = L.STATE(S).net
    score = 0
    if N == 0 or NET(N).correction != 0:
        t = L.TABLES(L.STATE(S).tables)
        frame = L.FRAME(S, f)
        us = frame.side
        score = frame.psq[us] - frame.psq[1 - us] + _TEMPO
        if t.extinction_value == WON:  # who loses all pieces wins
            score = -score
    if N != 0:
        score += net_value(S, f)
    return score


@template(1, L.TABLES)
def evaluate(S: int) -> int:
    """Return the static evaluation in centipawns for the side to move."""
    t = L.TABLES(L.STATE(S).tables)
    f = HEADER(S).frame
    score = learnt_value(S, f)
    clock = L.FRAME(S, f).clock
    if t.n_move_rule != 0 and t.material_counting == 0 and clock > _QUIET_PLIES:
        # the evaluation falls to 0 as the move rule comes nearer
        left = 2 * t.n_move_rule
        score = score * max(left + _QUIET_PLIES - clock, 0) // left
    return select(score > EVAL_LIMIT, EVAL_LIMIT, select(score < -EVAL_LIMIT, -EVAL_LIMIT, score))


@kernel
def _is_perpetual(S, f, back, of_mover):
    """Return 1 if all moves of one side since ``back`` plies gave check, else 0."""
    first = 0 if of_mover != 0 else 1
    at = first
    while at < back:
        if not L.FRAME(S, f - at * L.FRAME_WORDS).checked:
            return 0
        at += 2
    return 1


@kernel
def _fold_result(t, S, f, back):
    """Return the result of a repetition over ``back`` plies."""
    frame = L.FRAME(S, f)
    if t.perpetual_check_illegal:
        # ``checked`` of a frame says that the move before it gave check
        theirs = _is_perpetual(S, f, back, 1)
        ours = _is_perpetual(S, f, back, 0)
        if theirs != 0 and ours == 0:
            return WON
        if ours != 0 and theirs == 0:
            return LOST
    result = t.n_fold_value
    if t.n_fold_value_absolute and frame.side == 1:
        result = turned(result)
    if result == DRAWN and t.material_counting:
        return counted_material(t, frame, frame.side)
    return result


@template(2, L.TABLES)
def status(S: int, plies: int) -> int:
    """Return the result by a rule, by repetition or by the n-move rule, else ONGOING."""
    T = L.STATE(S).tables
    t = L.TABLES(T)
    f = HEADER(S).frame
    frame = L.FRAME(S, f)
    if t.ends:
        result = game_result(T, S, f)
        if result != ONGOING:
            return result
    if t.n_fold_rule and frame.null_distance >= 4:
        reach = frame.null_distance
        if not t.captures_to_hand:
            reach = min(reach, frame.clock)
        step = 1 if t.long_turns else 2
        back = plies_since_repetition(S, f, L.FRAME_WORDS, _KEY, reach, step, plies, t.n_fold_rule)
        if back != 0:
            return _fold_result(t, S, f, back)
    if t.n_move_rule and frame.clock >= 2 * t.n_move_rule:
        # mate takes precedence
        if not frame.checked or list_aside(S):
            if not t.material_counting:
                return DRAWN
            return counted_material(t, frame, frame.side)
    return ONGOING


@template(1, L.TABLES)
def no_moves(S: int) -> int:
    """Return the result of a position without a legal move: checkmate or stalemate."""
    T = L.STATE(S).tables
    t = L.TABLES(T)
    f = HEADER(S).frame
    frame = L.FRAME(S, f)
    us = frame.side
    if frame.checked:
        king = frame.king[us]
        if t.shogi_pawn_drop_mate_illegal and frame.last != 0 and kind_of(frame.last) == L.DROP:
            if t.drop_no_doubled[(frame.last & 255) + L.BLACK * (1 - us)]:
                if king >= 0 and is_attacked(T, S, f, king, 1 - us):
                    return WON  # mate by a pawn's drop is forbidden
        return t.checkmate_value
    result = t.stalemate_value
    if t.stalemate_piece_count:
        difference = frame.pieces[us] - frame.pieces[1 - us]
        if difference == 0:
            return DRAWN
        result = t.stalemate_value if difference < 0 else turned(t.stalemate_value)
    if result == DRAWN and t.material_counting:
        return counted_material(t, frame, us)
    return result


@template(5, L.TABLES)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """Write MVV-LVA score (0: quiet) and history slot of each listed move as 32-bit pairs."""
    T = L.STATE(S).tables
    t = L.TABLES(T)
    frame = L.FRAME(S, HEADER(S).frame)
    us = frame.side
    for i in range(n):
        move = load32(S, moves + i)
        target, kind = (move >> 8) & 255, kind_of(move)
        code = moved_code(frame, us, move)
        gain = 0
        victim = victim_of(frame, move)
        if victim >= 0:
            gain = t.value[frame.board[victim]]
        if takes(frame, move):
            gain = max(gain + t.value[frame.board[target]], 1)
        if kind == L.PROMOTION:
            gain += max(t.value[t.promotion[us][(move >> 19) & 15]] - t.value[code], 0)
        score = 0
        if gain > 0:
            score = _CAPTURE_SCORE + gain * 16 - t.value[code]
        store32(W, 2 * (out + i), score)
        store32(W, 2 * (out + i) + 1, code << 8 | target)
    return 0


@template(3, L.TABLES)
def exchange(S: int, move: int, threshold: int) -> int:
    """Return 1 if a capture wins at least ``threshold`` centipawns when it is taken back."""
    T = L.STATE(S).tables
    t = L.TABLES(T)
    f = HEADER(S).frame
    frame = L.FRAME(S, f)
    target, kind = (move >> 8) & 255, kind_of(move)
    if kind not in (L.NORMAL, L.PIECE_PROMOTION) or t.blast_on_capture:
        return 1
    gain = t.value[frame.board[target]]
    loss = t.value[frame.board[move & 255]]
    if gain - loss >= threshold:
        return 1
    if not is_attacked(T, S, f, target, 1 - frame.side):
        return 1 if gain >= threshold else 0
    return 0


@routine
def _perft(T, S, f, depth, bulk, out):
    t = L.TABLES(T)
    if depth >= 3 and HEADER(S).stop != 0:
        return 0
    us = L.FRAME(S, f).side
    if depth == 1 and bulk != 0:
        n = count_legal(T, S, f, us, out)
        return n if n <= MAX_MOVES else UNCOUNTED
    n = list_legal(T, S, f, us, 0, out)
    if n > MAX_MOVES:
        return UNCOUNTED
    total = 0
    for i in range(n):
        g = make(T, S, f, load32(S, out + i))
        if t.check_counting:
            publish(T, S, g)
        if depth == 1:
            total += 1
            continue
        count = recurse6(T, S, g, depth - 1, bulk, out + n)
        if count < 0:
            return UNCOUNTED
        total += count
    return total


@template(4, L.TABLES, late=True)
def perft(S: int, depth: int, bulk: int, out: int) -> int:
    """Return the number of sequences of ``depth`` legal moves, or UNCOUNTED."""
    T = L.STATE(S).tables
    f = HEADER(S).frame
    total = _perft(T, S, f, depth, bulk, out)
    frame = L.FRAME(S, f)
    header = HEADER(S)
    header.frame = f
    header.side = frame.side
    header.key = frame.key
    header.check = frame.checked
    return total


def kernels(values: Values) -> Kernels:
    """Return the kernels compiled for games with these known table values."""
    return Kernels(
        generate=generate.given(values),
        make=make_move.given(values),
        unmake=unmake_move.given(values),
        make_null=make_null_move.given(values),
        unmake_null=unmake_null_move.given(values),
        evaluate=evaluate.given(values),
        status=status.given(values),
        no_moves=no_moves.given(values),
        order=order.given(values),
        exchange=exchange.given(values),
        perft=perft.given(values),
    )
