"""A piece's targets as sets, and how many moves it has to them.

What is asked for are the moves to a set of squares: ``movable``, empty ones and those of enemies.
"""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import select
from variants.chess.general.legal.legal_moves import gates_on
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import (
    any_of,
    both,
    either,
    has,
    kind_squares,
    moved,
    no_squares,
    one,
    pop,
    size,
    squares_of,
    without,
)
from variants.chess.general.moves.attacks import reach_of
from variants.chess.general.moves.movegen import has_lines_open, is_shut_in
from variants.chess.general.moves.moves import is_free, staying
from variants.chess.general.moves.slides import cannons_for, count_on_line, slide_targets, suited


@kernel
def _may_step(t, frame, m, origin):
    """Return whether a lame or jumping move is open, and goes to what is on its target."""
    there = frame.board[origin + m.delta]
    flag = select(there == 0, L.QUIET, L.CAPTURE)
    if not (m.flags & flag) or not has_lines_open(frame, m, origin):
        return False
    if m.cannon and t.cannon[there]:
        return False
    return m.to_zone == 0 or has(t.zones[m.to_zone], origin + m.delta)


@kernel
def _along(t, frame, m, origin, room):
    """Return the targets of a rider in one direction that no line of ``slides`` has."""
    found = no_squares()
    hurdles = select(m.form == L.SLIDE, 1, 0)
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
            if there == 0 or not m.cannon or not t.cannon[there]:
                found = either(found, one(square))
        if there != 0 or m.form == L.GRASSHOPPER:
            break
    return found


@kernel
def targets_of(t, frame, us, code, origin, movable):
    """Return the targets of a piece that has no moves of several legs."""
    occupied = squares_of(t, frame.occupied)
    reach = reach_of(t, code, origin)
    found = without(squares_of(t, reach.quiet), occupied)
    found = either(found, both(squares_of(t, reach.capture), occupied))
    found = both(found, movable)
    if is_shut_in(t, frame, us, code, origin):
        return found
    cannons = cannons_for(t, frame, code)
    for number in range(t.first_track[code], t.first_track[code + 1]):
        track = t.track[number]
        targets = suited(track.flags, movable, occupied)
        found = either(found, both(slide_targets(t, track, origin, occupied, cannons), targets))
    for d in range(t.others[code], t.first[code + 1]):
        m = t.descriptors[d]
        room = t.room[origin][m.direction]
        if room != 0 and (m.from_zone == 0 or has(t.zones[m.from_zone], origin)):
            if m.form >= L.SLIDE:
                targets = suited(m.flags, movable, occupied)
                found = either(found, both(_along(t, frame, m, origin, room), targets))
            elif _may_step(t, frame, m, origin):
                found = either(found, both(one(origin + m.delta), movable))
    return found


@kernel
def herd_targets(t, frame, m, pieces, movable):
    """Return the targets of a leap or lame move of several pieces of a kind."""
    occupied = squares_of(t, frame.occupied)
    if m.form != L.LEAP:
        closed = moved(t, occupied, -m.path[0])
        if m.path[1] != 0:
            closed = either(closed, moved(t, occupied, -m.path[1]))
        pieces = without(pieces, closed) if m.form == L.LAME else both(pieces, closed)
    if m.from_zone != 0:
        pieces = both(pieces, squares_of(t, t.zones[m.from_zone]))
    found = both(moved(t, pieces, m.delta), suited(m.flags, movable, occupied))
    if m.to_zone != 0:
        found = both(found, squares_of(t, t.zones[m.to_zone]))
    return found


@kernel
def _choices(t, frame, us):
    """Return to how many kinds a pawn may promote."""
    n = 0
    for i in range(t.promotions[us]):
        n += 1 if is_free(t, frame, t.promotion[us][i]) else 0
    return n


@kernel
def tally(t, moves, captures):
    """Return a number of moves; with that of captures in its upper half where they come first."""
    return moves + (captures << 32) if t.must_capture else moves


@kernel
def forms(t, frame, us, code, targets, started):
    """Return the tally of moves to targets, in all forms that promotion gives them."""
    captures = both(targets, squares_of(t, frame.by_color[1 - us]))
    return tally(
        t,
        _forms(t, frame, us, code, targets, started),
        _forms(t, frame, us, code, captures, started),
    )


@kernel
def _forms(t, frame, us, code, targets, started):
    """Return the number of moves to targets.

    ``started``: whether they begin in the promotion zone. A piece that promotes both as a pawn and
    as a piece is not counted here.
    """
    n = 0
    stays = staying(t, code, targets)
    if t.promotion_pawn_types[code]:
        promoting = both(targets, squares_of(t, t.promotion_region[us]))
        if any_of(promoting):
            n = _choices(t, frame, us) * size(promoting)
            if t.mandatory_pawn_promotion:
                stays = without(stays, promoting)
    elif t.turns[code]:
        zone = squares_of(t, t.squares if started else t.promotion_region[us])
        promoting = both(targets, zone)
        n = size(promoting)
        if t.mandatory_piece_promotion:
            stays = without(stays, promoting)
    return n + size(stays)


@kernel
def is_plain(t, code):
    """Return whether the moves of a code are counted by ``count_plain``."""
    return t.plain_moves[code] != 0 and (t.checking or t.sees_back[code] != 0)


@kernel
def checking_squares(t, frame, us, code):
    """Return from where a piece whose moves are plain and see back attacks the enemy's king."""
    king = frame.king[1 - us]
    other = code ^ L.BLACK
    occupied = squares_of(t, frame.occupied)
    found = squares_of(t, reach_of(t, other, king).capture)
    for number in range(t.first_track[other], t.first_track[other + 1]):
        found = either(found, slide_targets(t, t.track[number], king, occupied, no_squares()))
    return found


@kernel
def _count_plain(t, frame, us, code, origin, targets):
    """Return the tally of moves of a piece to some targets."""
    occupied = squares_of(t, frame.occupied)
    captures = both(targets, squares_of(t, frame.by_color[1 - us]))
    leaps = squares_of(t, reach_of(t, code, origin).quiet)
    n = tally(t, size(both(leaps, targets)), size(both(leaps, captures)))
    if is_shut_in(t, frame, us, code, origin):
        return n
    for number in range(t.first_track[code], t.first_track[code + 1]):
        track = t.track[number]
        n += tally(
            t,
            count_on_line(t, track, origin, occupied, targets),
            count_on_line(t, track, origin, occupied, captures),
        )
    return n


@routine
def count_plain(T, S, f, us, movable, out_of_it):
    """Return the tally of moves of pieces that move as they capture and never promote.

    Those on the squares ``out_of_it`` are left out, and moves that must give no check but do.
    """
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    own = without(squares_of(t, frame.by_color[us]), out_of_it)
    n = 0
    for kind in range(1, t.kinds + 1):
        code = kind + L.BLACK * us
        if not is_plain(t, code):
            continue
        pieces = both(kind_squares(t, frame, kind), own)
        targets = movable
        if not t.checking and frame.king[1 - us] >= 0 and any_of(pieces):
            targets = without(movable, checking_squares(t, frame, us, code))
        while any_of(pieces):
            origin, pieces = pop(pieces)
            found = _count_plain(t, frame, us, code, origin, targets)
            if t.seirawan_gating and has(frame.gates, origin):
                found *= 1 + gates_on(t, frame, us, origin)
            n += found
    return n
