"""Which picture a piece has: by what it moves like, and only then by its letter.

What moves as rook and knight is a chancellor in any game. A piece that moves as none of those with
a picture may have that of its name. Others have a figure that is made from their moves.

Such a figure is a disc with the piece's letter. Marks on its rim show the directions of the piece's
moves. A rider has a line, a step a dot, a leap a hollow dot. Red marks capture only, thin or hollow
ones only move. A ring marks a royal piece, a red rim a promoted one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

from ryugi_engine.games.drawing import MARK, SIDES, short
from ryugi_engine.games.look import LINES, Look
from variants.chess.definition import betza
from variants.chess.definition.appearance import CHESS, SHOGI
from variants.chess.definition.definition import Definition, Move, Movement
from variants.chess.pictures import pieces, sets

#: Walls, and the duck.
WALL_SIGN = "*"
_WALL = (
    '<rect x="3" y="3" width="42" height="42" fill="#6d655a"/>'
    '<path d="M3 17L45 17M3 31L45 31M17 3L17 17M31 17L31 31M17 31L17 45" fill="none"'
    ' stroke="#4c463e" stroke-width="2"/>'
)
_DUCK = (
    '<path d="M8 27C12 31 17 29 19 25C14 22 14 12 22 10C29 9 33 14 31 20L29 24C35 25 40 23 43 19'
    'C45 31 38 41 26 41C15 41 8 36 8 27Z" fill="#f2c230" stroke="#2b2620" stroke-width="1.8"'
    ' stroke-linejoin="round"/>'
    '<path d="M16 15L7 18L16 20Z" fill="#e0702a" stroke="#2b2620" stroke-width="1.2"/>'
    '<path d="M22 14L22 17" fill="none" stroke="#2b2620" stroke-width="2.4"/>'
)
_CENTRE, _RIM, _MARKS = 24, 20, 16.5


def permanent_moves(movement: Movement) -> frozenset[Move]:
    """Return a piece's permanent moves as a set, independent of their written order."""
    return frozenset(move for move in movement.moves if not move.initial)


@cache
def _named() -> Mapping[str, frozenset[Move]]:
    """Return the moves of the pieces with a picture by name, without the pawn."""
    named = {piece.name: piece.betza for piece in pieces.NAMED}
    return {name: permanent_moves(betza.parse(text)) for name, text in named.items() if text != ""}


def assign(game: Definition) -> Mapping[str, str]:
    """Return the named picture of each letter that has one; no two letters share a picture."""
    names: dict[str, str] = {}
    if game.pawn and permanent_moves(game.pieces[game.pawn]) == permanent_moves(
        betza.parse("fmWfceF")
    ):
        names[game.pawn] = pieces.PAWN
    own_letters = {piece.name: piece.letter for piece in pieces.NAMED}
    for own in (True, False):
        for letter, movement in game.pieces.items():
            for name, moves in _named().items():
                free = letter not in names and name not in names.values()
                meant = own_letters[name] == letter or not own
                royal = (name == pieces.KING) == (letter == (game.royal or "K"))
                limited = letter in game.rules.mobility_region
                if free and meant and royal and not limited and permanent_moves(movement) == moves:
                    names[letter] = name
    return names


def names_of(game: Definition) -> dict[str, str]:
    """Return what pieces are called by their letters, those without a name left out."""
    return dict(assign(game)) | dict(game.appearance.names)


def wall_name(game: Definition) -> str:
    """Return the name of what moves put on a further square; "" in games without walls."""
    rule = game.rules.walling_rule
    return "" if rule == "none" else {"duck": "Duck", "arrow": "Arrow"}.get(rule, "Wall")


def look_of(game: Definition) -> Look:
    """Return how a game's board is drawn: where it has lines, with the royal piece's palace."""
    appearance, palaces = game.appearance, []
    regions = game.rules.mobility_region.get(game.royal, ()) if appearance.board == LINES else ()
    for region in regions:
        files, ranks = zip(*region, strict=True) if region else ((), ())
        if region and len(region) == 9 and max(files) - min(files) == max(ranks) - min(ranks) == 2:
            palaces.append(((min(files), min(ranks)), (max(files), max(ranks))))
    turning = appearance.piece_set == SHOGI
    seam = game.files // 2 if game.rules.alice_boards else 0
    return Look(appearance.board, appearance.river, tuple(palaces), turning, seam)


def figure_of(
    game: Definition, names: Mapping[str, str], sign: str, *, lettered: bool = False
) -> str:
    """Return the picture of a sign, ``Q``, ``+p`` or ``*`` for a wall; White's in upper case.

    ``lettered``: without Chinese characters.
    """
    if sign == WALL_SIGN:
        return _DUCK if game.rules.walling_rule == "duck" else _WALL
    letter = sign[-1].upper()
    promoted = sign[0] == "+"
    moves_as = game.rules.promoted_piece_type.get(letter, letter) if promoted else letter
    movement = game.pieces[moves_as]
    if game.appearance.piece_set != CHESS:
        ink, paper, side = sets.colours_of(game, sign)
        marks = sorted({_mark(move, side, ink, paper) for move in permanent_moves(movement)})
        return sets.figure(game, sign, "".join(marks), lettered)
    given = game.appearance.names.get(letter, "")
    name = names.get(letter) or (given if given in pieces.BY_NAME else "")
    if not promoted and name:
        return pieces.figure(name, int(sign.islower()))
    return made(
        letter, int(sign.islower()), promoted, letter == game.royal, permanent_moves(movement)
    )


@cache
def made(letter: str, side: int, promoted: bool, royal: bool, moves: frozenset[Move]) -> str:
    """Return the figure of a piece with these moves."""
    fill, outline = SIDES[side]
    ink = SIDES[1 - side][0]
    rim, width = (MARK, "3") if promoted else (outline, "1.5")
    size = 18 if not promoted else 16
    parts = [
        f'<circle cx="24" cy="24" r="21" fill="{fill}" stroke="{rim}" stroke-width="{width}"/>',
        f'<text x="24" y="{24 + size * 0.36:.3g}" font-size="{size}" text-anchor="middle"'
        f' fill="{ink}">{"+" * promoted}{letter}</text>',
    ]
    if royal:
        parts.append(
            f'<circle cx="24" cy="24" r="12" fill="none" stroke="{ink}" stroke-width="1.4"/>'
        )
    parts += sorted({_mark(move, side, ink, fill) for move in moves})
    return "".join(parts)


def _mark(move: Move, side: int, ink: str, fill: str) -> str:
    """Return the mark of a move: where it goes, and how."""
    length = (math.hypot(move.dx, move.dy) or 1) * (1 if side == 0 else -1)
    x, y = move.dx / length, -move.dy / length

    def at(radius: float) -> str:
        return f"{short(_CENTRE + x * radius)} {short(_CENTRE + y * radius)}"

    colour = ink if move.quiet else MARK
    width = 1.2 if not move.capture else 2.6
    if move.steps > 1 and not move.legs:
        path = f"M{at(13)}L{at(_RIM)}"
        if move.hop:  # two pieces of a line: over something
            path = f"M{at(12.5)}L{at(14.5)}M{at(17)}L{at(_RIM)}"
        return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
    near = max(abs(move.dx), abs(move.dy)) == 1
    inner = colour if near and move.capture else fill
    centre = at(_MARKS).split()
    return (
        f'<circle cx="{centre[0]}" cy="{centre[1]}" r="2" fill="{inner}" stroke="{colour}"'
        ' stroke-width="1"/>'
    )
