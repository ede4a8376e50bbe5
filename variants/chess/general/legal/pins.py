"""Checks and pins of a royal piece, and squares whose change would open a line to it.

A move of a piece that is on no sensitive square, and ends on no opening one, cannot expose the
royal piece. All others are tried.
"""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import (
    add,
    any_of,
    both,
    either,
    has,
    keep,
    no_squares,
    one,
    pop,
    size,
    squares_of,
)
from variants.chess.general.moves.attacks import (
    bearing,
    distance,
    faces,
    is_attacked,
    path_between,
    piece_attacks,
)


@kernel
def _clear(pins):
    keep(pins.sensitive, no_squares())
    keep(pins.opening, no_squares())
    keep(pins.shields, no_squares())
    keep(pins.evasion, no_squares())
    pins.checkers = 0
    pins.checked = 0
    pins.slow = 0
    pins.pinned = 0
    pins.doubtful = 0


@kernel
def _mark(t, words, squares):
    """Add squares to a set."""
    keep(words, either(squares_of(t, words), squares))


@kernel
def _pin(pins, shield, way, origin):
    """Note a piece that shields the king from a slider on ``origin``."""
    if pins.pinned == L.MAX_PINS:
        pins.doubtful = 1
        return 0
    pin = pins.pin[pins.pinned]
    pins.pinned += 1
    pin.square, _ = pop(shield)
    keep(pin.line, either(way, one(origin)))
    return 0


@kernel
def _path(frame, pins, m, origin):
    """Note a lame leaper: checks are answered on its path, and pieces there shield the king."""
    blocked = 0
    for i in range(2):
        if m.path[i] != 0 and frame.board[origin + m.path[i]] != 0:
            blocked += 1
    if blocked == 0:
        pins.checkers += 1
        add(pins.evasion, origin)
    for i in range(2):
        if m.path[i] != 0:
            if blocked == 0:
                add(pins.evasion, origin + m.path[i])
            else:
                add(pins.sensitive, origin + m.path[i])
                pins.doubtful = 1
    return 0


@kernel
def _slide(t, frame, pins, m, origin, target):
    way = path_between(t, m, origin, target)
    shields = both(way, squares_of(t, frame.occupied))
    number = size(shields)
    if number == 0:
        pins.checkers += 1
        add(pins.evasion, origin)
        _mark(t, pins.evasion, way)
    elif number == 1:
        _mark(t, pins.sensitive, shields)
        _pin(pins, shields, way, origin)
    if t.blast_on_capture:
        _mark(t, pins.shields, shields)
    return 0


@kernel
def _hop(t, frame, pins, m, origin, target):
    way = path_between(t, m, origin, target)
    hurdles = both(way, squares_of(t, frame.occupied))
    number = size(hurdles)
    if number == 0:
        _mark(t, pins.opening, way)
    elif number == 1:
        pins.checkers += 1
        pins.slow = 1
    elif number == 2:
        _mark(t, pins.sensitive, hurdles)
        pins.doubtful = 1
    return 0


@kernel
def _whole_line(t, frame, pins, m, code, origin, target):
    """Note a piece for which each square on its way matters: a cannon, grasshopper or jumper."""
    if piece_attacks(t, frame, code, origin, target):
        pins.checkers += 1
        pins.slow = 1
        return 0
    if m.form == L.JUMP:
        add(pins.opening, origin + m.path[0])
        return 0
    way = path_between(t, m, origin, target)
    _mark(t, pins.opening, way)
    _mark(t, pins.sensitive, way)
    pins.doubtful = 1
    return 0


@kernel
def _facing(frame, pins, king, other):
    """Note the only piece between two kings that must not face each other."""
    step = 0
    if (king & 15) == (other & 15):
        step = 16
    elif king >> 4 == other >> 4:
        step = 1
    if step == 0:
        return 0
    if faces(frame, king, other):
        pins.slow = 1
        return 0
    square = min(king, other) + step
    count, shield = 0, 0
    while square < max(king, other):
        if frame.board[square] != 0:
            count += 1
            shield = square
        square += step
    if count == 1:
        add(pins.sensitive, shield)
        pins.doubtful = 1
    return 0


@routine
def add_pins(T, S, f, by, target, number):
    """Add the checks and pins by side ``by`` on a square to the state's pins of a number."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    pins = L.STATE(S).scratch.pins[number]
    left = bearing(t, frame, target, by)
    while any_of(left):
        origin, left = pop(left)
        code = frame.board[origin]
        before = pins.checkers
        if t.chains[code]:
            pins.slow = 1
        at = t.reach[code][distance(origin, target)]
        while at != 0:
            hit = t.hits[at]
            m = t.descriptors[hit.descriptor]
            at = at + 1 if hit.more else 0
            if m.from_zone != 0 and not has(t.zones[m.from_zone], origin):
                continue
            if m.to_zone != 0 and not has(t.zones[m.to_zone], target):
                continue
            form = m.form
            if form == L.LEAP:
                pins.checkers += 1
                add(pins.evasion, origin)
            elif form == L.SLIDE:
                _slide(t, frame, pins, m, origin, target)
            elif form == L.LAME:
                _path(frame, pins, m, origin)
            elif form == L.HOP and not m.cannon:
                _hop(t, frame, pins, m, origin, target)
            else:
                _whole_line(t, frame, pins, m, code, origin, target)
        if pins.checkers > before + 1:  # one piece, in two ways
            pins.checkers = before + 1
            pins.slow = 1
    return 0


@routine
def find_pins(T, S, f, us):
    """Fill the state's pins for the king of side ``us``."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    pins = L.STATE(S).scratch.pins[0]
    _clear(pins)
    king = frame.king[us]
    if king < 0:
        return 0
    add_pins(T, S, f, 1 - us, king, 0)
    checked = pins.checkers != 0
    if pins.slow:
        checked = is_attacked(T, S, f, king, 1 - us)
    pins.checked = 1 if checked else 0
    other = frame.king[1 - us]
    if other >= 0:
        if t.flying_general:
            _facing(frame, pins, king, other)
        elif t.bikjang_rule and faces(frame, king, other):
            pins.slow = 1
    return 0


@routine
def find_their_pins(T, S, f, us):
    """Fill the state's pins for the enemy's king, to which a move of ``us`` must open no line."""
    return find_pins_on(T, S, f, us, L.FRAME(S, f).king[1 - us], 1)


@routine
def find_pins_on(T, S, f, by, square, number):
    """Fill the pins of a number by side ``by`` on a square, which may be negative: none."""
    _clear(L.STATE(S).scratch.pins[number])
    if square >= 0:
        add_pins(T, S, f, by, square, number)
    return 0


@routine
def add_royal_pins(T, S, f, us):
    """Add the pins of pseudo-royal pieces; call ``find_pseudo_royals`` before."""
    t = L.TABLES(T)
    scratch = L.STATE(S).scratch
    frame = L.FRAME(S, f)
    for i in range(scratch.pseudos[us]):
        add_pins(T, S, f, 1 - us, scratch.pseudo[us][i], 0)
    if not t.duple_check or scratch.pseudos[us] != 0:
        return 0
    # with several of them one that is not attacked is enough
    left = squares_of(t, frame.by_color[us])
    while any_of(left):
        square, left = pop(left)
        if t.extinction_piece_types[frame.board[square]]:
            if not is_attacked(T, S, f, square, 1 - us):
                add_pins(T, S, f, 1 - us, square, 0)
                return 0
    scratch.pins[0].slow = 1
    return 0


@kernel
def sensitive_squares(t, S):
    """Return the squares whose pieces are looked at one by one, as they may shield a king."""
    pins = L.STATE(S).scratch.pins
    found = squares_of(t, pins[0].sensitive)
    if not t.checking:
        found = either(found, squares_of(t, pins[1].sensitive))
    return found
