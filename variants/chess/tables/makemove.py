"""Making a move on a copy of the position, with gates, blasts, walls and other effects."""

from __future__ import annotations

from ryugi_engine.kernel.copying import copy
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz, select
from variants.chess.tables import layout as L
from variants.chess.tables.attacks import is_attacked
from variants.chess.tables.drops import enclosed, king_step, on_board
from variants.chess.tables.legality import kind_of, victim_of
from variants.chess.tables.sets import has
from variants.chess.tables.turns import way_of

_REVERSI, _ATAXX, _QUADWRANGLE = 1, 2, 3
_DUCK = 2


@kernel
def copy_frame(t, S, f, g):
    """Copy a frame to another one."""
    copy(L.HEAD(S, g), L.HEAD(S, f))
    old, frame = L.FRAME(S, f), L.FRAME(S, g)
    for word in range(t.words):
        for kind in range(1, t.kinds + 1):
            frame.by_kind[word][kind] = old.by_kind[word][kind]


@kernel
def put(t, frame, square, code):
    """Put a piece on an empty square."""
    side = code >> 6
    frame.board[square] = code
    frame.by_color[side][square >> 6] |= 1 << (square & 63)
    frame.occupied[square >> 6] |= 1 << (square & 63)
    frame.by_kind[square >> 6][code & 63] |= 1 << (square & 63)
    frame.count[t.moves_as[code]] += 1
    frame.pieces[side] += 1
    frame.key ^= t.key_piece[code][square]
    frame.psq[side] += t.psq[code][square]
    if t.royal[code]:
        frame.king[side] = square


@kernel
def take(t, frame, square):
    """Take the piece from a square; return its code."""
    code = frame.board[square]
    side = code >> 6
    frame.board[square] = 0
    frame.by_color[side][square >> 6] &= ~(1 << (square & 63))
    frame.occupied[square >> 6] &= ~(1 << (square & 63))
    frame.by_kind[square >> 6][code & 63] &= ~(1 << (square & 63))
    frame.count[t.moves_as[code]] -= 1
    frame.pieces[side] -= 1
    frame.key ^= t.key_piece[code][square]
    frame.psq[side] -= t.psq[code][square]
    if frame.king[side] == square:
        frame.king[side] = -1
    return code


@kernel
def put_wall(t, frame, square):
    """Put a wall on a square, which no piece can enter then."""
    frame.board[square] = L.WALL
    frame.occupied[square >> 6] |= 1 << (square & 63)
    frame.key ^= t.key_piece[L.WALL][square]


@kernel
def _take_walls(t, frame):
    """Take all walls away."""
    for word in range(t.words):
        left = frame.occupied[word] & ~(frame.by_color[0][word] | frame.by_color[1][word])
        frame.occupied[word] &= ~left
        while left != 0:
            square = ctz(left) + 64 * word
            left &= left - 1
            frame.board[square] = 0
            frame.key ^= t.key_piece[L.WALL][square]


@kernel
def hold(t, frame, code, change):
    """Add ``change`` pieces of a code to its side's hand."""
    before = frame.hand[code]
    frame.key ^= t.key_hand[code][before & 63] ^ t.key_hand[code][(before + change) & 63]
    frame.hand[code] = before + change
    frame.held[code >> 6] += change
    frame.psq[code >> 6] += change * t.held_value[code]


@kernel
def capture(t, frame, square):
    """Take an enemy's piece, into the hand where that is the rule; return its code."""
    code = take(t, frame, square)
    if t.captures_to_hand and t.held_as[code] != 0:
        hold(t, frame, t.held_as[code], 1)
    frame.clock = 0
    return code


@kernel
def set_rights(t, frame, rights):
    """Set the castling rights, and update the key."""
    if rights != frame.castling:
        frame.key ^= t.key_castling[frame.castling] ^ t.key_castling[rights]
        frame.castling = rights


@kernel
def leave_gate(t, frame, square):
    """Remove a square's right to gate: its piece has left it, or was captured there."""
    if has(frame.gates, square):
        frame.gates[square >> 6] &= ~(1 << (square & 63))
        frame.key ^= t.key_gate[square]


@kernel
def _castle(t, frame, us, origin, target):
    """Move king and partner; return the partner's square before."""
    way = t.way[us][way_of(t, frame, us, origin, target)]
    king = take(t, frame, origin)
    rook = take(t, frame, way.rook)
    put(t, frame, target, king)
    put(t, frame, way.rook_to, rook)
    if t.opposite_castling:
        kingside = 1 if target > origin else 0
        lost = (1 << (2 if kingside != 0 else 3)) if us == 0 else (1 if kingside != 0 else 2)
        set_rights(t, frame, frame.castling & ~lost)
    return way.rook


@kernel
def _flip(t, frame, us, target, moved):
    """Recolour the enemies that a piece on ``target`` encloses or touches."""
    near = 0
    for i in range(8):
        square = target + king_step(i)
        if on_board(t, square):
            there = frame.board[square]
            if there != 0 and there != L.WALL and there >> 6 == us:
                near = 1
    for i in range(8):
        step = king_step(i)
        number = 0
        if t.flip_enclosed_pieces == _REVERSI:
            number = enclosed(t, frame, us, target, step, 0)
        elif t.flip_enclosed_pieces == _ATAXX or near != 0 or moved != 0:
            square = target + step
            if on_board(t, square):
                there = frame.board[square]
                if there != 0 and there != L.WALL and there >> 6 != us:
                    number = 1
        square = target
        for _ in range(number):
            square += step
            code = take(t, frame, square)
            put(t, frame, square, code ^ L.BLACK)


@kernel
def is_blasted(t, code, i):
    """Return 1 if a blast takes a piece on the ``i``th neighbour, or in the middle (8); else 0."""
    return 0 if t.blast_immune_types[code] or (i < 8 and not t.explodes[code]) else 1


@kernel
def _explode(t, frame, target):
    """Remove what a capture on a square blasts."""
    for i in range(9):
        square = target if i == 8 else target + king_step(i)
        if not on_board(t, square):
            continue
        there = frame.board[square]
        if there == 0 or there == L.WALL or not is_blasted(t, there, i):
            continue
        capture(t, frame, square)
        set_rights(t, frame, frame.castling & t.keep[square])
        leave_gate(t, frame, square)


@kernel
def toggle_en_passant(t, frame):
    """XOR the en passant squares into the key: once to add them, again to remove them."""
    for word in range(L.WORDS):
        left = frame.en_passant[word] | frame.older[word]
        while left != 0:
            frame.key ^= t.key_en_passant[ctz(left) + 64 * word]
            left &= left - 1


@kernel
def _forget_en_passant(t, frame, us):
    """Forget where en passant was possible; keep an earlier move's squares in the same turn."""
    toggle_en_passant(t, frame)
    own = 0
    if t.long_turns and frame.moves_left < t.turn_moves[us]:
        own = 1
        frame.older_victim = frame.victim
    for word in range(L.WORDS):
        frame.older[word] = select(own != 0, frame.en_passant[word], 0)
        frame.en_passant[word] = 0


@kernel
def end_turn(t, frame, us):
    """Give the other side its turn."""
    them = 1 - us
    frame.key ^= t.key_left[frame.moves_left] ^ t.key_left[t.turn_moves[them]] ^ t.key_side
    frame.moves_left = t.turn_moves[them]
    frame.side = them


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
        frame.number += us


@kernel
def _mark_en_passant(t, S, frame, us, code, origin, target):
    """Note where the piece that has just moved can be taken en passant."""
    for d in range(t.first[code], t.first[code + 1]):
        m = t.descriptors[d]
        if not (m.flags & L.MARKS_EN_PASSANT):
            continue
        if m.from_zone != 0 and not has(t.zones[m.from_zone], origin):
            continue
        if m.form == L.LAME:
            if origin + m.delta != target:
                continue
            for i in range(2):
                if m.path[i] != 0 and has(t.en_passant_region[1 - us], origin + m.path[i]):
                    square = origin + m.path[i]
                    frame.en_passant[square >> 6] |= 1 << (square & 63)
                    frame.victim = target
        elif m.form == L.SLIDE:
            square = origin
            for step in range(1, m.steps + 1):
                square += m.delta
                if square == target and step > 1:
                    frame.victim = target
                    back = target - m.delta
                    while back != origin:
                        if has(t.en_passant_region[1 - us], back):
                            frame.en_passant[back >> 6] |= 1 << (back & 63)
                        back -= m.delta


@kernel
def _reaches_quietly(t, code, origin, target):
    """Return 1 if a quiet move that the piece always has goes from a square to another, else 0."""
    for d in range(t.first[code], t.first[code + 1]):
        m = t.descriptors[d]
        if m.flags & L.QUIET and not (m.flags & L.MARKS_EN_PASSANT) and m.form != L.CHAIN:
            square = origin
            for _ in range(min(m.steps, t.room[origin][m.direction])):
                square += m.delta
                if square == target:
                    return 1
    return 0


@kernel
def _drop(t, frame, us, kind, target, promoted):
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
    origin, target, kind = move & 255, (move >> 8) & 255, kind_of(move)
    captured = 0
    victim = victim_of(old, move)
    if victim >= 0:
        captured = _remove(t, frame, us, victim)
        set_rights(t, frame, frame.castling & t.keep[victim])
    if frame.board[target] != 0 and target != origin:
        captured = _remove(t, frame, us, target)
    take(t, frame, origin)
    choice = (move >> 19) & 15
    if kind == L.PROMOTION:
        code = t.promotion[us][choice]
        frame.clock = 0
    elif kind == L.PIECE_PROMOTION or (kind == L.LOCUST and choice == L.BECOMES):
        code = t.promoted[code]
        frame.clock = 0 if not t.piece_demotion else frame.clock
    elif kind == L.LOCUST and choice != 0:
        code = t.promotion[us][choice - 1]
        frame.clock = 0
    put(t, frame, target, code)
    return captured


@routine
def make(T, S, f, move):
    """Make a move of the position in frame ``f`` on a copy in the next frame."""
    t = L.TABLES(T)
    g = f + L.FRAME_WORDS
    old, frame = L.FRAME(S, f), L.FRAME(S, g)
    copy_frame(t, S, f, g)
    us = old.side
    origin, target, kind = move & 255, (move >> 8) & 255, kind_of(move)
    frame.clock = old.clock + 1
    frame.null_distance = old.null_distance + 1
    frame.last = move
    frame.captured = 0
    _forget_en_passant(t, frame, us)
    if kind == L.DROP:
        _drop(t, frame, us, origin, target, (move >> 19) & 15)
    elif kind == L.CASTLE:
        rook = _castle(t, frame, us, origin, target)
        set_rights(t, frame, frame.castling & t.keep[origin] & t.keep[rook])
        leave_gate(t, frame, origin)
        leave_gate(t, frame, rook)
    elif kind != L.PASS:
        code = old.board[origin]
        frame.captured = _move(t, old, frame, us, move, code)
        set_rights(t, frame, frame.castling & t.keep[origin] & t.keep[target])
        leave_gate(t, frame, origin)
        if t.irreversible[code] and origin >> 4 != target >> 4:
            frame.clock = 0
        if kind == L.NORMAL and frame.captured == 0 and t.marks[code]:
            if not _reaches_quietly(t, code, origin, target):
                _mark_en_passant(t, S, frame, us, code, origin, target)
    if t.flip_enclosed_pieces and kind != L.PASS:
        _flip(t, frame, us, target, 1 if kind == L.NORMAL else 0)
    _beside(t, frame, us, move)
    toggle_en_passant(t, frame)
    if t.long_turns:
        _end_move(t, T, S, g, us)
    else:
        frame.side = 1 - us
        frame.key ^= t.key_side
        frame.number += us
    return g


@kernel
def _beside(t, frame, us, move):
    """Apply a move's further effects: gate, blast, petrify, wall."""
    origin, target, kind = move & 255, (move >> 8) & 255, kind_of(move)
    square = (move >> 23) & 255
    if t.seirawan_gating:
        choice = (move >> 19) & 15
        if choice != 0 and kind in (L.NORMAL, L.CASTLE, L.EN_PASSANT):
            code = t.gate[us][choice - 1]
            hold(t, frame, code, -1)
            put(t, frame, square, code)
    if t.seirawan_gating and frame.held[us] == 0 and not t.captures_to_hand:
        for word in range(L.WORDS):
            left = frame.gates[word] & frame.by_color[us][word]
            while left != 0:
                leave_gate(t, frame, ctz(left) + 64 * word)
                left &= left - 1
    if frame.captured != 0:
        if t.blast_on_capture:
            petrifies = t.petrify_on_capture_types[frame.board[target]]
            _explode(t, frame, target)
            if petrifies != 0 and frame.board[target] == 0:
                put_wall(t, frame, target)
        elif t.petrify_on_capture_types[frame.board[target]]:
            capture(t, frame, target)
            put_wall(t, frame, target)
    if t.walling_rule and (not t.wall_or_move or origin == target):
        if t.walling_rule == _DUCK:
            _take_walls(t, frame)
        put_wall(t, frame, square)
