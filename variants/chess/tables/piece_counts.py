"""The number of legal moves of a side's pieces, where sets say which are legal."""

from __future__ import annotations

from ryugi_engine.kernel.abi import MAX_MOVES, OVERFULL
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz, load32
from variants.chess.tables import layout as L
from variants.chess.tables.attacks import is_attacked
from variants.chess.tables.blast_counts import (
    count_risky,
    count_shy_walk,
    risky_captures,
    walks_shyly,
)
from variants.chess.tables.legal_moves import BEHIND, add_gates, gates_on, only_legal
from variants.chess.tables.movegen import list_en_passant, list_piece, may_take_en_passant, reach_of
from variants.chess.tables.moves import Here, fits, takes
from variants.chess.tables.pins import sensitive_squares
from variants.chess.tables.sets import (
    any_of,
    both,
    either,
    has,
    kind_squares,
    show,
    squares_of,
    without,
    word_of,
)
from variants.chess.tables.targets import (
    count_plain,
    forms,
    herd_targets,
    is_plain,
    moved,
    targets_of,
)

#: Which moves are counted.
ALL, QUIET, CAPTURES = range(3)


@routine
def legal_ones(T, S, f, us, n, out, wanted):
    """Return how many of ``n`` listed moves are legal, and wanted."""
    if not fits(out, n):
        return OVERFULL
    if wanted == ALL:
        return only_legal(T, S, f, us, out, n)
    frame = L.FRAME(S, f)
    kept = only_legal(T, S, f, us, out, n)
    captures = 0
    for i in range(kept):
        captures += takes(frame, load32(S, out + i))
    return captures if wanted == CAPTURES else kept - captures


@kernel
def _count_walk(t, T, S, f, us, code, origin, movable):
    """Return the number of moves of a royal piece that only leaps."""
    frame = L.FRAME(S, f)
    reach = reach_of(t, code, origin)
    n = 0
    show(frame, origin, 0)
    for word in range(t.words):
        targets = reach.capture[word] & frame.by_color[1 - us][word]
        targets |= reach.quiet[word] & ~frame.occupied[word]
        targets &= word_of(movable, word)
        while targets != 0:
            n += 1 - is_attacked(T, S, f, ctz(targets) + 64 * word, 1 - us)
            targets &= targets - 1
    show(frame, origin, code)
    return n


@kernel
def _walks_freely(t, code):
    """Return 1 if nothing but attacks hinders a royal piece that only leaps, else 0."""
    others = (
        t.flying_general
        | t.bikjang_rule
        | t.makpong_rule
        | t.blast_on_capture
        | t.petrify
        | t.immune
        | t.extinction_piece_types[code]
    )
    return (
        t.walks[code] & t.royal[code]
        if others | t.promotion_pawn_types[code] | t.promoted[code] == 0
        else 0
    )


@kernel
def with_gates(t, S, frame, us, n, out):
    """Return how many moves ``n`` listed ones are with all pieces that they may gate."""
    if t.seirawan_gating and frame.held[us] != 0 and 0 < n <= MAX_MOVES:
        return add_gates(t, S, frame, us, out, n, out + BEHIND)
    return n


@kernel
def _count_listed(here, origin, out, wanted):
    """Return the number of legal moves of a piece that are looked at one by one."""
    T, S, f, us = here.T, here.S, here.f, here.us
    tactical = 1 if wanted == CAPTURES else 0
    n = list_piece(T, S, f, us, origin, tactical, out)
    return with_gates(here.t, S, here.frame, us, legal_ones(T, S, f, us, n, out, wanted), out)


@kernel
def _count_en_passant(here, code, own, out):
    """Return the number of legal captures en passant by leaps of pieces of a code."""
    t, frame = here.t, here.frame
    marks = either(squares_of(t, frame.en_passant), squares_of(t, frame.older))
    marks = without(marks, squares_of(t, frame.occupied))
    n = 0
    for d in range(t.first[code], t.others[code]):
        m = t.descriptors[d]
        if not (m.flags & L.TAKES_EN_PASSANT):
            continue
        pieces = both(own, moved(t, marks, -m.delta))
        if m.from_zone != 0:
            pieces = both(pieces, squares_of(t, t.zones[m.from_zone]))
        for word in range(t.words):
            left = word_of(pieces, word)
            while left != 0:
                origin = ctz(left) + 64 * word
                left &= left - 1
                n += list_en_passant(here, origin, origin + m.delta, out + n)
    if n == 0:
        return 0
    n = only_legal(here.T, here.S, here.f, here.us, out, n)
    return with_gates(t, here.S, frame, here.us, n, out)


@kernel
def _along_pins(t, pins, origin, movable):
    """Return the targets by which a piece leaves no line to the king that it shields."""
    for i in range(pins.pinned):
        if pins.pin[i].square == origin:
            movable = both(movable, squares_of(t, pins.pin[i].line))
    return movable


@kernel
def _count_one(here, code, origin, movable, out, wanted):
    """Return the number of legal moves of a piece."""
    t, frame, us = here.t, here.frame, here.us
    pins = L.STATE(here.S).scratch.pins[0]
    listed = (t.immune | t.special[code]) != 0 or not t.checking
    if t.takes_en_passant[code] == L.NOT_BY_LEAPS and may_take_en_passant(frame):
        listed = True
    times = 1
    if t.seirawan_gating and has(frame.gates, origin):
        listed = listed or t.promotion_pawn_types[code] != 0 or t.promoted[code] != 0
        times += gates_on(t, frame, us, origin)
    if has(pins.sensitive, origin):
        if pins.doubtful | t.blast_on_capture | t.petrify | t.extinction_pseudo_royal:
            listed = True
        movable = _along_pins(t, pins, origin, movable)
    if listed:
        return _count_listed(here, origin, out, wanted)
    targets = targets_of(t, frame, us, code, origin, movable)
    started = t.promoted[code] != 0 and has(t.promotion_region[us], origin) != 0
    return times * forms(t, frame, us, code, targets, started)


@kernel
def _count_kind(here, code, own, movable, out, wanted):
    """Return the number of legal moves of the pieces of a code that are not all plain."""
    t, frame, us = here.t, here.frame, here.us
    n = 0
    listed = t.immune != 0 or t.special[code] != 0 or not t.checking
    if t.takes_en_passant[code] and may_take_en_passant(frame):
        listed = listed or t.takes_en_passant[code] == L.NOT_BY_LEAPS
        if not listed and wanted != QUIET:
            n = _count_en_passant(here, code, own, out)
    lone = own
    if t.herd[code] and not listed:
        lone = both(own, sensitive_squares(t, here.S, frame))
        if t.promoted[code] != 0:
            lone = either(lone, both(own, squares_of(t, t.promotion_region[us])))
        pieces = without(own, lone)
        for d in range(t.first[code], t.first[code + 1]):
            targets = herd_targets(t, frame, t.descriptors[d], pieces, movable)
            n += forms(t, frame, us, code, targets, False)
    for word in range(t.words):
        left = word_of(lone, word)
        while left != 0:
            n += _count_one(here, code, ctz(left) + 64 * word, movable, out, wanted)
            left &= left - 1
    return n


@kernel
def _movable(t, frame, us, wanted):
    """Return the squares to which the wanted moves may go."""
    occupied = squares_of(t, frame.occupied)
    movable = squares_of(t, frame.by_color[1 - us])
    if wanted == QUIET:
        movable = without(squares_of(t, t.squares), occupied)
    elif wanted == ALL:
        movable = either(movable, without(squares_of(t, t.squares), occupied))
    return movable


@routine
def count_pieces(T, S, f, us, out, wanted):
    """Return the number of wanted legal moves of all pieces."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    here = Here(t, T, S, f, frame, us)
    scratch = L.STATE(S).scratch
    pins = scratch.pins
    walkable = _movable(t, frame, us, wanted)
    movable = walkable
    n = 0
    blasts = (t.blast_on_capture | t.petrify) and wanted == CAPTURES
    if pins[0].checkers != 0 and not blasts:  # a blast may remove who gives check
        movable = both(movable, squares_of(t, pins[0].evasion))
    if blasts:
        risky = risky_captures(t, S, frame, us, movable)
        movable = without(movable, risky)
        if any_of(risky):
            n = count_risky(here, risky, out)
    sensitive = sensitive_squares(t, S, frame)
    n += count_plain(T, S, f, us, movable, sensitive)
    for kind in range(1, t.kinds + 1):
        code = kind + L.BLACK * us
        own = both(kind_squares(t, frame, kind), squares_of(t, frame.by_color[us]))
        if _walks_freely(t, code):
            king = frame.king[us]
            opens = not t.checking and king >= 0 and has(pins[1].sensitive, king)
            if king >= 0 and frame.board[king] == code and not opens:
                walks = _count_walk(t, T, S, f, us, code, king, walkable)
                if t.seirawan_gating and has(frame.gates, king):
                    walks *= 1 + gates_on(t, frame, us, king)
                n += walks
                continue
        if walks_shyly(t, code) and scratch.pseudos[us] == 1:
            if frame.board[scratch.pseudo[us][0]] == code:
                if wanted == QUIET:
                    n += count_shy_walk(t, T, S, f, us, code, scratch.pseudo[us][0])
                continue
        if is_plain(t, code):
            if not any_of(sensitive):
                continue
            own = both(own, sensitive)
        if any_of(own):
            n += _count_kind(here, code, own, movable, out, wanted)
    return n
