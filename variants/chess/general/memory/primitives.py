"""What all moves are made of: pieces put and taken, hands, rights, gates; keys follow."""

from __future__ import annotations

from ryugi_engine.kernel.copying import copy
from ryugi_engine.kernel.jit import kernel
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import any_of, has, pop, show, walls_of


@kernel
def copy_frame(t, S, f, g):
    """Copy a frame to another one."""
    copy(L.HEAD(S, g), L.HEAD(S, f))
    old, frame = L.FRAME(S, f), L.FRAME(S, g)
    for word in range(t.words):
        for kind in range(1, t.kinds + 1):
            frame.by_kind[word][kind] = old.by_kind[word][kind]


@kernel
def search_key(t, frame):
    """Return the key by which the search knows a position: near a count's limit with the count."""
    key = frame.key
    if t.counting_rule and frame.counting[1] != 0:
        left = frame.counting[1] - frame.counting[0]
        if 0 <= left < L.COUNT_KEYS:
            key ^= t.key_counting[left]
    return key


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
    show(frame, square, L.WALL)
    frame.key ^= t.key_piece[L.WALL][square]


@kernel
def take_walls(t, frame):
    """Take all walls away."""
    walls = walls_of(t, frame)
    while any_of(walls):
        square, walls = pop(walls)
        show(frame, square, 0)
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
    if t.captures_to_hand and not t.free_drops and t.held_as[code] != 0:
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
def mark_lion(t, frame, mark):
    """Note 1 + the square where a lion was captured, 0 for none, and update the key."""
    if mark != frame.lion:
        frame.key ^= lion_key(t, frame.lion) ^ lion_key(t, mark)
        frame.lion = mark


@kernel
def lion_key(t, mark):
    """Return the key of a noted capture of a lion; no piece has the code of its row."""
    return 0 if mark == 0 else t.key_piece[L.BLACK][mark - 1]


@kernel
def leave_gate(t, frame, square):
    """Remove a square's right to gate: its piece has left it, or was captured there."""
    if has(frame.gates, square):
        frame.gates[square >> 6] &= ~(1 << (square & 63))
        frame.key ^= t.key_gate[square]
