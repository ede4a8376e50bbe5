"""The inputs of a simple game's net: the fields that it sees.

A training record has a byte for each square and one clock, so sets of squares and one counter can
be inputs. A kind of piece is 1 + its place among the sets; neutral pieces are recorded as White's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ryugi_engine.simple_game.fields import Counter, Field, Neutral, Pieces

#: The largest counter that a record holds, and the number of kinds of piece.
_CLOCK, _KINDS = (1 << 16) - 1, 15


def fault_of(inputs: Sequence[str], fields: Mapping[str, Field]) -> str:
    """Return what is wrong with the declared inputs, as a phrase; "" if nothing is."""
    counters = 0
    for name in inputs:
        field = fields.get(name)
        if field is None:
            return f"there is no field '{name}'"
        if isinstance(field, Counter):
            counters += 1
            if field.high > _CLOCK:
                return f"{name}: its high is {field.high}, at most {_CLOCK} can be recorded"
        elif not isinstance(field, Pieces | Neutral):
            return f"{name}: a {type(field).__name__} cannot be recorded, sets of squares can"
    sets = len(inputs) - counters
    if len(set(inputs)) != len(inputs):
        return "a field is named twice"
    if counters > 1:
        return "a record holds one counter only"
    if inputs and not 1 <= sets <= _KINDS:
        return f"{sets} sets of squares, not 1 to {_KINDS}"
    return ""


def letters_of(inputs: Sequence[str], fields: Mapping[str, Field]) -> str:
    """Return the letters of the kinds of piece that the net sees, in the order of the kinds."""
    return "".join(fields[name].letter for name in inputs)


def clock_of(inputs: Sequence[str], fields: Mapping[str, Field]) -> str:
    """Return the name of the counter among the inputs; "" if there is none."""
    return next((name for name in inputs if isinstance(fields[name], Counter)), "")
