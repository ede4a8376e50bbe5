"""The legal moves: pseudo-legal ones, with walls and gates, that all rules allow."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz, load32, store32
from variants.fairy import layout as L
from variants.fairy.attacks import is_attacked
from variants.fairy.endings import game_result
from variants.fairy.legality import (
    kind_of,
    king_allows,
    leaves_king_safe,
    moved_code,
    rules_allow,
    takes,
    victim_of,
)
from variants.fairy.makemove import make
from variants.fairy.movegen import list_pseudo
from variants.fairy.pins import find_pins
from variants.fairy.royalty import find_pseudo_royals, pseudo_royals_allow
from variants.fairy.sets import has

_ARROW, _DUCK, _EDGE, _PAST = 1, 2, 3, 4
#: Where moves are listed that are then copied with walls or gates: behind the others.
BEHIND = 8192


@kernel
def _reaches(t, frame, code, origin, target):
    """Return 1 if a piece of a code attacks or reaches an empty square from another, else 0."""
    for d in range(t.first[code], t.first[code + 1]):
        m = t.descriptors[d]
        if m.form == L.CHAIN:
            continue
        square = origin
        for _ in range(min(m.steps, t.room[m.direction][origin])):
            square += m.delta
            if square == target:
                return 1
            if frame.board[square] != 0:
                break
    return 0


@kernel
def _edge_is_open(t, frame, square):
    """Return 1 if a square lies at the edge or beside a wall, else 0."""
    file, rank = square & 15, square >> 4
    if file in (0, t.files - 1) or rank in (0, t.ranks - 1):
        return 1
    for i in range(4):
        if frame.board[square + (1, -1, 16, -16)[i]] == L.WALL:
            return 1
    return 0


@kernel
def _may_wall(t, frame, us, move, code, square):
    """Return 1 if a wall may be placed on a square after a move, else 0."""
    origin, target, kind = move & 255, (move >> 8) & 255, kind_of(move)
    if kind == L.DROP or origin == target:
        origin = -1
    there = frame.board[square]
    left = -1  # another square that the move leaves empty
    if kind == L.EN_PASSANT:
        left = victim_of(frame, move)
    elif kind == L.CASTLE:
        for i in range(t.ways[us]):
            way = t.way[us][i]
            if way.king == origin and way.king_to == target:
                left = way.rook
    if square == target or (there != 0 and square not in (origin, left)):
        return 0
    if has(t.walling_zone[us], square) == 0:
        return 0
    if t.walling == _PAST:
        return 1 if square == origin else 0
    if t.walling == _EDGE:
        return _edge_is_open(t, frame, square)
    if t.walling == _ARROW:
        kept = 0
        if origin >= 0:
            kept = frame.board[origin]
            frame.board[origin] = 0
        reaches = _reaches(t, frame, code, target, square)
        if origin >= 0:
            frame.board[origin] = kept
        return reaches
    if kind == L.CASTLE:
        for i in range(t.ways[us]):
            way = t.way[us][i]
            if way.king == origin and way.king_to == target and square == way.rook_to:
                return 0
    return 1


@kernel
def _add_walls(t, S, frame, us, first, n, out):
    """List ``n`` moves from ``first`` with every wall that may follow; return their number."""
    count = 0
    for i in range(n):
        move = load32(S, first + i)
        if t.wall_or_move != 0 and move & 255 != (move >> 8) & 255:
            store32(S, out + count, move)
            count += 1
            continue
        code = moved_code(frame, us, move)
        for word in range(t.words):
            left = t.squares[word]
            while left != 0:
                square = ctz(left) + 64 * word
                left &= left - 1
                if _may_wall(t, frame, us, move, code, square) != 0:
                    store32(S, out + count, move | square << 23)
                    count += 1
    return count


@kernel
def _gate(t, S, frame, us, move, square, out):
    n = 0
    for i in range(t.gated[us]):
        code = t.gate[us][i]
        if frame.hand[code] != 0 and has(t.drop_zone[code], square) != 0:
            store32(S, out + n, move | (i + 1) << 19 | square << 23)
            n += 1
    return n


@kernel
def _add_gates(t, S, frame, us, first, n, out):
    """List ``n`` moves from ``first`` with every piece that they may gate; return their number."""
    count = 0
    for i in range(n):
        move = load32(S, first + i)
        store32(S, out + count, move)
        count += 1
        origin, kind = move & 255, kind_of(move)
        if kind not in (L.NORMAL, L.CASTLE, L.EN_PASSANT) or has(frame.gates, origin) == 0:
            continue
        target = (move >> 8) & 255
        if kind == L.CASTLE:
            beside = target - 1 if target > origin else target + 1
            if origin not in (target, beside):
                count += _gate(t, S, frame, us, move, origin, out + count)
            for j in range(t.ways[us]):
                way = t.way[us][j]
                if way.king == origin and way.king_to == target and has(frame.gates, way.rook):
                    if way.rook not in (target, beside):
                        count += _gate(t, S, frame, us, move, way.rook, out + count)
        else:
            count += _gate(t, S, frame, us, move, origin, out + count)
    return count


@kernel
def _gives_check(T, S, f, us, move):
    """Return 1 if a move attacks the enemy's king, else 0."""
    g = make(T, S, f, move)
    king = L.FRAME(S, g).king[1 - us]
    return is_attacked(T, S, g, king, us) if king >= 0 else 0


@kernel
def _is_legal(t, T, S, f, us, move):
    frame = L.FRAME(S, f)
    if t.plain != 0:
        return king_allows(T, S, f, us, move)
    if rules_allow(T, S, f, us, move) == 0:
        return 0
    if t.checking == 0 or (t.drop_checks == 0 and kind_of(move) == L.DROP):
        if _gives_check(T, S, f, us, move) != 0:
            return 0
    if t.pseudo_royal != 0 and pseudo_royals_allow(T, S, f, us, move) == 0:
        return 0
    if (t.flying | t.bikjang) != 0 and frame.king[1 - us] >= 0:
        return leaves_king_safe(T, S, f, us, move)
    return king_allows(T, S, f, us, move)


@kernel
def _keep(S, out, n, wanted, frame, us, t):
    """Keep captures (wanted 1), drops (2), all but passes (3); all if there is no such move."""
    kept = 0
    for i in range(n):
        move = load32(S, out + i)
        kind = kind_of(move)
        fits = 0
        if wanted == 1:
            fits = takes(frame, move)
        elif wanted == 2:
            fits = 1 if kind == L.DROP else 0
        else:
            fits = 1 if kind != L.PASSING else 0
        if fits != 0:
            store32(S, out + kept, move)
            kept += 1
    return kept if kept != 0 else n


@kernel
def _must_drop(t, S, frame, us, out, n):
    """Apply the rule that pieces in hand are dropped first."""
    held = 0
    for kind in range(1, t.kinds + 1):
        code = kind + L.BLACK * us
        if t.must_drop_type[code] != 0:
            held += frame.hand[code]
    if held == 0:
        return n
    kept = 0
    for i in range(n):
        move = load32(S, out + i)
        if kind_of(move) != L.DROP or t.must_drop_type[(move & 255) + L.BLACK * us] != 0:
            store32(S, out + kept, move)
            kept += 1
    return _keep(S, out, kept, 2, frame, us, t)


@routine
def list_legal(T, S, f, us, tactical, out):
    """List the legal moves from ``out`` on; return their number, 0 if the game is over."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    if t.ends != 0 and game_result(T, S, f) != 0:
        return 0
    copied = t.walling != 0 or (t.seirawan != 0 and frame.held[us] != 0)
    first = out + BEHIND if copied else out
    frame.checked = find_pins(T, S, f, us)
    if t.pseudo_royal != 0:
        find_pseudo_royals(T, S, f)
    n = list_pseudo(T, S, f, us, tactical, first)
    if t.walling != 0:
        n = _add_walls(t, S, frame, us, first, n, out)
        first = out
    kept = 0
    if t.plain != 0 and frame.king[us] < 0 and t.piece_drops == 0:
        kept = n
    else:
        for i in range(n):
            move = load32(S, first + i)
            if _is_legal(t, T, S, f, us, move) != 0:
                store32(S, first + kept, move)
                kept += 1
    if t.plain == 0:
        if t.must_capture != 0:
            kept = _keep(S, first, kept, 1, frame, us, t)
        if t.must_drop != 0:
            kept = _must_drop(t, S, frame, us, first, kept)
        if t.pass_stalemate[us] != 0:
            kept = _keep(S, first, kept, 3, frame, us, t)
    if first != out:
        kept = _add_gates(t, S, frame, us, first, kept, out)
    return kept
