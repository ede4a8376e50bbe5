"""The pieces that the fast kernels play: leapers and riders with all their directions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from variants.chess.definition import betza
from variants.chess.definition.betza_legs import LEAPS
from variants.chess.definition.definition import UNLIMITED, Move

#: A rider makes the leap along its line redundant.
_COVERED = {"R": "W", "B": "F", "NN": "N"}
#: Leaps along the line of a rider: with both, one piece could pin and give check on one line, which
#: the generator does not handle.
_ALONG = {"R": "DH", "B": "AG"}
#: Steps that riders repeat.
ROOK_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
BISHOP_STEPS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
KNIGHT_STEPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
_RIDERS = {"W": "R", "F": "B", "N": "NN"}
_BY_LEAP = {leap: atom for atom, leap in reversed(LEAPS.items())}
#: The first atom of every leap, in the order in which :class:`Movement` has them.
ATOMS = {atom: leap for atom, leap in LEAPS.items() if _BY_LEAP[leap] == atom}


class Movement(NamedTuple):
    """A piece's movements: leap atoms in the order of :data:`ATOMS`, and its riders."""

    leaps: str
    rook: bool
    bishop: bool
    nightrider: bool

    def offsets(self) -> frozenset[tuple[int, int]]:
        """Return all leaps as (file step, rank step)."""
        return frozenset(step for atom in self.leaps for step in _around(atom))

    def steps(self) -> tuple[tuple[int, int], ...]:
        """Return the steps that its riders repeat."""
        rook = ROOK_STEPS if self.rook else ()
        bishop = BISHOP_STEPS if self.bishop else ()
        return (*rook, *bishop, *(KNIGHT_STEPS if self.nightrider else ()))

    def betza(self) -> str:
        """Return the movement in Betza notation, in a canonical order."""
        text = "R" * self.rook + "B" * self.bishop + self.leaps
        return text.replace("WF", "K") + "NN" * self.nightrider

    @property
    def colourbound(self) -> bool:
        """Whether every move stays on squares of one colour."""
        even = all((x + y) % 2 == 0 for x, y in self.offsets())
        return even and not self.rook and not self.nightrider


def _around(atom: str) -> set[tuple[int, int]]:
    """Return the leaps of an atom in all directions."""
    a, b = ATOMS[atom]
    return {(sx * x, sy * y) for x, y in ((a, b), (b, a)) for sx in (1, -1) for sy in (1, -1)}


def _refuse(move: Move) -> None:
    """Raise ValueError with the reason if the fast kernels cannot play a move."""
    reasons = {
        "has moves of several legs": move.legs,
        "hops": move.hop,
        "has moves of its first turn": move.initial,
        "is lame or must jump": move.path,
        "moves and captures in different ways": not (move.quiet and move.capture),
        "is a rider of limited range": 1 < move.steps < UNLIMITED,
    }
    for reason, holds in reasons.items():
        if holds:
            raise ValueError(reason)


def simplified(moves: Iterable[Move]) -> Movement:
    """Convert moves for the fast kernels; ValueError with the reason if they cannot play them."""
    directions: dict[tuple[str, bool], set[tuple[int, int]]] = {}
    for move in moves:
        _refuse(move)
        short, long = sorted((abs(move.dx), abs(move.dy)))
        atom = _BY_LEAP[long, short]
        directions.setdefault((atom, move.steps > 1), set()).add((move.dx, move.dy))
    atoms: set[str] = set()
    for (atom, rides), found in directions.items():
        if found != _around(atom):
            raise ValueError("moves in some directions only")
        if rides and atom not in _RIDERS:
            raise ValueError(f"rides by leaps of {atom}")
        atoms.add(_RIDERS[atom] if rides else atom)
    if not atoms:
        raise ValueError("does not move")
    atoms -= {leap for rider, leap in _COVERED.items() if rider in atoms}
    for rider, leaps in _ALONG.items():
        for leap in atoms & set(leaps) if rider in atoms else ():
            raise ValueError(f"leaps by {leap} along its line of {rider}")
    leaps = "".join(atom for atom in ATOMS if atom in atoms)
    return Movement(leaps, *(rider in atoms for rider in ("R", "B", "NN")))


def parse(text: str) -> Movement:
    """Parse a movement in Betza notation; ValueError if the fast kernels cannot play it."""
    return simplified(betza.parse(text).moves)
