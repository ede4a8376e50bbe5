"""``play``: a game against the engine in this terminal."""

from __future__ import annotations

import argparse
import sys

from ryugi_engine import process
from ryugi_engine.commands.common import (
    DEFAULT_GAME,
    colour_option,
    load_variants,
    tell_of_compiling,
    whole_number,
)
from ryugi_engine.errors import UserError
from ryugi_engine.output import NEW, output_option
from ryugi_engine.terminal.screen import ask, in_colours


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument("--variant", help="the game (default: asks, or ryugi without a terminal)")
    parser.add_argument("--fen", help="position (default: the start)")
    text = "your side (default: w, or the one of the resumed game)"
    parser.add_argument("--side", choices=("w", "b"), help=text)
    parser.add_argument(
        "--tc",
        default="st=2",
        metavar="SEC+INC",
        help="the engine's clock, or st=SEC for a time a move (default: st=2)",
    )
    parser.add_argument(
        "--skill",
        type=whole_number(0, 20),
        default=20,
        metavar="0-20",
        help="Skill Level of the engine, 0 is weakest (default: 20)",
    )
    text = "continue the unfinished game of a record, which is kept there"
    output_option(parser, "--resume", None, metavar="FILE", help=text)
    output_option(parser, "--save", NEW, metavar="FILE", help="keep the game here as it goes on")
    colour_option(parser)


def _ask_for_game(arguments: argparse.Namespace) -> str:
    """Ask for a game by its number or name; the default for an empty line or no terminal."""
    if not sys.stdin.isatty():
        return DEFAULT_GAME
    registry = load_variants(arguments)
    games = registry.games()
    for number, game in enumerate(games, start=1):
        print(f"{number:3d}  {game.title}")
    titles = {game.title.lower(): game.name for game in games}
    while True:
        try:
            answer = ask(f"Which game? (number or name, Enter for {DEFAULT_GAME}) ").strip()
        except EOFError:
            return DEFAULT_GAME
        if answer.isdecimal() and 0 < int(answer[:9]) <= len(games):
            return games[int(answer) - 1].name
        try:
            return registry.game(titles.get(answer.lower(), answer or DEFAULT_GAME)).name
        except UserError as error:
            print(error)


def run(arguments: argparse.Namespace) -> int:
    """Play until the person leaves."""
    file = None
    if arguments.resume is not None:
        for name in ("variant", "fen", "save"):
            if getattr(arguments, name) is not None:
                raise UserError(f"--resume goes without --{name}: the record has it")
        tell_of_compiling()
        from ryugi_engine.records.record_file import open_record

        file = open_record(arguments.resume, load_variants(arguments), None)
        variant = file.playback.game.name
    else:
        variant = arguments.variant or _ask_for_game(arguments)
    side = arguments.side or "w"
    if file is not None and arguments.side is None:
        engines = file.playback.record.tags.get("White", "").startswith("ryugi-engine")
        side = "b" if engines else "w"
    tell_of_compiling()
    from ryugi_engine.games.drawing import Ink
    from ryugi_engine.match.timecontrol import TimeControl
    from ryugi_engine.terminal.play import Play

    game = Play(
        variant,
        arguments.fen,
        side="wb".index(side),
        control=TimeControl.read(arguments.tc),
        skill=arguments.skill,
        ink=Ink(in_colours(arguments.colour)),
        read=ask,
        write=lambda text: print(text, flush=True),
        save=arguments.save,
        resume=file,
        variants_file=arguments.variants,
    )
    with process.ending_tidily():
        game.run()
    return 0
