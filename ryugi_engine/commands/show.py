"""``show``: a position as text, or as a picture."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine.commands.common import (
    board_options,
    game_of,
    ink_of,
    position_of,
    position_options,
    put,
)
from ryugi_engine.files import naming, write_whole
from ryugi_engine.output import FIGURES, PICTURE, output_option
from ryugi_engine.plain_text import plain

if TYPE_CHECKING:
    from ryugi_engine.games.position import Position


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    position_options(parser)
    output_option(parser, "--svg", PICTURE, metavar="FILE", help="write the picture to FILE")
    text = "write the pieces' figures into a folder, for XBoard's -pieceImageDirectory"
    output_option(parser, "--pieces", FIGURES, metavar="DIR", help=text)
    board_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the board, its text and how the game has ended, if it has."""
    position = position_of(game_of(arguments, arguments.variant), arguments)
    outcome = position.outcome()
    print(position.board_text(ink_of(arguments), mark=True))
    print()
    print(f"Fen: {position.text()}")
    if outcome is not None:
        print(f"Result: {outcome.result} ({outcome.reason})")
    if arguments.svg is not None:
        put(arguments.svg, position.draw().svg(), PICTURE, "Picture")
    if arguments.pieces is not None:
        _write_figures(position, arguments.pieces)
    return 0


def _write_figures(position: Position, folder: Path) -> None:
    """Write a file for each piece of each side, by XBoard's names."""
    from ryugi_engine.games.drawing import figure_file
    from xboard.setup import picture_files

    game = position.game
    with naming(folder):
        folder.mkdir(exist_ok=True)
    for name, letter in picture_files(game).items():
        path = folder / name
        with naming(path):
            picture = figure_file(position.rules.figure(letter), f"{game.title}: {letter}")
            write_whole(path, picture, PICTURE)
    print(f"Pieces: {plain(str(folder))}")
