"""The number of legal moves of a side's pieces, where sets say which are legal."""

from __future__ import annotations

from ryugi_engine.kernel.abi import MAX_MOVES, OVERFULL
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import load32
from variants.chess.general.count.blast_counts import (
    count_risky,
    count_shy_walk,
    risky_captures,
    walks_shyly,
)
from variants.chess.general.count.targets import (
    count_plain,
    forms,
    herd_targets,
    is_plain,
    tally,
    targets_of,
)
from variants.chess.general.legal.legal_moves import BEHIND, add_gates, gates_on, only_legal
from variants.chess.general.legal.pins import sensitive_squares
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import (
    any_of,
    both,
    either,
    has,
    kind_squares,
    moved,
    pop,
    show,
    squares_of,
    without,
)
from variants.chess.general.moves.attacks import faces, is_attacked, reach_of
from variants.chess.general.moves.en_passant import en_passant_squares
from variants.chess.general.moves.movegen import list_en_passant, list_piece, may_take_en_passant
from variants.chess.general.moves.moves import Here, fits, takes


@kernel
def _count_walk(t, T, S, f, us, code, origin):
    """Return the tally of moves of a royal piece that only leaps."""
    frame = L.FRAME(S, f)
    reach = reach_of(t, code, origin)
    other = frame.king[1 - us]
    left = both(squares_of(t, reach.capture), squares_of(t, frame.by_color[1 - us]))
    quiet = without(squares_of(t, reach.quiet), squares_of(t, frame.occupied))
    left = either(left, quiet)
    n = 0
    show(frame, origin, 0)
    while any_of(left):
        square, left = pop(left)
        safe = not is_attacked(T, S, f, square, 1 - us)
        if t.flying_general and other >= 0:
            safe = safe and not faces(frame, square, other)
        if safe:
            n += tally(t, 1, 1 if has(frame.by_color[1 - us], square) else 0)
    show(frame, origin, code)
    return n


@kernel
def _walks_freely(t, code):
    """Return whether nothing but attacks hinders a royal piece that only leaps."""
    others = t.makpong_rule | t.blast_on_capture | t.petrify | t.immune
    others |= t.extinction_piece_types[code] | t.promotion_pawn_types[code] | t.turns[code]
    return others == 0 and t.walks[code] & t.royal[code] != 0


@kernel
def with_gates(t, S, frame, us, n, out):
    """Return the number of moves when the ``n`` listed ones may also gate a piece."""
    if t.seirawan_gating and frame.held[us] != 0 and 0 < n <= MAX_MOVES:
        return add_gates(t, S, frame, us, out, n, out + BEHIND)
    return n


@kernel
def captures_of(S, frame, n, out):
    """Return how many of ``n`` listed moves capture."""
    captures = 0
    for i in range(n):
        captures += 1 if takes(frame, load32(S, out + i)) else 0
    return captures


@kernel
def _count_listed(here, origin, out):
    """Return the tally of legal moves of a piece that are looked at one by one."""
    t, T, S, f, us = here.t, here.T, here.S, here.f, here.us
    n = list_piece(T, S, f, us, origin, 0, out)
    if not fits(out, n):
        return tally(t, OVERFULL, OVERFULL)
    n = only_legal(T, S, f, us, out, n)
    captures = captures_of(S, here.frame, n, out) if t.must_capture else 0
    return tally(t, with_gates(t, S, here.frame, us, n, out), captures)


@kernel
def _count_en_passant(here, code, own, out):
    """Return the tally of legal captures en passant by leaps of pieces of a code."""
    t, frame = here.t, here.frame
    marks = without(en_passant_squares(t, frame), squares_of(t, frame.occupied))
    n = 0
    for d in range(t.first[code], t.others[code]):
        m = t.descriptors[d]
        if not (m.flags & L.TAKES_EN_PASSANT):
            continue
        pieces = both(own, moved(t, marks, -m.delta))
        if m.from_zone != 0:
            pieces = both(pieces, squares_of(t, t.zones[m.from_zone]))
        while any_of(pieces):
            origin, pieces = pop(pieces)
            n += list_en_passant(here, origin, origin + m.delta, out + n)
    if n == 0:
        return 0
    n = only_legal(here.T, here.S, here.f, here.us, out, n)
    return tally(t, with_gates(t, here.S, frame, here.us, n, out), n)


@kernel
def _along_pins(t, pins, origin, movable):
    """Return the targets by which a piece leaves no line to the king that it shields."""
    for i in range(pins.pinned):
        if pins.pin[i].square == origin:
            movable = both(movable, squares_of(t, pins.pin[i].line))
    return movable


@kernel
def _count_one(here, code, origin, movable, out):
    """Return the tally of legal moves of a piece."""
    t, frame, us = here.t, here.frame, here.us
    pins = L.STATE(here.S).scratch.pins[0]
    listed = (t.immune | t.special[code]) != 0 or not t.checking
    if t.takes_en_passant[code] == L.NOT_BY_LEAPS and may_take_en_passant(t, frame):
        listed = True
    times = 1
    if t.seirawan_gating and has(frame.gates, origin):
        listed = listed or t.promotion_pawn_types[code] != 0 or t.turns[code] != 0
        times += gates_on(t, frame, us, origin)
    if has(pins.sensitive, origin):
        if pins.doubtful | t.blast_on_capture | t.petrify | t.extinction_pseudo_royal:
            listed = True
        movable = _along_pins(t, pins, origin, movable)
    if listed:
        return _count_listed(here, origin, out)
    targets = targets_of(t, frame, us, code, origin, movable)
    started = t.turns[code] != 0 and has(t.promotion_region[us], origin)
    return times * forms(t, frame, us, code, targets, started)


@kernel
def _count_kind(here, code, own, movable, out):
    """Return the tally of legal moves of the pieces of a code that are not all plain."""
    t, frame, us = here.t, here.frame, here.us
    n = 0
    listed = t.immune != 0 or t.special[code] != 0 or not t.checking
    if t.takes_en_passant[code] and may_take_en_passant(t, frame):
        listed = listed or t.takes_en_passant[code] == L.NOT_BY_LEAPS
        if not listed:
            n = _count_en_passant(here, code, own, out)
    lone = own
    if t.herd[code] and not listed:
        lone = both(own, sensitive_squares(t, here.S))
        if t.seirawan_gating:
            lone = either(lone, both(own, squares_of(t, frame.gates)))
        if t.turns[code] != 0:
            lone = either(lone, both(own, squares_of(t, t.promotion_region[us])))
        pieces = without(own, lone)
        for d in range(t.first[code], t.first[code + 1]):
            targets = herd_targets(t, frame, t.descriptors[d], pieces, movable)
            n += forms(t, frame, us, code, targets, False)
    while any_of(lone):
        origin, lone = pop(lone)
        n += _count_one(here, code, origin, movable, out)
    return n


@routine
def count_pieces(T, S, f, us, out):
    """Return the tally of legal moves of all pieces."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    here = Here(t, T, S, f, frame, us)
    scratch = L.STATE(S).scratch
    pins = scratch.pins
    movable = without(squares_of(t, t.squares), squares_of(t, frame.occupied))
    captures = squares_of(t, frame.by_color[1 - us])
    blasts = t.blast_on_capture | t.petrify
    if not blasts:
        movable = either(movable, captures)
    if pins[0].checkers != 0:
        movable = both(movable, squares_of(t, pins[0].evasion))
    n = 0
    if blasts:  # they may remove who gives check, or expose a royal piece
        risky = risky_captures(t, S, frame, us, captures)
        movable = either(movable, without(captures, risky))
        if any_of(risky):
            n = count_risky(here, risky, out)
    sensitive = sensitive_squares(t, S)
    n += count_plain(T, S, f, us, movable, sensitive)
    for kind in range(1, t.kinds + 1):
        code = kind + L.BLACK * us
        own = both(kind_squares(t, frame, kind), squares_of(t, frame.by_color[us]))
        if _walks_freely(t, code):
            king = frame.king[us]
            opens = not t.checking and king >= 0 and has(pins[1].sensitive, king)
            if king >= 0 and frame.board[king] == code and not opens:
                walks = _count_walk(t, T, S, f, us, code, king)
                if t.seirawan_gating and has(frame.gates, king):
                    walks *= 1 + gates_on(t, frame, us, king)
                n += walks
                continue
        if walks_shyly(t, code) and scratch.pseudos[us] == 1:
            if frame.board[scratch.pseudo[us][0]] == code:
                n += count_shy_walk(t, T, S, f, us, code, scratch.pseudo[us][0])
                continue
        if is_plain(t, code):
            if not any_of(sensitive):
                continue
            own = both(own, sensitive)
        if any_of(own):
            n += _count_kind(here, code, own, movable, out)
    return n
