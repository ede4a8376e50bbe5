"""Dead positions: material with which no sequence of moves mates, see :mod:`.material`."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from variants.chess.family.material import LONE, MATES, ROYAL
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import (
    any_of,
    both,
    either,
    kind_squares,
    squares_of,
    walls_of,
    without,
)


@kernel
def _is_of_one_colour(t, frame):
    """Return whether all pieces but the royal ones stand on squares of one colour."""
    pieces = either(squares_of(t, frame.by_color[0]), squares_of(t, frame.by_color[1]))
    pieces = without(pieces, kind_squares(t, frame, t.royal_kind))
    dark = squares_of(t, t.dark)
    return not any_of(both(pieces, dark)) or not any_of(without(pieces, dark))


@kernel
def is_dead(t, frame):
    """Return whether no sequence of moves mates, as far as the material says it."""
    number, royals, lone = 0, 0, 0
    for kind in range(1, t.kinds + 1):
        for side in range(2):
            code = kind + L.BLACK * side
            count = frame.count[code]
            power = t.power[code]
            if count == 0:
                continue
            if power == MATES or (power == ROYAL and count > 1):
                return False
            royals += 1 if power == ROYAL else 0
            number += 0 if power == ROYAL else count
            lone += 1 if power == LONE else 0
    if royals != 2 or frame.held[0] + frame.held[1] != 0:
        return False
    if number == 0:
        return True
    if any_of(walls_of(t, frame)):
        return False
    return number == 1 or (lone == 0 and _is_of_one_colour(t, frame))
