"""Moves of several legs in Betza 2.0: ``a`` ("again") and what only a leg can say.

Modifiers before an ``a`` belong to one leg, those after it to the next, whose directions are
relative to the leg before. Source: H. G. Muller's description of the notation,
https://www.gnu.org/software/xboard/Betza.html, and how XBoard's ``piece`` command reads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from variants.chess.definition.definition import MAX_LEGS, UNLIMITED, Leg, Move

#: The leap of every atom: the longer and the shorter step. An atom is added here alone; of two for
#: one leap the first is written.
LEAPS = {
    "W": (1, 0), "F": (1, 1), "D": (2, 0), "N": (2, 1), "A": (2, 2), "H": (3, 0), "C": (3, 1),
    "Z": (3, 2), "G": (3, 3), "L": (3, 1), "J": (3, 2),
}  # fmt: skip
#: Longer step of atoms that have all eight directions, by turns of 45 degrees.
_ROUND = {atom: a for atom, (a, b) in LEAPS.items() if b in (0, a)} | dict.fromkeys("KQRB", 1)
_RIDERS = "RBQ"
#: Directions from 0, straight ahead, clockwise by 45 degrees: alone, and next to another letter.
_ALONE = {"f": {0}, "b": {4}, "l": {6}, "r": {2}, "s": {2, 6}, "v": {0, 4}, "h": set(range(8))}
_BESIDE = {
    "f": {7, 0, 1}, "b": {3, 4, 5}, "l": {5, 6, 7}, "r": {1, 2, 3}, "s": {1, 2, 3, 5, 6, 7},
    "v": {7, 0, 1, 3, 4, 5}, "h": set(range(8)),
}  # fmt: skip
_DIRECTIONS = "fblrvsh"
#: Modifiers that a simple move cannot express.
LEG_MODIFIERS = "adtoy"


class _Leg(NamedTuple):
    """The modifiers of a leg: directions and the others."""

    directions: str
    modes: str


def round_directions(letters: str) -> set[int]:
    """Return the directions of letters among eight, as for K and for later legs."""
    found: set[int] = set()
    at = 0
    while at < len(letters):
        one, two = letters[at], letters[at + 1 : at + 2]
        at += 1
        if two == one:
            at += 1
            found |= _ALONE[one]
        elif two and one in "fblr" and _crosses(one, two):
            at += 1
            found |= _BESIDE[one] & _BESIDE[two]
        else:
            found |= _ALONE[one]
    return found


def _crosses(one: str, two: str) -> bool:
    """Return whether two direction letters name a direction between them."""
    return two in "lrs" if one in "fb" else two in "fbv"


def step_of(atom: str, direction: int) -> tuple[int, int]:
    """Return the step of an atom in one of eight directions."""
    signs = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
    if atom in _ROUND:
        x, y = signs[direction % 8]
        return x * _ROUND[atom], y * _ROUND[atom]
    a, b = LEAPS[atom]
    around = ((b, a), (a, b), (a, -b), (b, -a), (-b, -a), (-a, -b), (-a, b), (-b, a))
    return around[direction % 8]


def direction_of(atom: str, vector: tuple[int, int]) -> int:
    """Return the direction in which an atom makes a step."""
    return next(n for n in range(8) if step_of(atom, n) == vector)


def _split(prefix: str, text: str) -> list[_Leg]:
    legs = []
    for part in prefix.split("a"):
        rest = part.lstrip(_DIRECTIONS)
        directions = part[: len(part) - len(rest)]
        if any(sign in _DIRECTIONS for sign in rest):
            raise ValueError(f"'{part}' in '{text}': directions stand before the other modifiers")
        legs.append(_Leg(directions, rest))
    return legs


def _enter(modes: str, last: bool) -> str:
    """Return on what a leg may end: m empty, c an enemy, d an own piece; p and o pass over one."""
    found = "".join(sign for sign in "mcd" if sign in modes)
    if last:
        return found or "mc"
    if "p" in modes or "g" in modes:
        found += "o" if "t" in modes else "po"
    if "y" in modes:
        found += "m" if "m" not in found else ""
    return found or "m"


class _Chain:
    """The legs of one atom with its modifiers, put together."""

    def __init__(self, legs: list[_Leg], atom: str, steps: int, text: str) -> None:
        self.legs, self.atom, self.text = legs, atom, text
        self.steps = [steps]
        for leg in legs[:-1]:
            toggles = "g" in leg.modes or "y" in leg.modes
            now = self.steps[-1]
            self.steps.append((UNLIMITED if now == 1 else 1) if toggles else now)
        for number, leg in enumerate(legs):
            if ("e" in leg.modes and len(legs) > 1) or (number and "i" in leg.modes):
                raise ValueError(f"'{text}': 'e' in legs and a later leg's 'i' cannot be defined")
            if "o" in leg.modes and ("n" in leg.modes or "j" in leg.modes):
                raise ValueError(f"'{text}': 'n' and 'j' do not go together with 'o'")
        if sum("c" in leg.modes or "d" in leg.modes for leg in legs[:-1]) > 1:
            raise ValueError(f"'{text}': more than one capture on the way")
        hops = "p" in legs[-1].modes or "g" in legs[-1].modes
        if len(legs) + hops > MAX_LEGS:
            raise ValueError(f"'{text}': more than {MAX_LEGS} legs")

    def _middle(self, modes: str, vector: tuple[int, int]) -> tuple[int, int]:
        """Return the square halfway of a leap, where a piece blocks a lame one."""
        leaps = max(map(abs, vector)) > 1
        if not leaps or not ("n" in modes or "j" in modes):
            return (0, 0)
        return int(vector[0] / 2), int(vector[1] / 2)

    def paths(self, number: int, direction: int) -> Iterator[tuple[Leg, ...]]:
        """Yield the legs from one on, that goes in a direction."""
        modes, steps = self.legs[number].modes, self.steps[number]
        last = number == len(self.legs) - 1
        vector = step_of(self.atom, direction)
        skip = modes.count("j") if max(map(abs, vector)) == 1 else 0
        leg = Leg(
            *vector, steps=steps, enter=_enter(modes, last), skip=skip,
            middle=self._middle(modes, vector), jump="j" in modes,
        )  # fmt: skip
        if last:
            yield from self._ends(leg, modes)
            return
        captures = [sign for sign in leg.enter if sign in "cd"]
        passes = "".join(sign for sign in leg.enter if sign in "mpo")
        ways = [*captures, passes] if passes else captures
        for enter in ways:
            for turn in sorted(self._turns(number + 1)):
                for rest in self.paths(number + 1, direction + turn):
                    yield (leg._replace(enter=enter), *rest)

    def _ends(self, leg: Leg, modes: str) -> Iterator[tuple[Leg, ...]]:
        """Yield the last leg; a hopper's is two, up to its hurdle and on after it."""
        if "p" not in modes and "g" not in modes:
            yield (leg,)
        elif leg.steps < UNLIMITED:
            raise ValueError(f"'{self.text}': only riders without limit hop here")
        else:
            behind = leg._replace(steps=1) if "g" in modes else leg
            yield leg._replace(enter="po"), behind

    def _turns(self, number: int) -> set[int]:
        """Return the turns from one leg to the next: all but back, or those of 90 degrees."""
        letters = self.legs[number].directions
        if letters:
            return round_directions(letters)
        has_eight = self.atom in "KQ" or self.atom not in _ROUND
        return {0, 1, 2, 3, 5, 6, 7} if has_eight else {0, 2, 6}


def legs_moves(
    prefix: str, atom: str, steps: int, vectors: list[tuple[int, int]], text: str
) -> Iterator[Move]:
    """Yield the moves of an atom whose prefix has legs; ValueError names what is wrong.

    ``vectors`` are the steps of the first leg, ``steps`` its range.
    """
    legs = _split(prefix, text)
    initial = "i" in legs[0].modes
    legs[0] = legs[0]._replace(modes=legs[0].modes.replace("i", ""))
    chain = _Chain(legs, atom, steps, text)
    for vector in vectors:
        for path in chain.paths(0, direction_of(atom, vector)):
            last = path[-1]
            yield Move(
                path[0].dx, path[0].dy, steps=1,
                quiet="m" in last.enter, capture="c" in last.enter, initial=initial, legs=path,
                wraps="o" in prefix, tame="t" in legs[-1].modes,
            )  # fmt: skip
