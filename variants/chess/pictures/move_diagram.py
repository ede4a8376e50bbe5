"""Which squares a piece reaches on an empty board, for a diagram of its moves."""

from __future__ import annotations

from collections.abc import Iterator

from ryugi_engine.games.move_diagram import (
    BOTH,
    CAPTURE,
    CASTLING,
    FIRST,
    HURDLE,
    LEGS,
    MUST_BE_EMPTY,
    QUIET,
    Offset,
)  # fmt: skip
from variants.chess.definition import betza
from variants.chess.definition.definition import Move
from variants.chess.notation.castling_text import ends

#: Where a hurdle stands on the line of a piece that hops.
_HURDLE_AT = 2


def marks(text: str, radius: int, *, of_eight: bool = True) -> dict[Offset, str]:
    """Return a sign for each square around a piece; offsets (x, y) as White sees them.

    ``of_eight`` is the dialect, see :func:`betza.parse`.

    ValueError for a text that is not Betza notation.
    """
    movement = betza.parse(text, of_eight=of_eight)
    hurdles = {
        (_HURDLE_AT * move.dx, _HURDLE_AT * move.dy)
        for move in movement.moves
        if move.hop and max(abs(move.dx), abs(move.dy)) * _HURDLE_AT < radius
    }
    found: dict[Offset, set[str]] = {}
    blocked: set[Offset] = set()
    for move in movement.moves:
        blocked |= set(move.path) if not move.jump else set()
        for at in _targets(move, radius, hurdles):
            found.setdefault(at, set()).update(_kinds(move))
    signs = dict.fromkeys(blocked, MUST_BE_EMPTY)
    signs |= {at: _sign(kinds) for at, kinds in found.items()}
    signs |= dict.fromkeys(hurdles, HURDLE)
    for castling in movement.castling:
        for side in castling.sides:
            signs[castling.width * (1 if side == "r" else -1), 0] = CASTLING
    signs.pop((0, 0), None)
    return signs


def _kinds(move: Move) -> set[str]:
    kinds = {QUIET} if move.quiet else set()
    kinds |= {CAPTURE} if move.capture else set()
    if len(move.legs) > 1:
        return {LEGS}
    return {FIRST} if move.initial else kinds


def _sign(kinds: set[str]) -> str:
    """Return the sign of a square that moves of several kinds reach."""
    if {QUIET, CAPTURE} <= kinds:
        return BOTH
    return next(kind for kind in (QUIET, CAPTURE, FIRST, LEGS) if kind in kinds)


def _targets(move: Move, radius: int, hurdles: set[Offset]) -> Iterator[Offset]:
    """Yield the squares of a move, as far as a hurdle on its line lets it go."""
    if len(move.legs) > 1:
        found = ends(move._replace(wraps=False), (0, 0), radius)
        yield from (at for at in found if max(abs(at[0]), abs(at[1])) <= radius)
        return
    over = False
    most = move.steps + 1 if move.hop else move.steps
    for step in range(1, most + 1):
        at = step * move.dx, step * move.dy
        if max(abs(at[0]), abs(at[1])) > radius:
            return
        if at in hurdles:
            if not move.hop:
                return
            over = True
            continue
        if not move.hop or over:
            yield at
        if move.hop == "g" and over:
            return
