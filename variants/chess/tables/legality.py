"""Whether a pseudo-legal move is legal, where a king or a rule makes it doubtful."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz, popcount
from variants.chess.tables import layout as L
from variants.chess.tables.attacks import faces, is_attacked
from variants.chess.tables.moves import kind_of, moved_code, origin_of, takes, target_of, victim_of
from variants.chess.tables.sets import has, show
from variants.chess.tables.turns import way_of


@kernel
def _crosses_safely(t, T, S, f, us, origin, target):
    """Return 1 if a king is attacked neither on its square nor on those up to another, else 0."""
    frame = L.FRAME(S, f)
    code, other = frame.board[origin], frame.king[1 - us]
    if is_attacked(T, S, f, origin, 1 - us):
        return 0
    step = 1 if target > origin else -1
    square = origin
    while square != target:
        square += step
        # it stays on its own square while the others are looked at
        there = frame.board[square]
        show(frame, square, code)
        attacked = is_attacked(T, S, f, square, 1 - us)
        show(frame, square, there)
        if attacked != 0:
            return 0
        if t.flying_general and other >= 0:
            show(frame, origin, 0)
            facing = faces(frame, square, other)
            show(frame, origin, code)
            if facing != 0:
                return 0
    return 1


@kernel
def _castles_safely(t, T, S, f, us, origin, target):
    """Return 1 if castling leads no king out of check, over an attacked square or into check."""
    frame = L.FRAME(S, f)
    code, king, other = frame.board[origin], frame.king[us], frame.king[1 - us]
    if t.royal[code]:
        if not _crosses_safely(t, T, S, f, us, origin, target):
            return 0
        king = target
    if king < 0:
        return 1
    way = t.way[us][way_of(t, frame, us, origin, target)]
    rook = frame.board[way.rook]
    show(frame, origin, 0)
    show(frame, way.rook, 0)
    show(frame, target, code)
    show(frame, way.rook_to, rook)
    safe = 1 - is_attacked(T, S, f, king, 1 - us)
    if t.flying_general and other >= 0:
        safe &= 1 - faces(frame, king, other)
    show(frame, target, 0)
    show(frame, way.rook_to, 0)
    show(frame, origin, code)
    show(frame, way.rook, rook)
    return safe


@routine
def leaves_king_safe(T, S, f, us, move):
    """Return 1 if a move leaves the mover's king unattacked, else 0; the board is restored."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    origin, target = origin_of(move), target_of(move)
    kind = kind_of(move)
    king = frame.king[us]
    if kind == L.CASTLE:
        return _castles_safely(t, T, S, f, us, origin, target)
    if king < 0 and not t.royal[moved_code(frame, us, move)]:
        return 1
    if kind == L.PASS:
        if t.bikjang_rule and faces(frame, king, frame.king[1 - us]):
            return 1
        return 1 - is_attacked(T, S, f, king, 1 - us)
    code = moved_code(frame, us, move)
    facing = t.flying_general
    if t.bikjang_rule and king >= 0 and frame.king[1 - us] >= 0:
        facing |= faces(frame, king, frame.king[1 - us])
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
    safe = 1 - is_attacked(T, S, f, king, 1 - us)
    if facing != 0 and frame.king[1 - us] >= 0 and frame.king[1 - us] != target:
        safe &= 1 - faces(frame, king, frame.king[1 - us])
    if kind != L.DROP:
        show(frame, origin, code)
    show(frame, target, there)
    if beside >= 0:
        show(frame, beside, victim)
    return safe


@kernel
def _answers(t, frame, pins, us, move):
    """Return 1 if a move is surely legal, 0 if it surely is not, -1 if it has to be tried."""
    kind = kind_of(move)
    if frame.king[us] < 0:
        return -1 if t.royal[moved_code(frame, us, move)] else 1
    if kind >= L.PASS or kind in (L.EN_PASSANT, L.CASTLE) or pins.slow:
        return -1
    target = target_of(move)
    origin = origin_of(move)
    if kind != L.DROP and origin == frame.king[us]:
        return -1
    if pins.checkers >= 2:
        return 0
    if pins.checkers == 1 and not has(pins.evasion, target):
        return 0
    if has(pins.opening, target):
        return -1
    if kind != L.DROP and has(pins.sensitive, origin):
        return -1
    return 1


@routine
def king_allows(T, S, f, us, move):
    """Return 1 if a move leaves the king out of check, else 0; call ``find_pins`` before."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    answer = _answers(t, frame, L.STATE(S).scratch.pins[0], us, move)
    if answer >= 0:
        return answer
    return leaves_king_safe(T, S, f, us, move)


@kernel
def _room_for_bishops(t, frame, us, target, bishop):
    """Return 1 if bishops in hand still find squares of both colours, else 0."""
    code = t.bishop_kind + L.BLACK * us
    all_bishops = frame.count[code] + frame.hand[code]
    dark, light, own_dark, own_light = 0, 0, 0, 0
    for word in range(t.words):
        left = frame.by_color[us][word]
        while left != 0:
            square = ctz(left) + 64 * word
            left &= left - 1
            if frame.board[square] == code:
                own_dark += has(t.dark, square)
                own_light += 1 - has(t.dark, square)
        free = t.drop_zone[code][word] & ~frame.occupied[word]
        if target >> 6 == word:
            free &= ~(1 << (target & 63))
        dark += popcount(free & t.dark[word])
        light += popcount(free & ~t.dark[word])
    if bishop != 0:
        same = own_dark if has(t.dark, target) else own_light
        return 1 if same + 1 <= (all_bishops + 1) // 2 else 0
    half = all_bishops // 2
    return 1 if dark + own_dark >= half and light + own_light >= half else 0


@routine
def rules_allow(T, S, f, us, move):
    """Return 1 if the rules about single moves allow a move, else 0."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    kind = kind_of(move)
    target = target_of(move)
    code = moved_code(frame, us, move)
    if t.drop_opposite_colored_bishop and kind == L.DROP:
        is_bishop = 1 if code == t.bishop_kind + L.BLACK * us else 0
        if not _room_for_bishops(t, frame, us, target, is_bishop):
            return 0
    if t.immune and takes(frame, move) and t.mutually_immune_types[code]:
        there = frame.board[target]
        if there != 0 and t.moves_as[there] & 63 == t.moves_as[code] & 63:
            return 0
    pins = L.STATE(S).scratch.pins[0]
    if t.makpong_rule and t.royal[code] and pins.checked and kind != L.DROP:
        # the king may not leave a check but by taking the piece that gives it
        if pins.checkers != 1 or not has(pins.evasion, target) or frame.board[target] == 0:
            return 0
    return 1
