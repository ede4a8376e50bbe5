"""``positions``: a game's openings and bench positions."""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from ryugi_engine.commands.common import game_of, put, tell_of_compiling
from ryugi_engine.commands.settings_arguments import add_settings, settings_of
from ryugi_engine.files.output import OPENINGS, output_option
from ryugi_engine.files.reading import naming

if TYPE_CHECKING:
    from ryugi_engine.games.game import Game
    from ryugi_engine.search.opening_settings import OpeningSettings


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    from ryugi_engine.search.opening_settings import OpeningSettings

    text = "the game, one of --variants too (default: with --variants FILE of one game that one)"
    parser.add_argument("variant", nargs="?", metavar="GAME", help=text)
    output_option(
        parser,
        "--out",
        OPENINGS,
        metavar="FILE",
        help="write the openings to FILE, and no bench positions (default: openings/GAME.epd and"
        " bench/GAME.epd in the game's folder; for a game without a folder, standard output)",
    )
    add_settings(parser, OpeningSettings)


def run(arguments: argparse.Namespace) -> int:
    """Find the positions and write them; bench positions that are there stay."""
    game = game_of(arguments, default="")
    tell_of_compiling()
    from ryugi_engine.search.opening_positions import bench_positions, find_openings
    from ryugi_engine.search.opening_settings import OpeningSettings
    from ryugi_engine.text.progress import Progress

    settings = OpeningSettings(**settings_of(OpeningSettings, arguments))
    head = _head(game, settings)
    path, bench = arguments.out, None
    if path is None and game.folder is not None:
        path, bench = game.data_file("openings"), game.data_file("bench")
        for file in filter(None, (path, bench)):
            with naming(file):
                file.parent.mkdir(exist_ok=True)
                if file == path or not file.exists():
                    OPENINGS.check(file)  # before minutes of searches

    progress = Progress(
        "openings", lambda line: print(line, file=sys.stderr), wanted=settings.openings
    )
    openings: list[str] = []
    for text in find_openings(game, settings):
        openings.append(text)
        progress(len(openings))
    if path is None:
        print(_text(head, openings), end="")
    else:
        put(path, _text(head, openings), OPENINGS, "Openings")
    if bench is not None and not bench.exists():
        positions = bench_positions(game, openings, settings)
        put(bench, _text(head, positions), OPENINGS, "Bench positions")
    return 0


def _head(game: Game, settings: OpeningSettings) -> str:
    """Return the first line of a file: when it was made, and by which command."""
    options = (f"--{field.name} {getattr(settings, field.name)}" for field in fields(settings))
    today = datetime.datetime.now(tz=datetime.UTC).date()
    return f"# {today}: ryugi-engine positions {game.name} {' '.join(options)}"


def _text(head: str, positions: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in (head, *positions))
