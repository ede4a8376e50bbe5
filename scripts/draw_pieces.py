"""Draw the chess-like games' pieces on one sheet: the picture in their RULES.md is made by this.

Small and large, both sides', on light and dark squares.

scripts/draw_pieces.py [FILE]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ryugi_engine.files.output import PICTURE
from ryugi_engine.files.writing import write_whole
from ryugi_engine.games.drawing import DARK, LIGHT, Drawing
from variants.chess.pictures.figures import made
from variants.chess.pictures.pieces import NAMED, figure

SHEET = Path(__file__).parents[1] / "variants" / "chess" / "pictures" / "pieces.svg"
#: Pixels of a small and of a large square.
SIZES = (24, 64)
_COLUMNS, _WIDTH, _LINE, _MARGIN = 2, 528, 72, 16
_NAME = 140
#: What stands below a piece's name.
_MOVES = {
    "King": "one step, and castles",
    "Queen": "rook or bishop",
    "Rook": "straight lines",
    "Bishop": "diagonals",
    "Knight": "leaps",
    "Pawn": "forward, takes aslant",
    "Chancellor": "rook or knight",
    "Marshall": "rook or knight",
    "Archbishop": "bishop or knight",
    "Janus": "bishop or knight",
    "Dragon": "bishop or nightrider",
    "Unicorn": "bishop or nightrider",
    "Kirin": "step, jump of 2",
    "Lion": "step, jump of 2 or 3",
}


def sheet() -> str:
    """Return the sheet as an SVG file."""
    rows = [(p.name, _MOVES[p.name], [figure(p.name, side) for side in (0, 1)]) for p in NAMED]
    for name, royal in (("Any other", False), ("Any other royal", True)):
        discs = [made("X", side, False, royal, frozenset()) for side in (0, 1)]
        rows.append((name, "its letter" + " in a ring" * royal, discs))
    lines = -(-len(rows) // _COLUMNS)
    width, height = _COLUMNS * _WIDTH, lines * _LINE + 2 * _MARGIN
    picture = Drawing(width, height, "The pieces", scale=1)
    for number, (name, moves, figures) in enumerate(rows):
        x = _MARGIN + number // lines * _WIDTH
        y = _MARGIN + number % lines * _LINE
        picture.caption(x, y + 30, name, 17)
        picture.caption(x, y + 49, moves, 12)
        x += _NAME
        for size in SIZES:
            for square in (LIGHT, DARK):
                for drawn in figures:
                    top = y + (_LINE - size) / 2
                    picture.rectangle(x, top, size, size, square)
                    picture.figure(x, top, drawn, size)
                    x += size
            x += _MARGIN - 8
    return picture.svg()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("file", nargs="?", type=Path, default=SHEET)
    write_whole(parser.parse_args().file, sheet(), PICTURE)
