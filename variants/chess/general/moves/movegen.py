"""Pseudo-legal moves: without regard to the king's safety."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import load32
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import any_of, both, either, has, pop, squares_of, without
from variants.chess.general.moves.attacks import reach_of
from variants.chess.general.moves.chains import list_chain
from variants.chess.general.moves.drops import list_drops
from variants.chess.general.moves.en_passant import en_passant_squares
from variants.chess.general.moves.first_leaps import list_first_leaps
from variants.chess.general.moves.moves import (
    Found,
    Here,
    arrivals,
    fits,
    may_go_quietly,
    move_code,
    put_move,
    quiet_squares,
)
from variants.chess.general.moves.resting_promotions import list_resting_promotions
from variants.chess.general.moves.slides import cannons_for, slide_targets, suited
from variants.chess.general.moves.turns import list_passes, list_ways, turn_length


@kernel
def list_en_passant(here, origin, target, out):
    """List a capture en passant: by the first move of a turn, as later marks are one's own."""
    t, frame = here.t, here.frame
    if t.long_turns and frame.moves_left != turn_length(t, frame, here.us):
        return 0
    put_move(here.S, out, move_code(origin, target, L.EN_PASSANT, 0))
    return 1


@kernel
def _arrive(here, code, origin, target, m, tactical, out):
    """List a move if what is on its target allows it."""
    t, frame = here.t, here.frame
    there = frame.board[target]
    blocked = there != 0
    moves, takes_en_passant = False, False
    if blocked:
        moves = there >> 6 != here.us and there != L.WALL and m.flags & L.CAPTURE != 0
        if m.cannon and t.cannon[there]:
            moves = False
    elif m.flags & L.QUIET:
        moves = may_go_quietly(t, here.us, code, tactical, target)
    elif m.flags & L.TAKES_EN_PASSANT:
        takes_en_passant = has(frame.en_passant, target) or has(frame.older, target)
    n = 0
    if moves and (m.to_zone == 0 or has(t.zones[m.to_zone], target)):
        n = arrivals(here, code, origin, target, -1, out)
    elif takes_en_passant:
        n = list_en_passant(here, origin, target, out)
    return Found(n, blocked)


@kernel
def _ride(here, code, origin, m, room, tactical, out):
    """List the moves in one direction of a slider or hopper that slides.py leaves out."""
    t, board = here.t, here.frame.board
    n = 0
    hurdles = 1 if m.form == L.SLIDE else 0
    square = origin
    for _ in range(min(room, m.steps)):
        square += m.delta
        if hurdles == 0:
            if board[square] != 0:
                hurdles = 1
                if m.cannon and t.cannon[board[square]]:
                    break
            continue
        found = _arrive(here, code, origin, square, m, tactical, out + n)
        n += found.number
        if found.blocked or m.form == L.GRASSHOPPER:
            break
    return n


@kernel
def _leaps(here, code, origin, tactical, out):
    """List the moves that nothing on the way can hinder."""
    t, frame = here.t, here.frame
    reach = reach_of(t, code, origin)
    quiet = without(quiet_squares(t, here.us, code, tactical), squares_of(t, frame.occupied))
    left = both(squares_of(t, reach.capture), squares_of(t, frame.by_color[1 - here.us]))
    left = either(left, both(squares_of(t, reach.quiet), quiet))
    n = 0
    while any_of(left):
        target, left = pop(left)
        n += arrivals(here, code, origin, target, -1, out + n)
    return n


@kernel
def _slides(here, code, origin, tactical, out):
    """List the moves along lines."""
    t, frame, us = here.t, here.frame, here.us
    occupied = squares_of(t, frame.occupied)
    quiet = without(quiet_squares(t, us, code, tactical), occupied)
    movable = either(quiet, squares_of(t, frame.by_color[1 - us]))
    cannons = cannons_for(t, frame, code)
    n = 0
    for number in range(t.first_track[code], t.first_track[code + 1]):
        track = t.track[number]
        left = slide_targets(t, track, origin, occupied, cannons)
        left = both(left, suited(track.flags, movable, occupied))
        while any_of(left):
            target, left = pop(left)
            n += arrivals(here, code, origin, target, -1, out + n)
    return n


@kernel
def is_shut_in(t, frame, us, code, origin):
    """Return whether own pieces or the edge block all moves of a piece except leaps."""
    entrances = squares_of(t, reach_of(t, code, origin).entrances)
    return not any_of(without(entrances, squares_of(t, frame.by_color[us])))


@kernel
def may_take_en_passant(t, frame):
    """Return whether a piece can be taken en passant somewhere."""
    return any_of(en_passant_squares(t, frame))


@kernel
def _en_passant_leaps(here, code, origin, out):
    """List the captures en passant by leaps."""
    t, frame = here.t, here.frame
    n = 0
    for d in range(t.first[code], t.others[code]):
        m = t.descriptors[d]
        if not (m.flags & L.TAKES_EN_PASSANT) or t.room[origin][m.direction] == 0:
            continue
        if m.from_zone != 0 and not has(t.zones[m.from_zone], origin):
            continue
        target = origin + m.delta
        if has(frame.en_passant, target) or has(frame.older, target):
            if frame.board[target] == 0:
                n += list_en_passant(here, origin, target, out + n)
    return n


@kernel
def has_lines_open(frame, m, origin):
    """Return whether a lame move's way is empty, or a jumping move's is not."""
    first = frame.board[origin + m.path[0]]
    second = 0
    if m.path[1] != 0:
        second = frame.board[origin + m.path[1]]
    return (m.form == L.LAME) == ((first | second) == 0)


@kernel
def _piece_moves(here, code, origin, tactical, out):
    """List the pseudo-legal moves of a piece."""
    t, frame = here.t, here.frame
    n = _leaps(here, code, origin, tactical, out)
    if t.takes_en_passant[code] and may_take_en_passant(t, frame):
        n += _en_passant_leaps(here, code, origin, out + n)
    if is_shut_in(t, frame, here.us, code, origin):
        return n
    n += _slides(here, code, origin, tactical, out + n)
    for d in range(t.others[code], t.first[code + 1]):
        m = t.descriptors[d]
        room = t.room[origin][m.direction]
        is_chain = t.chains[code] and m.form == L.CHAIN
        if room == 0 and not is_chain:
            continue
        if m.from_zone != 0 and not has(t.zones[m.from_zone], origin):
            continue
        if is_chain:
            n += list_chain(here.T, here.S, here.f, here.us, origin, d, tactical, out + n)
        elif m.form >= L.SLIDE:
            n += _ride(here, code, origin, m, room, tactical, out + n)
        elif m.form == L.LEAP or has_lines_open(frame, m, origin):
            n += _arrive(here, code, origin, origin + m.delta, m, tactical, out + n).number
    return n


@kernel
def _without_twins(S, first, n):
    """Drop moves that are listed twice, like those of a rook that also leaps along its lines."""
    kept = 0
    for i in range(n):
        move = load32(S, first + i)
        twin = False
        for j in range(kept):
            if load32(S, first + j) == move:
                twin = True
                break
        if not twin:
            put_move(S, first + kept, move)
            kept += 1
    return kept


@routine
def list_piece(T, S, f, us, origin, tactical, out):
    """List the pseudo-legal moves of the piece on a square; return their number."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    code = frame.board[origin]
    found = _piece_moves(Here(t, T, S, f, frame, us), code, origin, tactical, out)
    if t.overlaps[code] and fits(out, found):
        found = _without_twins(S, out, found)
    return found


@routine
def list_pseudo(T, S, f, us, tactical, out):
    """List the pseudo-legal moves from ``out`` on; return their number.

    If ``tactical`` is not 0 only captures and what ``quiet_squares`` allows are listed.
    """
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    n = 0
    left = squares_of(t, frame.by_color[us])
    while any_of(left):
        origin, left = pop(left)
        n += list_piece(T, S, f, us, origin, tactical, out + n)
    if t.sittuyin_promotion:
        n += list_resting_promotions(T, S, f, us, out + n)
    if tactical == 0:
        if t.cambodian_moves:
            n += list_first_leaps(T, S, f, us, out + n)
        if t.piece_drops:
            n += list_drops(T, S, f, us, out + n)
        if frame.castling != 0:
            n += list_ways(T, S, f, us, out + n)
        if t.passing[us] | t.pass_on_stalemate[us] | t.wall_or_move:
            n += list_passes(T, S, f, us, out + n)
    return n
