"""The pieces that a definition may pick by name: with a picture, of variants.ini, of diagrams."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from variants.chess.definition import betza
from variants.chess.definition.definition import Movement
from variants.chess.formats.diagram_writing import MOVES
from variants.chess.formats.ini_keys import PIECES, called
from variants.chess.pictures import pieces
from variants.chess.pictures.figures import made, permanent_moves

_PAWN = "fmWfceF"


class Known(NamedTuple):
    """A piece: its name, other names, its moves, and its usual letter."""

    name: str
    others: tuple[str, ...]
    moves: str
    letter: str

    def figure(self) -> str:
        """Return its picture as White's piece."""
        if self.name in (piece.name for piece in pieces.NAMED):
            return pieces.figure(self.name, 0)
        moves = permanent_moves(betza.parse(self.moves))
        return made(self.letter, 0, False, False, moves)


def _all() -> Iterator[tuple[str, str, str]]:
    """Yield names, moves and letters, the best known first."""
    for piece in pieces.NAMED:
        yield piece.name, piece.betza or _PAWN, piece.letter
    usual = {piece.name for piece in pieces.NAMED}
    for source in (MOVES, PIECES):
        for key, moves in source.items():
            words = re.sub("([A-Z])", r" \1", key).capitalize()
            name = words if source is MOVES or called(key) in usual else called(key)
            if moves:
                yield name, moves.replace("isO2", "").replace("ifmnD", ""), name[0].upper()


@cache
def known_pieces() -> tuple[Known, ...]:
    """Return all known pieces; of those that move alike the first, with the others' names."""
    found: dict[Movement, Known] = {}
    for name, moves, letter in _all():
        # the order of the parts of a text means nothing
        movement = Movement(tuple(sorted(betza.parse(moves, of_eight=False).moves)))
        first = found.setdefault(movement, Known(name, (), moves, letter))
        if name != first.name and name not in first.others:
            found[movement] = first._replace(others=(*first.others, name))
    return tuple(found.values())
