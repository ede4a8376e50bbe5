"""Draw the chess-like games' pieces on one sheet: the picture in their RULES.md is made by this.

scripts/draw_pieces.py [FILE]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ryugi_engine.files import write_whole
from ryugi_engine.output import PICTURE
from variants.chess.pictures.sheet import sheet

SHEET = Path(__file__).parents[1] / "variants" / "chess" / "pictures" / "pieces.svg"

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("file", nargs="?", type=Path, default=SHEET)
    write_whole(parser.parse_args().file, sheet(), PICTURE)
