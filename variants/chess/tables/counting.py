"""The number of legal moves, most of them counted in sets without being listed: perft's leaves."""

from __future__ import annotations

from ryugi_engine.kernel.abi import OVERFULL
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz, load32, popcount, select
from variants.chess.tables import layout as L
from variants.chess.tables.attacks import is_attacked
from variants.chess.tables.drops import list_drops, write_drops
from variants.chess.tables.endings import game_result
from variants.chess.tables.legal_moves import has_no_royalty, list_legal, note_pins, only_legal
from variants.chess.tables.legality import takes
from variants.chess.tables.lists import fits
from variants.chess.tables.movegen import (
    has_lines_open,
    list_piece,
    list_pseudo,
    may_take_en_passant,
    reach_of,
)
from variants.chess.tables.sets import has, shifted
from variants.chess.tables.turns import list_passes, list_ways
from variants.chess.tables.walls import count_walls

_CAPTURE_BITS = 20
_CAPTURE = 1 << _CAPTURE_BITS


@kernel
def _is_calm(pins):
    """Return 1 if only royal pieces and those on sensitive squares can expose one, else 0."""
    lines = pins.slow | pins.checkers
    for word in range(L.WORDS):
        lines |= pins.opening[word]
    return 1 if lines == 0 else 0


@kernel
def _times(t, code, us, origin, target):
    """Return how many forms promotion as in shogi gives a move."""
    stays = 1
    if t.immobility_illegal:
        stays = has(t.mobile[code], target)
    if t.promoted[code] == 0:
        return stays
    promotes = has(t.promotion_region[us], origin) | has(t.promotion_region[us], target)
    if t.mandatory_piece_promotion:
        return stays | promotes
    return stays + promotes


@kernel
def _count_line(t, frame, us, code, m, origin, room):
    """Return how many moves a slider or hopper has in one direction, and how many are captures."""
    n = 0
    hurdles = 1 if m.form == L.SLIDE else 0
    square = origin
    for _ in range(min(room, m.steps)):
        square += m.delta
        there = frame.board[square]
        if hurdles == 0:
            if there != 0:
                hurdles = 1
                if m.cannon and t.cannon[there]:
                    break
            continue
        if m.to_zone == 0 or has(t.zones[m.to_zone], square):
            if there == 0:
                n += (m.flags & L.QUIET) * _times(t, code, us, origin, square)
            elif there >> 6 != us and there != L.WALL and m.flags & L.CAPTURE:
                if not m.cannon or not t.cannon[there]:
                    n += _CAPTURE * _times(t, code, us, origin, square)
        if there != 0 or m.form == L.GRASSHOPPER:
            break
    return n


@kernel
def _count_lame(t, frame, us, code, m, origin):
    """Return how many forms a lame or jumping move has, 0 if it is not possible."""
    target = origin + m.delta
    if not has_lines_open(frame, m, origin):
        return 0
    if m.to_zone != 0 and not has(t.zones[m.to_zone], target):
        return 0
    there = frame.board[target]
    if there == 0:
        return (m.flags & L.QUIET) * _times(t, code, us, origin, target)
    if there >> 6 == us or there == L.WALL or not (m.flags & L.CAPTURE):
        return 0
    return _CAPTURE * _times(t, code, us, origin, target)


@kernel
def _forms(t, us, code, word, quiet, capture, started):
    """Return the number of moves to two sets of targets, in all forms that promotion gives them.

    ``started``: 1 if they begin in the promotion zone, else 0.
    """
    n = 0
    stays = -1
    if t.immobility_illegal:
        stays = t.mobile[code][word]
    if t.promoted[code] != 0:
        zone = t.promotion_region[us][word] | -started
        n = popcount(quiet & zone) + _CAPTURE * popcount(capture & zone)
        if t.mandatory_piece_promotion:
            stays &= ~zone
    return n + popcount(quiet & stays) + _CAPTURE * popcount(capture & stays)


@kernel
def _count_piece(t, frame, us, code, origin):
    """Return the number of moves of a piece of which each one is legal; captures count in
    units of ``_CAPTURE``."""
    n = 0
    doors, started = 0, 0
    if t.promoted[code] != 0:
        started = has(t.promotion_region[us], origin)
    reach = reach_of(t, code, origin)
    for word in range(t.words):
        doors |= reach.entrances[word] & ~frame.by_color[us][word]
        quiet = reach.quiet[word] & ~frame.occupied[word]
        capture = reach.capture[word] & frame.by_color[1 - us][word]
        n += _forms(t, us, code, word, quiet, capture, started)
    if doors == 0:
        return n
    for d in range(t.others[code], t.first[code + 1]):
        m = t.descriptors[d]
        room = t.room[origin][m.direction]
        if room == 0 or (m.from_zone != 0 and not has(t.zones[m.from_zone], origin)):
            continue
        if m.form >= L.SLIDE:
            n += _count_line(t, frame, us, code, m, origin, room)
        else:
            n += _count_lame(t, frame, us, code, m, origin)
    return n


@routine
def _listed(T, S, f, us, n, out):
    """Return how many of ``n`` moves are legal, captures in units of ``_CAPTURE``."""
    if not fits(out, n):
        return OVERFULL * (_CAPTURE + 1)
    kept = only_legal(T, S, f, us, out, n)
    frame = L.FRAME(S, f)
    captures = 0
    for i in range(kept):
        captures += takes(frame, load32(S, out + i))
    return kept - captures + _CAPTURE * captures


@kernel
def _count_drops(t, T, S, f, us, out):
    """Return the number of legal drops; no piece of the enemy gives check."""
    if not t.drop_checks or t.move_rules:
        n = list_drops(T, S, f, us, out)
        return only_legal(T, S, f, us, out, n) if fits(out, n) else OVERFULL
    n = 0
    words = L.STATE(S).scratch.drops
    for kind in range(1, t.kinds + 1):
        code = kind + L.BLACK * us
        if not write_drops(T, S, f, us, kind):
            continue
        forms = 2 if t.drop_promoted and t.promoted[code] != 0 else 1
        for word in range(t.words):
            n += forms * popcount(words[word])
    return n


@kernel
def _is_simple(t, frame, us):
    """Return 1 if the moves of a position can be counted piece by piece, else 0."""
    listed = t.walling_rule | t.must_drop | t.pass_on_stalemate[us] | t.flip_enclosed_pieces
    listed |= 1 - t.checking
    if t.seirawan_gating:
        listed |= frame.held[us]
    return 1 if listed == 0 else 0


@kernel
def _count_herd(t, S, frame, us, code):
    """Return the number of moves of the pieces of one code in the scratch's ``herd``."""
    scratch = L.STATE(S).scratch
    n = 0
    for d in range(t.first[code], t.first[code + 1]):
        m = t.descriptors[d]
        for word in range(t.words):
            movers = scratch.herd[word]
            if m.form != L.LEAP:
                first = shifted(t, frame.occupied, -m.path[0], word)
                second = 0
                if m.path[1] != 0:
                    second = shifted(t, frame.occupied, -m.path[1], word)
                movers &= select(m.form == L.LAME, ~(first | second), first | second)
            if m.from_zone != 0:
                movers &= t.zones[m.from_zone][word]
            scratch.movers[word] = movers
        for word in range(t.words):
            targets = shifted(t, scratch.movers, m.delta, word)
            if m.to_zone != 0:
                targets &= t.zones[m.to_zone][word]
            quiet = select(m.flags & L.QUIET != 0, targets & ~frame.occupied[word], 0)
            capture = select(m.flags & L.CAPTURE != 0, targets & frame.by_color[1 - us][word], 0)
            n += _forms(t, us, code, word, quiet, capture, 0)
    return n


@kernel
def _count_walk(t, T, S, f, us, code, origin):
    """Return the number of moves of a royal piece that only leaps."""
    frame = L.FRAME(S, f)
    reach = reach_of(t, code, origin)
    n = 0
    frame.board[origin] = 0
    for word in range(t.words):
        capture = reach.capture[word] & frame.by_color[1 - us][word]
        targets = capture | (reach.quiet[word] & ~frame.occupied[word])
        while targets != 0:
            bit = targets & -targets
            targets ^= bit
            if not is_attacked(T, S, f, ctz(bit) + 64 * word, 1 - us):
                n += select(capture & bit != 0, _CAPTURE, 1)
    frame.board[origin] = code
    return n


@kernel
def _count_one(t, T, S, f, us, code, origin, listed, out):
    """Return the number of legal moves of a piece."""
    found = 0
    if listed == 0:
        found = _count_piece(t, L.FRAME(S, f), us, code, origin)
        if found < _CAPTURE or not (t.blast_on_capture | t.petrify):
            return found
        found &= _CAPTURE - 1
    # with blasts the captures have to be looked at; pawns' other moves are listed with them
    if t.promotion_pawn_types[code]:
        found = 0
    tactical = 1 - listed
    return found + _listed(T, S, f, us, list_piece(T, S, f, us, origin, tactical, out), out)


@kernel
def _walks_freely(t, code):
    """Return 1 if nothing but attacks hinders a royal piece that only leaps, else 0."""
    others = t.flying_general | t.bikjang_rule | t.makpong_rule | t.blast_on_capture | t.petrify
    others |= t.immune | t.extinction_piece_types[code] | t.promotion_pawn_types[code]
    return t.walks[code] & t.royal[code] if others | t.promoted[code] == 0 else 0


@kernel
def _count_pieces(t, T, S, f, us, pins, out):
    """Return the number of legal moves of all pieces, captures in units of ``_CAPTURE``."""
    frame = L.FRAME(S, f)
    scratch = L.STATE(S).scratch
    en_passant = may_take_en_passant(frame)
    n = 0
    for kind in range(1, t.kinds + 1):
        code = kind + L.BLACK * us
        listed = t.immune | t.special[code] | (t.takes_en_passant[code] & en_passant)
        if _walks_freely(t, code):
            if frame.king[us] >= 0 and frame.board[frame.king[us]] == code:
                n += _count_walk(t, T, S, f, us, code, frame.king[us])
                continue
        for word in range(t.words):
            own = frame.by_kind[word][kind] & frame.by_color[us][word]
            single = pins.sensitive[word] | t.promoting[code][word]
            if t.promoted[code] != 0:
                single |= select(t.herd[code] != 0, t.promotion_region[us][word], 0)
            single = select(listed != 0, own, own & single)
            scratch.herd[word] = own & ~single
            while single != 0:
                origin = ctz(single) + 64 * word
                single &= single - 1
                n += _count_one(t, T, S, f, us, code, origin, 1, out)
        found = -1
        if t.herd[code]:
            found = _count_herd(t, S, frame, us, code)
            if found >= _CAPTURE and (t.blast_on_capture | t.petrify):
                found = -1
        if found >= 0:
            n += found
        else:
            for word in range(t.words):
                left = scratch.herd[word]
                while left != 0:
                    origin = ctz(left) + 64 * word
                    left &= left - 1
                    n += _count_one(t, T, S, f, us, code, origin, 0, out)
    return n


@routine
def count_legal(T, S, f, us, out):
    """Return the number of legal moves; the move buffer is free from ``out`` on."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    if t.walling_rule and has_no_royalty(t, frame, us) and not t.must_capture:
        if t.ends and game_result(T, S, f):
            return 0
        n = list_pseudo(T, S, f, us, 0, out)
        return count_walls(T, S, f, us, out, n) if fits(out, n) else OVERFULL
    if not _is_simple(t, frame, us):
        return list_legal(T, S, f, us, 0, out)
    if t.ends and game_result(T, S, f):
        return 0
    note_pins(T, S, f, us)
    pins = L.STATE(S).scratch.pins[0]
    if not _is_calm(pins):
        n = _listed(T, S, f, us, list_pseudo(T, S, f, us, 0, out), out)
        captures = n >> _CAPTURE_BITS
        quiet = n & (_CAPTURE - 1)
        return captures if captures != 0 and t.must_capture else captures + quiet
    n = _count_pieces(t, T, S, f, us, pins, out)
    captures = n >> _CAPTURE_BITS
    if captures != 0 and t.must_capture:
        return captures
    n = captures + (n & (_CAPTURE - 1))
    if t.piece_drops:
        n += _count_drops(t, T, S, f, us, out)
    if frame.castling != 0:
        n += only_legal(T, S, f, us, out, list_ways(T, S, f, us, out))
    if t.passing[us] | t.wall_or_move:
        n += only_legal(T, S, f, us, out, list_passes(T, S, f, us, out))
    return n
