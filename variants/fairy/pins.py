"""What a king allows the other pieces: checks, pins, and where hoppers would open a line.

A move of a piece that is on no sensitive square, and ends on no opening one, cannot expose its
king. All others are tried.
"""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz
from variants.fairy import layout as L
from variants.fairy.attacks import between, distance, is_attacked
from variants.fairy.sets import add, has


@kernel
def _mark_line(frame, words, origin, delta, steps, occupied):
    """Add the squares between to a set: those with pieces, or the empty ones."""
    square = origin
    for _ in range(steps - 1):
        square += delta
        if (frame.board[square] != 0) == (occupied != 0):
            add(words, square)


@kernel
def _path(frame, scratch, m, origin, target):
    """Note a lame leaper: checks are answered on its path, and pieces there shield the king."""
    blocked = 0
    for i in range(2):
        if m.path[i] != 0 and frame.board[origin + m.path[i]] != 0:
            blocked += 1
    if blocked == 0:
        scratch.checkers += 1
        add(scratch.evasion, origin)
    for i in range(2):
        if m.path[i] != 0:
            if blocked == 0:
                add(scratch.evasion, origin + m.path[i])
            else:
                add(scratch.sensitive, origin + m.path[i])
    return 0


@kernel
def _slide(frame, scratch, m, origin, steps):
    shields = between(frame, origin, m.delta, steps)
    if shields == 0:
        scratch.checkers += 1
        add(scratch.evasion, origin)
        _mark_line(frame, scratch.evasion, origin, m.delta, steps, 0)
    elif shields == 1:
        _mark_line(frame, scratch.sensitive, origin, m.delta, steps, 1)
    return 0


@kernel
def _hop(frame, scratch, m, origin, steps):
    hurdles = between(frame, origin, m.delta, steps)
    if hurdles == 0:
        _mark_line(frame, scratch.opening, origin, m.delta, steps, 0)
    elif hurdles == 1:
        scratch.checkers += 1
        scratch.slow = 1
    elif hurdles == 2:
        _mark_line(frame, scratch.sensitive, origin, m.delta, steps, 1)
    return 0


@routine
def find_pins(T, S, f, us):
    """Fill the state's scratch for the king of side ``us``; return 1 if it is in check, else 0."""
    t = L.TABLES(T)
    state = L.STATE(S)
    scratch = state.scratch
    frame = L.FRAME(S, f)
    for word in range(L.WORDS):
        scratch.sensitive[word] = 0
        scratch.opening[word] = 0
        scratch.evasion[word] = 0
    scratch.checkers = 0
    scratch.slow = 0
    king = frame.king[us]
    if king < 0:
        return 0
    for word in range(t.words):
        left = frame.by_color[1 - us][word]
        while left != 0:
            origin = ctz(left) + 64 * word
            left &= left - 1
            before = scratch.checkers
            if t.chains[frame.board[origin]] != 0:
                scratch.slow = 1
            at = t.reach[frame.board[origin]][distance(origin, king)]
            while at != 0:
                hit = t.hits[at]
                m = t.descriptors[hit.descriptor]
                at = at + 1 if hit.more != 0 else 0
                if m.from_zone != 0 and has(t.zones[m.from_zone], origin) == 0:
                    continue
                if m.to_zone != 0 and has(t.zones[m.to_zone], king) == 0:
                    continue
                form = m.form
                if form == L.LEAP:
                    scratch.checkers += 1
                    add(scratch.evasion, origin)
                elif form == L.SLIDE:
                    _slide(frame, scratch, m, origin, hit.steps)
                elif form == L.LAME:
                    _path(frame, scratch, m, origin, king)
                elif form == L.HOP and m.cannon == 0:
                    _hop(frame, scratch, m, origin, hit.steps)
                else:
                    scratch.slow = 1
                    if form == L.JUMP and frame.board[origin + m.path[0]] != 0:
                        scratch.checkers += 1
            if scratch.checkers > before + 1:  # one piece, in two ways
                scratch.checkers = before + 1
                scratch.slow = 1
    if scratch.slow != 0:
        return is_attacked(T, S, f, king, 1 - us)
    return 1 if scratch.checkers != 0 else 0
