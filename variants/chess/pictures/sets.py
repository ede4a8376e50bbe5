"""Pieces of shogi, xiangqi and janggi: wedges, discs and octagons with a sign.

Signs are Chinese characters where this machine has a font with all that a game needs. Elsewhere a
piece has its letter and marks of its moves.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from html import escape

from ryugi_engine.games.drawing import INK, MARK, short
from variants.chess.definition.appearance import JANGGI, SHOGI, XIANGQI
from variants.chess.definition.definition import Definition

#: Outlines in a box of 48 pixels; the wedge points up.
_WEDGE = "M24 3L37 10L43 45L5 45L11 10Z"
_OCTAGON = "M16 3L32 3L45 16L45 32L32 45L16 45L3 32L3 16Z"
#: Wood of White's and Black's wedges, and the signs' colours of both sides by set.
_WOODS = ("#f3dcab", "#dcb878")
_IVORY = "#faf0d8"
_COLOURS = {
    SHOGI: (INK, INK), XIANGQI: (MARK, INK), JANGGI: ("#1d4f91", MARK),
}  # fmt: skip
#: By letter; Black's in lower case where it differs.
SIGNS: Mapping[str, Mapping[str, str]] = {
    SHOGI: {
        "P": "歩", "L": "香", "N": "桂", "S": "銀", "G": "金", "B": "角", "R": "飛", "K": "玉",
        "k": "王", "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍",
        "H": "馬", "D": "龍",
    },
    XIANGQI: {
        "K": "帥", "A": "仕", "B": "相", "N": "傌", "R": "俥", "C": "炮", "P": "兵",
        "k": "將", "a": "士", "b": "象", "n": "馬", "r": "車", "c": "砲", "p": "卒",
    },
    JANGGI: {
        "K": "楚", "A": "士", "B": "象", "N": "馬", "R": "車", "C": "包", "P": "卒",
        "k": "漢", "p": "兵",
    },
}  # fmt: skip
_FONT_SECONDS = 5


def signs_of(game: Definition) -> dict[str, str]:
    """Return the signs of a game's pieces, ``P``, ``p``, ``+P``; {} where no font has them."""
    own = game.appearance.signs
    known = {**SIGNS[game.appearance.piece_set], **own}
    # a sign of its own is both sides'
    hidden = {letter.lower() for letter in own if letter.isupper()} - {*own}
    signs = {letter: sign for letter, sign in known.items() if letter not in hidden}
    return signs if _has_font("".join(sorted(set("".join(signs.values()))))) else {}


@cache
def _has_font(signs: str) -> bool:
    """Return whether a font of this machine has all characters of a text."""
    if sys.platform in ("darwin", "win32"):
        return True  # they come with such fonts
    import shutil  # late: a start draws nothing
    import subprocess

    program = shutil.which("fc-list")
    if program is None:
        return False
    charset = " ".join(f"{ord(sign):x}" for sign in signs)
    try:
        done = subprocess.run(
            [program, f":charset={charset}", "file"],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=_FONT_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and bool(done.stdout.strip())


def figure(game: Definition, sign: str, marks: str, lettered: bool = False) -> str:
    """Return a piece's picture; ``marks`` are those of its moves, for a piece without a sign.

    A ``lettered`` one has no sign where a font has them.
    """
    piece_set, side = game.appearance.piece_set, int(sign.islower())
    signs, letter = {} if lettered else signs_of(game), sign[-1].upper()
    ink, _paper, _side = colours_of(game, sign)
    text = signs.get(sign) or signs.get(sign.upper(), "")
    inside = _character(text, ink, piece_set) if text else _symbol(letter, ink, piece_set, marks)
    return _BODIES[piece_set](side, _COLOURS[piece_set][side], letter == game.royal, inside)


def colours_of(game: Definition, sign: str) -> tuple[str, str, int]:
    """Return the ink and the paper of a piece, and whose moves its marks show as it is drawn."""
    piece_set, side = game.appearance.piece_set, int(sign.islower())
    ink = MARK if sign[0] == "+" else _COLOURS[piece_set][side]
    # Black's wedges are turned as a whole
    return (ink, _WOODS[side], 0) if piece_set == SHOGI else (ink, _IVORY, side)


def _symbol(letter: str, ink: str, piece_set: str, marks: str) -> str:
    """Return a letter with marks around."""
    scale, y = (0.68, 28) if piece_set == SHOGI else (0.85, 24)
    where = f"translate({short(24 - 24 * scale)} {short(y - 24 * scale)}) scale({scale})"
    text = f'<text x="24" y="31" font-size="20" text-anchor="middle" fill="{ink}">{letter}</text>'
    return f'<g transform="{where}">{text}{marks}</g>'


def _character(text: str, colour: str, piece_set: str) -> str:
    size, y = (22, 35) if piece_set == SHOGI else (24, 32.5)
    if len(text) == 2:
        size -= 9
        y -= 3
    return (
        f'<text x="24" y="{short(y)}" font-size="{size}" text-anchor="middle"'
        f' fill="{colour}">{escape(text)}</text>'
    )


def _wedge(side: int, colour: str, royal: bool, inside: str) -> str:
    shape = (
        f'<path d="{_WEDGE}" fill="{_WOODS[side]}" stroke="{INK}"'
        f' stroke-width="{2.2 if royal else 1.5}" stroke-linejoin="round"/>'
    )
    whole = shape + inside
    return f'<g transform="rotate(180 24 24)">{whole}</g>' if side else whole


def _disc(side: int, colour: str, royal: bool, inside: str) -> str:
    return (
        f'<circle cx="24" cy="24" r="21.5" fill="{_IVORY}" stroke="{INK}" stroke-width="1.4"/>'
        f'<circle cx="24" cy="24" r="19" fill="none" stroke="{colour}" stroke-width="1.4"/>{inside}'
    )


def _octagon(side: int, colour: str, royal: bool, inside: str) -> str:
    shape = (
        f'<path d="{_OCTAGON}" fill="{_IVORY}" stroke="{colour}"'
        f' stroke-width="2.4" stroke-linejoin="round"/>{inside}'
    )
    if royal:
        return shape
    return f'<g transform="translate(2.9 2.9) scale(0.88)">{shape}</g>'


_BODIES = {SHOGI: _wedge, XIANGQI: _disc, JANGGI: _octagon}
