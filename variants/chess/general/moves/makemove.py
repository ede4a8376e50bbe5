"""Making a move on a copy of the position, which the next frame is."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.primitives import (
    capture,
    copy_frame,
    hold,
    leave_gate,
    mark_lion,
    put,
    set_rights,
    take,
)
from variants.chess.general.moves.attacks import is_attacked
from variants.chess.general.moves.effects import apply_effects
from variants.chess.general.moves.en_passant import (
    forget_en_passant,
    mark_en_passant,
    toggle_en_passant,
)
from variants.chess.general.moves.honour_counts import count_move
from variants.chess.general.moves.moves import (
    choice_of,
    kind_of,
    landing_of,
    origin_of,
    target_of,
    turned_piece,
    victim_of,
)
from variants.chess.general.moves.turns import turn_key, turn_length, way_of


@kernel
def _castle(t, frame, us, origin, target):
    """Move king and partner; return the partner's square before."""
    way = t.way[us][way_of(t, frame, us, origin, target)]
    king = take(t, frame, origin)
    rook = take(t, frame, way.rook)
    put(t, frame, landing_of(t, target), king)
    put(t, frame, landing_of(t, way.rook_to), rook)
    if t.opposite_castling:
        kingside = target > origin
        lost = (1 << (2 if kingside else 3)) if us == 0 else (1 if kingside else 2)
        set_rights(t, frame, frame.castling & ~lost)
    return way.rook


@kernel
def _drop(t, frame, us, kind, target, promoted):
    """Drop a piece; king and partner that stand so may castle where that is the rule."""
    code = kind + L.BLACK * us
    if not t.free_drops:
        hold(t, frame, code, -1)
    if promoted != 0:
        code = t.promoted[code]
    put(t, frame, target, code)
    frame.clock = 0
    if t.castling_dropped_piece:
        for i in range(t.ways[us]):
            way = t.way[us][i]
            if target in (way.king, way.rook):
                king, rook = frame.board[way.king], frame.board[way.rook]
                if t.royal[king] and king >> 6 == us and rook >> 6 == us:
                    if t.castling_rook_pieces[rook]:
                        set_rights(t, frame, frame.castling | way.right)


@kernel
def _remove(t, frame, us, square):
    """Capture a piece; one's own goes into no hand. Return its code."""
    leave_gate(t, frame, square)
    if frame.board[square] >> 6 == us:
        frame.clock = 0
        return take(t, frame, square)
    return capture(t, frame, square)


@kernel
def _move(t, old, frame, us, move, code):
    """Move a piece; return the code that it has captured, 0 for none."""
    origin, target, kind = origin_of(move), target_of(move), kind_of(move)
    captured = 0
    victim = victim_of(old, move)
    if victim >= 0:
        captured = _remove(t, frame, us, victim)
        set_rights(t, frame, frame.castling & t.keep_rights[victim])
    if frame.board[target] != 0 and target != origin:
        captured = _remove(t, frame, us, target)
    take(t, frame, origin)
    choice = choice_of(move)
    if kind == L.PROMOTION:
        code = t.promotion[us][choice]
        frame.clock = 0
    elif kind == L.PIECE_PROMOTION or (kind == L.LOCUST and choice >= L.TURNS_BACK):
        code = turned_piece(t, code, move)
        frame.clock = 0 if not t.piece_demotion else frame.clock
    elif kind == L.LOCUST and choice != 0:
        code = t.promotion[us][choice - 1]
        frame.clock = 0
    put(t, frame, landing_of(t, target), code)
    return captured


@kernel
def _captured_lion(t, old, move):
    """Return 1 + the square where a piece that is no lion captures one, 0 for none."""
    origin, target = origin_of(move), target_of(move)
    victim = victim_of(old, move)
    mark = 0
    if victim >= 0 and t.lion_types[old.board[victim]]:
        mark = victim + 1
    if target != origin and t.lion_types[old.board[target]]:
        mark = target + 1
    return 0 if t.lion_types[old.board[origin]] else mark


@kernel
def end_turn(t, frame, us):
    """Give the other side its turn."""
    them = 1 - us
    frame.key ^= turn_key(t, frame, us)
    frame.number += us
    frame.side = them
    frame.key ^= t.key_left[frame.moves_left] ^ t.key_side
    frame.moves_left = turn_length(t, frame, them)
    frame.key ^= t.key_left[frame.moves_left] ^ turn_key(t, frame, them)


@kernel
def _end_move(t, T, S, g, us):
    """End a move of a turn that may have several."""
    frame = L.FRAME(S, g)
    left = frame.moves_left - 1
    if left > 0 and t.check_ends_turn and frame.king[1 - us] >= 0:
        if is_attacked(T, S, g, frame.king[1 - us], us):
            left = 0
    if left > 0:
        frame.key ^= t.key_left[frame.moves_left] ^ t.key_left[left]
        frame.moves_left = left
    else:
        end_turn(t, frame, us)


@routine
def make(T, S, f, move):
    """Make a move of the position in frame ``f`` on a copy in the next frame."""
    t = L.TABLES(T)
    g = f + L.FRAME_WORDS
    old, frame = L.FRAME(S, f), L.FRAME(S, g)
    copy_frame(t, S, f, g)
    us = old.side
    origin, target, kind = origin_of(move), target_of(move), kind_of(move)
    frame.clock = old.clock + 1
    frame.null_distance = old.null_distance + 1
    frame.last = move
    frame.captured = 0
    forget_en_passant(t, frame, us, target if kind == L.DROP else origin, target)
    if t.lions:
        moves = kind not in (L.DROP, L.CASTLE, L.PASS)
        mark_lion(t, frame, _captured_lion(t, old, move) if moves else 0)
    if kind == L.DROP:
        _drop(t, frame, us, origin, target, choice_of(move))
    elif kind == L.CASTLE:
        rook = _castle(t, frame, us, origin, target)
        set_rights(t, frame, frame.castling & t.keep_rights[origin] & t.keep_rights[rook])
        leave_gate(t, frame, origin)
        leave_gate(t, frame, rook)
    elif kind != L.PASS:
        code = old.board[origin]
        frame.captured = _move(t, old, frame, us, move, code)
        set_rights(t, frame, frame.castling & t.keep_rights[origin] & t.keep_rights[target])
        leave_gate(t, frame, origin)
        if t.irreversible[code] and origin >> 4 != target >> 4:
            frame.clock = 0
        if kind == L.NORMAL and frame.captured == 0 and t.marks[code]:
            mark_en_passant(t, frame, us, code, origin, target)
    apply_effects(t, old, frame, us, move)
    toggle_en_passant(t, frame)
    if t.long_turns:
        _end_move(t, T, S, g, us)
    else:
        frame.side = 1 - us
        frame.key ^= t.key_side
        frame.number += us
    if t.counting_rule:
        count_move(T, S, g)
    return g
