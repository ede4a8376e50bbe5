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
    tell_of_compiling,
)
from ryugi_engine.files.output import FIGURES, PICTURE, output_option
from ryugi_engine.files.reading import naming
from ryugi_engine.files.writing import write_whole
from ryugi_engine.games.registry import move_marks
from ryugi_engine.text.plain_text import plain

if TYPE_CHECKING:
    from ryugi_engine.games.game import Game
    from ryugi_engine.games.position import Position


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    text = "moves to play first; the letter of a piece alone: a diagram of that piece's moves"
    position_options(parser, text)
    output_option(parser, "--svg", PICTURE, metavar="FILE", help="write the picture to FILE")
    text = "write the pieces' figures into a folder, for XBoard's -pieceImageDirectory"
    output_option(parser, "--pieces", FIGURES, metavar="DIR", help=text)
    board_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the board, the position text and the result, if the game is over."""
    game = game_of(arguments)
    letter = _piece(game, arguments.moves)
    if letter:
        return _show_moves(game, letter, arguments)
    position = position_of(game, arguments)
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


def _piece(game: Game, moves: list[str]) -> str:
    """Return the piece that is all that ``--moves`` names, ``N`` or ``+P``; "" if it is none."""
    letter = moves[0].upper() if len(moves) == 1 else ""
    promoted = letter[:1] == "+" and letter[1:] in game.promoted
    return letter if letter in game.pieces or promoted else ""


def _show_moves(game: Game, letter: str, arguments: argparse.Namespace) -> int:
    """Print a diagram of a piece's moves, and draw it if that is wanted."""
    from ryugi_engine.games.move_diagram import diagram_text, draw_diagram
    from ryugi_engine.games.position import Position

    moves = game.moves_of(letter)
    title = f"{letter} of {game.title}: {moves or 'does not move'}"
    marks = move_marks(moves)
    print(diagram_text(letter, title, marks))
    if arguments.svg is not None:
        tell_of_compiling()
        figure = Position(game).rules.figure(letter)
        drawing = draw_diagram(title, figure, marks, game.look.board)
        put(arguments.svg, drawing.svg(), PICTURE, "Picture")
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
