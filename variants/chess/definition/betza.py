"""Betza 2.0: the moves of a piece as text, parsed to a table of move descriptions.

The dialect is that of XBoard's ``piece`` command: atoms, riders of any range, directions, the
modifiers ``mcinjpge`` and castling by ``O``. Sources: R. Betza's "funny notation",
https://www.chessvariants.com/d.betza/, and H. G. Muller's extension of it,
https://www.gnu.org/software/xboard/Betza.html.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import prod
from typing import NamedTuple

from variants.chess.definition.betza_legs import (
    LEAPS,
    LEG_MODIFIERS,
    legs_moves,
    round_directions,
    step_of,
)
from variants.chess.definition.definition import (
    MAX_MOVES,
    MAX_TRAILS,
    UNLIMITED,
    Castling,
    Move,
    Movement,
)

#: Maximum length of a piece's moves as text.
MAX_TEXT = 100
#: Shorthands for riders, and for two atoms.
_RIDERS = {"R": "W", "B": "F"}
_COMPOUNDS = {"K": "WF", "Q": "RB"}
#: Lame leaps that Fairy-Stockfish plays; it plays others as no moves at all.
_THEIR_LAME = "DNAZ"
#: Atoms with eight directions that are not oblique.
_EIGHT = "KQ"
_VERTICAL, _HORIZONTAL = "fbvh", "rlsh"
#: Which direction letters select each of the eight leaps (x, y) of an atom (a, b).
_SELECTED = (
    ("b", "a", "ff vv rf rv fh rh hr"),
    ("-b", "-a", "bb vv lb lv bh lh hr"),
    ("a", "-b", "rr ss br bs bh rh hr"),
    ("-a", "b", "ll ss fl fs fh lh hr"),
    ("a", "b", "rr ss fr fs fh rh hl"),
    ("-a", "-b", "ll ss bl bs bh lh hl"),
    ("b", "-a", "bb vv rb rv bh rh hl"),
    ("-b", "a", "ff vv lf lv fh lh hl"),
)
#: Modifiers of Betza's notation that XBoard's has not: LIMITS.md has their section.
_UNPLAYABLE = {
    "z": "crooked riders", "q": "circular riders", "u": "pieces that drop others",
}  # fmt: skip
_MODIFIERS = "mcinjpge" + LEG_MODIFIERS
_ATOMS = f"{''.join(sorted(LEAPS))} K R B Q and O"


def _refused(sign: str, text: str) -> ValueError:
    if sign in _UNPLAYABLE:
        reason = f"{_UNPLAYABLE[sign]} cannot be defined, see LIMITS.md, 'Moves'"
        return ValueError(f"'{sign}' in '{text}': {reason}")
    return ValueError(f"'{sign}' in '{text}' is not a piece atom: atoms are {_ATOMS}")


def _directions(letters: str, orthogonal: bool) -> list[str]:
    """Return pairs of direction letters, such as ``ff`` or ``fr``; a single letter is doubled."""
    pairs: list[str] = []
    at = 0
    while at < len(letters):
        one, two = letters[at], letters[at + 1 : at + 2]
        crossed = (one in _VERTICAL and two in _HORIZONTAL) or (
            one in _HORIZONTAL and two in _VERTICAL
        )
        if two and (one == two or crossed):
            pairs.append(one + two)
            at += 2
        else:
            pairs.append(one + one)
            at += 1
    if orthogonal:  # fsW is forward and sideways
        return [letter + letter for pair in pairs for letter in dict.fromkeys(pair)]
    return pairs


def _vectors(atom: str, letters: str) -> list[tuple[int, int]]:
    """Return the leaps of an atom in some directions, all without any."""
    a, b = LEAPS[atom]
    size = {"a": a, "b": b, "-a": -a, "-b": -b}
    pairs = _directions(letters, b == 0)
    found: dict[tuple[int, int], None] = {}
    for x, y, selecting in _SELECTED:
        if not pairs or any(pair in selecting.split() for pair in pairs):
            found[size[x], size[y]] = None
    return list(found)


def _scaled(atom: str, vector: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Return the squares that a lame leap passes: straight steps first, then diagonal ones."""
    a, b = LEAPS[atom]
    x, y = vector
    along_x = abs(x) == a
    sx, sy = (x > 0) - (x < 0), (y > 0) - (y < 0)
    path = [(step, max(step - (a - b), 0)) for step in range(1, a)]
    return tuple((sx * p, sy * q) if along_x else (sx * q, sy * p) for p, q in path)


def without_unplayed(text: str) -> tuple[str, str]:
    """Return a text without lame leaps that Fairy-Stockfish does not play, and the first of them.

    The second is "" if there is none. ValueError names what is not Betza notation.
    """
    first = ""
    for token in _tokens(text):
        letters = token.prefix + token.atom
        if "n" in token.modifiers and token.atom not in f"{_THEIR_LAME}WFKQRBO" and not token.steps:
            text, first = text.replace(letters, "", 1), first or letters
    return text, first


class _Token(NamedTuple):
    prefix: str  # all letters before the atom
    atom: str
    steps: int  # 0: a leap

    @property
    def modifiers(self) -> str:
        return "".join(sign for sign in self.prefix if sign in _MODIFIERS)

    @property
    def directions(self) -> str:
        """The directions of the first leg."""
        first = self.prefix.partition("a")[0]
        return "".join(sign for sign in first if sign in _VERTICAL + _HORIZONTAL)


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    prefix = ""
    at = 0
    while at < len(text):
        sign = text[at]
        at += 1
        if sign in _MODIFIERS + _VERTICAL + _HORIZONTAL:
            prefix += sign
        elif sign in LEAPS or sign in "KRBQO":
            steps = UNLIMITED if sign in "RBQ" else 0
            if text[at : at + 1] == sign and sign != "O":
                steps, at = UNLIMITED, at + 1
            first = at
            while text[at : at + 1].isascii() and text[at : at + 1].isdigit():
                at += 1
            if at > first:
                if at - first > 2:
                    raise ValueError(f"'{text[first:at][:8]}' in '{text}' is no range")
                steps = int(text[first:at]) or UNLIMITED
            tokens.append(_Token(prefix, sign, min(steps, UNLIMITED)))
            prefix = ""
        else:
            raise _refused(sign, text)
    if prefix:
        raise ValueError(f"'{text}' ends without an atom")
    return tokens


def _castling(token: _Token, text: str) -> Castling:
    if "i" not in token.modifiers or token.steps < 2:
        raise ValueError(f"'O' in '{text}': castling is written isO2: initial, sides, squares")
    sides = {"": "rl", "s": "rl", "r": "r", "l": "l"}.get(token.directions)
    if sides is None:
        raise ValueError(f"'{token.directions}' in '{text}': castling goes sideways")
    return Castling(sides, token.steps, token.modifiers.count("j"))


def _steps_of(token: _Token, atom: str, of_eight: bool) -> list[tuple[int, int]]:
    """Return the steps of one of a token's atoms, W or F for K and Q."""
    if of_eight and token.atom in _EIGHT and token.directions:
        wanted = {step_of(token.atom, turn) for turn in round_directions(token.directions)}
        return [vector for vector in _vectors(atom, "") if vector in wanted]
    return _vectors(atom, token.directions)


def _needs_legs(token: _Token, atom: str, steps: int) -> bool:
    signs = token.modifiers
    riding = steps > 1 and atom not in "WF" and ("n" in signs or "j" in signs)
    return riding or ("j" in signs and atom in "WF") or any(s in LEG_MODIFIERS for s in signs)


def _moves(token: _Token, text: str, of_eight: bool) -> Iterator[Move]:
    """Yield the moves of one atom with its modifiers."""
    signs = token.modifiers
    hop = "g" if "g" in signs else "p" if "p" in signs else ""
    quiet, capture = "m" in signs or "c" not in signs, "c" in signs or "m" not in signs
    for letter in _COMPOUNDS.get(token.atom, token.atom):
        atom = _RIDERS.get(letter, letter)
        steps = max(token.steps, 1)
        vectors = _steps_of(token, atom, of_eight)
        if _needs_legs(token, atom, steps):
            later = token.atom if token.atom in _EIGHT else atom
            yield from legs_moves(token.prefix, later, steps, vectors, text)
            continue
        if hop and steps == 1:
            raise ValueError(f"'{hop}' in '{text}': only riders hop")
        lame = ("n" in signs or "j" in signs) and atom not in "WF"
        if lame and not of_eight and atom not in _THEIR_LAME:
            raise ValueError(f"'n{atom}' in '{text}': Fairy-Stockfish plays it as no move at all")
        for vector in vectors:
            yield Move(
                *vector,
                steps=steps,
                quiet=quiet,
                capture=capture,
                initial="i" in signs,
                late="ii" in signs,
                hop=hop,
                path=_scaled(atom, vector) if lame else (),
                jump="j" in signs,
            )


@lru_cache(maxsize=1000)
def parse(text: str, *, of_eight: bool = True) -> Movement:
    """Parse Betza notation; "" is a piece that does not move. ValueError names what is wrong.

    ``of_eight``: K and Q have eight directions, of which ``f`` is one, as in XBoard. Otherwise they
    are WF and RB, as in Fairy-Stockfish, where ``fK`` has three moves.
    """
    if len(text) > MAX_TEXT:
        raise ValueError(f"moves of more than {MAX_TEXT} letters")
    moves: dict[Move, None] = {}
    castling: dict[Castling, None] = {}
    trails = 0
    for token in _tokens(text):
        if token.atom == "O":
            castling[_castling(token, text)] = None
            continue
        for move in _moves(token, text, of_eight):
            if move in moves:
                continue
            moves[move] = None
            trails += prod(leg.steps for leg in move.legs)
            if len(moves) > MAX_MOVES:
                raise ValueError(f"more than {MAX_MOVES} moves")
            if trails > MAX_TRAILS:
                raise ValueError(f"'{text}': more than {MAX_TRAILS} ways to go by riding legs")
    return Movement(tuple(moves), tuple(castling))
