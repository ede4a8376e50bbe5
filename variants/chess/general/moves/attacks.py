"""Which pieces attack a square: by their distances first, then along the paths of their moves."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.vectors import (
    WORDS,
    and_words,
    load_words,
    no_words,
    or_words,
    union_of_words,
)
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import (
    Squares,
    any_of,
    both,
    has,
    one,
    pop,
    size,
    squares_of,
    without,
)
from variants.chess.general.moves.chains import chain_attacks


@kernel
def touches(a, b):
    """Return whether two squares are neighbours."""
    files, ranks = abs((a & 15) - (b & 15)), abs((a >> 4) - (b >> 4))
    return max(files, ranks) == 1


@kernel
def distance(origin, target):
    """Return the index in ``reach`` of the difference between two squares."""
    return target - origin + (target & 0xF0) - (origin & 0xF0) + L.DELTAS // 2


@kernel
def reach_of(t, code, square):
    """Return what a piece of a code reaches from a square, and from where it attacks it."""
    return L.REACH(t.targets, L.TARGET_WORDS * (t.first_targets[code] + square))


@kernel
def _bearing_word(t, frame, row, word):
    """Return a word of the squares with pieces of kinds that attack a square from there."""
    rows = (t.kinds + WORDS - 1) // WORDS
    found = no_words()
    for number in range(rows):
        origins = L.ORIGINS(t.bearing, ((row + word) * rows + number) * WORDS).words
        there = load_words(frame.by_kind[word], 1 + WORDS * number)
        found = or_words(found, and_words(there, load_words(origins, 0)))
    return union_of_words(found)


@kernel
def bearing(t, frame, target, by):
    """Return a side's pieces that attack a square if nothing is in their way."""
    row = (by * 16 * t.ranks + target) * t.words
    found = Squares(
        _bearing_word(t, frame, row, 0),
        _bearing_word(t, frame, row, 1) if t.words > 1 else 0,
        _bearing_word(t, frame, row, 2) if t.words > 2 else 0,
        _bearing_word(t, frame, row, 3) if t.words > 3 else 0,
    )
    return both(found, squares_of(t, frame.by_color[by]))


@kernel
def _ray(t, m, origin):
    return squares_of(t, L.LINE(t.lines, L.WORDS * (m.ray + origin)).squares)


@kernel
def path_between(t, m, origin, target):
    """Return the squares that a slider or hopper passes on its way to a target."""
    return without(without(_ray(t, m, origin), _ray(t, m, target)), one(target))


@kernel
def pieces_between(t, frame, m, origin, target):
    """Return the pieces that stand between two squares of a slider's or hopper's line."""
    return both(path_between(t, m, origin, target), squares_of(t, frame.occupied))


@kernel
def path_is_open(t, frame, m, origin, target, steps):
    """Return whether no piece blocks the path of move ``m`` from ``origin`` to ``target``."""
    form = m.form
    if form == L.LEAP:
        return True
    if form == L.SLIDE:
        return not any_of(pieces_between(t, frame, m, origin, target))
    if form == L.LAME:
        if frame.board[origin + m.path[0]] != 0:
            return False
        return m.path[1] == 0 or frame.board[origin + m.path[1]] == 0
    if form == L.JUMP:
        return frame.board[origin + m.path[0]] != 0
    if size(pieces_between(t, frame, m, origin, target)) != 1:
        return False
    if form == L.GRASSHOPPER:
        return frame.board[target - m.delta] != 0
    if m.cannon:
        if t.cannon[frame.board[target]]:
            return False
        square = origin
        for _ in range(steps - 1):
            square += m.delta
            if t.cannon[frame.board[square]]:
                return False
    return True


@kernel
def piece_attacks(t, frame, code, origin, target):
    """Return whether the piece of a code on ``origin`` attacks ``target``."""
    if t.alice_boards and (origin ^ target) & L.OTHER:
        return False
    at = t.reach[code][distance(origin, target)]
    while at != 0:
        hit = t.hits[at]
        m = t.descriptors[hit.descriptor]
        fits = m.from_zone == 0 or has(t.zones[m.from_zone], origin)
        fits = fits and (m.to_zone == 0 or has(t.zones[m.to_zone], target))
        if fits and path_is_open(t, frame, m, origin, target, hit.steps):
            return True
        at = at + 1 if hit.more else 0
    return False


@routine
def _attacks_by_legs(T, S, f, code, origin, target):
    """Return whether a move of several legs captures on ``target``."""
    t = L.TABLES(T)
    for d in range(t.first[code], t.first[code + 1]):
        m = t.descriptors[d]
        if m.form == L.CHAIN and (m.from_zone == 0 or has(t.zones[m.from_zone], origin)):
            if chain_attacks(T, S, f, code, origin, d, target):
                return True
    return False


@kernel
def attacks(T, S, f, code, origin, target):
    """Return whether the piece of a code on ``origin`` captures on ``target`` by any move."""
    t = L.TABLES(T)
    found = False
    if t.reach[code][distance(origin, target)]:
        found = piece_attacks(t, L.FRAME(S, f), code, origin, target)
    if not found and t.chains[code]:
        found = _attacks_by_legs(T, S, f, code, origin, target)
    return found


@routine
def is_attacked(T, S, f, target, by):
    """Return whether a piece of side ``by`` attacks a square.

    The board decides, not the piece sets: a piece that was replaced on the board does not attack.
    """
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    left = bearing(t, frame, target, by)
    while any_of(left):
        square, left = pop(left)
        code = frame.board[square]
        # not all pieces of the set are on the board while a move is tried
        if code >> 6 == by and attacks(T, S, f, code, square, target):
            return True
    return False


@kernel
def faces(frame, a, b):
    """Return whether nothing stands between two squares of a file or rank."""
    step = 0
    if (a & 15) == (b & 15):
        step = 16
    elif a >> 4 == b >> 4:
        step = 1
    if step == 0 or a == b:
        return False
    low, high = min(a, b), max(a, b)
    square = low + step
    while square < high:
        if frame.board[square] != 0:
            return False
        square += step
    return True
