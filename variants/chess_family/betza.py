"""Pieces' movements in Betza notation: the atoms that the kernels can play.

Source of the notation: R. Betza's "funny notation", https://www.chessvariants.com/d.betza/.
"""

from __future__ import annotations

import re
from typing import NamedTuple

#: Leaper atoms as (longer, shorter) step.
LEAPS = {
    "W": (1, 0),
    "F": (1, 1),
    "D": (2, 0),
    "N": (2, 1),
    "A": (2, 2),
    "H": (3, 0),
    "C": (3, 1),
    "Z": (3, 2),
    "G": (3, 3),
}
#: Shorthands for two atoms.
COMPOUNDS = {"K": "WF", "Q": "RB"}
#: A rider makes the leap along its line redundant.
_COVERED = {"R": "W", "B": "F", "NN": "N"}
#: Leaps along the line of a rider: with both, one piece could pin and give check on one line, which
#: the generator does not handle.
_ALONG = {"R": "DH", "B": "AG"}
#: Steps that riders repeat.
ROOK_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
BISHOP_STEPS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
KNIGHT_STEPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
#: Maximum length of a piece's moves as text.
MAX_TEXT = 100
_TOKEN = re.compile(r"NN|N0|[A-Z]")
#: Betza's modifiers, which the kernels cannot play: RULES.md, "What cannot be defined".
_MODIFIERS = {
    "gp": "hoppers",
    "mc": "pieces that move and take in different ways",
    "fblrvsh": "pieces that move in some directions only",
    "n": "lame pieces",
    "j": "pieces that must jump",
    "i": "moves of pieces that have not moved yet",
    "z": "crooked riders",
    "q": "circular riders",
    "0123456789": "riders of a limited length",
}
_ATOMS = "atoms are W F D N A H C Z G, R, B, NN, K and Q"


class Movement(NamedTuple):
    """A piece's movements: leap atoms in the order of :data:`LEAPS`, and its riders."""

    leaps: str
    rook: bool
    bishop: bool
    nightrider: bool

    def offsets(self) -> frozenset[tuple[int, int]]:
        """Return all leaps as (file step, rank step)."""
        steps = set()
        for atom in self.leaps:
            a, b = LEAPS[atom]
            for x, y in ((a, b), (b, a)):
                steps |= {(sx * x, sy * y) for sx in (1, -1) for sy in (1, -1)}
        return frozenset(steps)

    def steps(self) -> tuple[tuple[int, int], ...]:
        """Return the steps that its riders repeat."""
        rook = ROOK_STEPS if self.rook else ()
        bishop = BISHOP_STEPS if self.bishop else ()
        return (*rook, *bishop, *(KNIGHT_STEPS if self.nightrider else ()))

    def betza(self) -> str:
        """Return the movement in Betza notation, in a canonical order."""
        text = "".join(a for a, has in (("R", self.rook), ("B", self.bishop)) if has) + self.leaps
        return text.replace("WF", "K") + "NN" * self.nightrider

    @property
    def colourbound(self) -> bool:
        """Whether every move stays on squares of one colour."""
        even = all((x + y) % 2 == 0 for x, y in self.offsets())
        return even and not self.rook and not self.nightrider


def _refusal(sign: str, text: str) -> ValueError:
    """Return the error about a sign that is no atom: what it would mean, if that is known."""
    for signs, pieces in _MODIFIERS.items():
        if sign in signs:
            return ValueError(f"'{sign}' in '{text}': {pieces} cannot be defined")
    return ValueError(f"'{sign}' in '{text}' is not a piece atom ({_ATOMS})")


def parse(text: str) -> Movement:
    """Parse Betza notation; ValueError for what the kernels cannot play."""
    if len(text) > MAX_TEXT:
        raise ValueError(f"moves of more than {MAX_TEXT} letters")
    atoms: set[str] = set()
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _refusal(text[at], text)
        token = match.group()
        at = match.end()
        if token == "N0":
            token = "NN"
        for atom in COMPOUNDS.get(token, token) if token != "NN" else ["NN"]:
            if atom not in LEAPS and atom not in ("R", "B", "NN"):
                raise _refusal(atom, text)
            atoms.add(atom)
    if not atoms:
        raise ValueError("no movement given")
    for rider, leap in _COVERED.items():
        if rider in atoms:
            atoms.discard(leap)
    for rider, leaps in _ALONG.items():
        for leap in leaps:
            if rider in atoms and leap in atoms:
                raise ValueError(f"'{leap}' in '{text}' jumps along the line of '{rider}'")
    return Movement(
        leaps="".join(atom for atom in LEAPS if atom in atoms),
        rook="R" in atoms,
        bishop="B" in atoms,
        nightrider="NN" in atoms,
    )
