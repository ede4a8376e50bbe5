"""Whether a pseudo-legal move is legal, where a king or a rule makes it doubtful."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import (
    both,
    has,
    kind_squares,
    one,
    show,
    size,
    squares_of,
    without,
)
from variants.chess.general.moves.attacks import attacks, faces, is_attacked, touches
from variants.chess.general.moves.makemove import make
from variants.chess.general.moves.moves import (
    kind_of,
    moved_code,
    origin_of,
    takes,
    target_of,
    victim_of,
)
from variants.chess.general.moves.turns import way_of

#: What checks and pins alone say of a move.
_ILLEGAL, _LEGAL, _UNKNOWN = range(3)


@kernel
def _is_safe(t, T, S, f, us, king, other):
    """Return whether a king on a square is not attacked, and faces no king on ``other``."""
    facing = t.flying_general and other >= 0 and faces(L.FRAME(S, f), king, other)
    return not facing and not is_attacked(T, S, f, king, 1 - us)


@kernel
def _crosses_safely(t, T, S, f, us, origin, target):
    """Return whether a king is attacked neither on its square nor on those up to another."""
    frame = L.FRAME(S, f)
    code, other = frame.board[origin], frame.king[1 - us]
    if is_attacked(T, S, f, origin, 1 - us):
        return False
    step = 1 if target > origin else -1
    square = origin
    while square != target:
        square += step
        # it stays on its own square while the others are looked at
        there = frame.board[square]
        show(frame, square, code)
        attacked = is_attacked(T, S, f, square, 1 - us)
        show(frame, square, there)
        if attacked:
            return False
        if t.flying_general and other >= 0:
            show(frame, origin, 0)
            facing = faces(frame, square, other)
            show(frame, origin, code)
            if facing:
                return False
    return True


@kernel
def _castles_safely(t, T, S, f, us, origin, target):
    """Return whether castling leads no king out of check, over an attacked square or into check."""
    frame = L.FRAME(S, f)
    code, king = frame.board[origin], frame.king[us]
    if t.royal[code]:
        if not _crosses_safely(t, T, S, f, us, origin, target):
            return False
        king = target
    if king < 0:
        return True
    way = t.way[us][way_of(t, frame, us, origin, target)]
    rook = frame.board[way.rook]
    show(frame, origin, 0)
    show(frame, way.rook, 0)
    show(frame, target, code)
    show(frame, way.rook_to, rook)
    safe = _is_safe(t, T, S, f, us, king, frame.king[1 - us])
    show(frame, target, 0)
    show(frame, way.rook_to, 0)
    show(frame, origin, code)
    show(frame, way.rook, rook)
    return safe


@routine
def leaves_king_safe(T, S, f, us, move):
    """Return whether a move leaves the mover's king unattacked; the board is restored."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    origin, target, kind = origin_of(move), target_of(move), kind_of(move)
    king, other = frame.king[us], frame.king[1 - us]
    if kind == L.CASTLE:
        return _castles_safely(t, T, S, f, us, origin, target)
    code = moved_code(frame, us, move)
    if king < 0 and not t.royal[code]:
        return True
    facing = t.bikjang_rule != 0 and king >= 0 and other >= 0 and faces(frame, king, other)
    if kind == L.PASS:
        return facing or not is_attacked(T, S, f, king, 1 - us)
    there = frame.board[target]
    beside, victim = victim_of(frame, move), 0
    if beside >= 0:
        victim = frame.board[beside]
        show(frame, beside, 0)
    if kind != L.DROP:
        show(frame, origin, 0)
    show(frame, target, code)
    if t.royal[code]:
        king = target
    safe = not is_attacked(T, S, f, king, 1 - us)
    if (facing or t.flying_general) and other >= 0 and other != target:
        safe = safe and not faces(frame, king, other)
    if kind != L.DROP:
        show(frame, origin, code)
    show(frame, target, there)
    if beside >= 0:
        show(frame, beside, victim)
    return safe


@routine
def both_boards_allow(T, S, f, us, move):
    """Return whether a king is safe after a move on its own board, and after the passage."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    origin, kind = origin_of(move), kind_of(move)
    if kind == L.CASTLE:
        if not _crosses_safely(t, T, S, f, us, origin, target_of(move)):
            return False
    elif origin == frame.king[us] and not leaves_king_safe(T, S, f, us, move):
        return False
    g = make(T, S, f, move)
    king = L.FRAME(S, g).king[us]
    return king < 0 or not is_attacked(T, S, g, king, 1 - us)


@kernel
def _answers(t, frame, pins, us, move):
    """Return whether a move is surely legal, or illegal, or has to be tried: UNKNOWN."""
    kind = kind_of(move)
    if frame.king[us] < 0:
        return _UNKNOWN if t.royal[moved_code(frame, us, move)] else _LEGAL
    if kind >= L.PASS or kind in (L.EN_PASSANT, L.CASTLE) or pins.slow:
        return _UNKNOWN
    target = target_of(move)
    origin = origin_of(move)
    if kind != L.DROP and origin == frame.king[us]:
        return _UNKNOWN
    if pins.checkers >= 2:
        return _ILLEGAL
    if pins.checkers == 1 and not has(pins.evasion, target):
        return _ILLEGAL
    if has(pins.opening, target):
        return _UNKNOWN
    if kind != L.DROP and has(pins.sensitive, origin):
        return _UNKNOWN
    return _LEGAL


@routine
def king_allows(T, S, f, us, move):
    """Return whether a move leaves the king out of check; call ``find_pins`` before."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    answer = _answers(t, frame, L.STATE(S).scratch.pins[0], us, move)
    if answer == _UNKNOWN:
        return leaves_king_safe(T, S, f, us, move)
    return answer == _LEGAL


@kernel
def _room_for_bishops(t, frame, us, target, is_bishop):
    """Return whether bishops in hand still find squares of both colours."""
    code = t.bishop_kind + L.BLACK * us
    total = frame.count[code] + frame.hand[code]
    dark = squares_of(t, t.dark)
    own = both(kind_squares(t, frame, t.bishop_kind), squares_of(t, frame.by_color[us]))
    free = without(squares_of(t, t.drop_zone[code]), squares_of(t, frame.occupied))
    free = without(free, one(target))
    own_dark, own_light = size(both(own, dark)), size(without(own, dark))
    if is_bishop:
        same = own_dark if has(t.dark, target) else own_light
        return same + 1 <= (total + 1) // 2
    enough = min(size(both(free, dark)) + own_dark, size(without(free, dark)) + own_light)
    return enough >= total // 2


@kernel
def _takes_guarded(t, T, S, f, us, move, code):
    """Return whether an enemy could capture back after a move.

    What is captured on the way still guards, as on Lishogi, but is in nobody's way.
    """
    frame = L.FRAME(S, f)
    origin, target, victim = origin_of(move), target_of(move), victim_of(frame, move)
    there, bait = frame.board[target], 0
    guarded = False
    if victim >= 0:
        bait = frame.board[victim]
        guarded = attacks(T, S, f, bait, victim, target)
        show(frame, victim, 0)
    show(frame, origin, 0)
    show(frame, target, code)
    guarded = guarded or is_attacked(T, S, f, target, 1 - us)
    show(frame, target, there)
    show(frame, origin, code)
    if victim >= 0:
        show(frame, victim, bait)
    return guarded


@kernel
def _lions_allow(t, T, S, f, us, move, code):
    """Return whether the rules about trading lions allow a capture."""
    frame = L.FRAME(S, f)
    origin, target, victim = origin_of(move), target_of(move), victim_of(frame, move)
    takes_lion = target != origin and t.lion_types[frame.board[target]] != 0
    if not t.lion_types[code]:
        on_way = victim >= 0 and t.lion_types[frame.board[victim]] != 0
        elsewhere = takes_lion and target != frame.lion - 1
        return frame.lion == 0 or not (elsewhere or (on_way and victim != frame.lion - 1))
    if not takes_lion or touches(origin, target):
        return True
    if victim >= 0 and not t.lion_bait_types[frame.board[victim]]:
        return True
    return not _takes_guarded(t, T, S, f, us, move, code)


@routine
def rules_allow(T, S, f, us, move):
    """Return whether the rules about single moves allow a move."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    kind = kind_of(move)
    target = target_of(move)
    code = moved_code(frame, us, move)
    if t.drop_opposite_colored_bishop and kind == L.DROP:
        if not _room_for_bishops(t, frame, us, target, code == t.bishop_kind + L.BLACK * us):
            return False
    if t.immune and takes(frame, move) and t.mutually_immune_types[code]:
        there = frame.board[target]
        if there != 0 and t.moves_as[there] & 63 == t.moves_as[code] & 63:
            return False
    if t.lions and takes(frame, move) and not _lions_allow(t, T, S, f, us, move, code):
        return False
    pins = L.STATE(S).scratch.pins[0]
    if t.makpong_rule and t.royal[code] and pins.checked and kind != L.DROP:
        # the king may not leave a check but by taking the piece that gives it
        if pins.checkers != 1 or not has(pins.evasion, target) or frame.board[target] == 0:
            return False
    return True
