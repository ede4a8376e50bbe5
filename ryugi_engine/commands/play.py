"""``play``: a game against the engine in this terminal."""

from __future__ import annotations

import argparse
import sys
import textwrap
from typing import TYPE_CHECKING

from ryugi_engine.commands.common import (
    DEFAULT_GAME,
    board_options,
    fen_option,
    game_of,
    game_option,
    ink_of,
    load_variants,
    net_option,
    rules_by,
    tell_of_compiling,
    whole_number,
)
from ryugi_engine.errors import UserError
from ryugi_engine.files.output import NEW, output_option
from ryugi_engine.processes import process
from ryugi_engine.search.levels import FIRST, FULL, NAMES
from ryugi_engine.terminal.screen import ask

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ryugi_engine.games.game import Game
    from ryugi_engine.records.record_file import RecordFile

#: Width of the list of games.
_COLUMNS = 79


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    game_option(parser, "asks, or ryugi without a terminal")
    fen_option(parser)
    text = "your side (default: w, or the one of the resumed game)"
    parser.add_argument("--side", choices=("w", "b"), help=text)
    parser.add_argument(
        "--tc",
        metavar="SEC+INC",
        help="the engine's clock, or st=SEC for a time a move (default: st=2, or that of the"
        " resumed game); where the rules let you lose a turn on time st=SEC is your time too",
    )
    parser.add_argument(
        "--level",
        type=whole_number(1, FULL),
        metavar=f"1-{FULL}",
        help=f"level of the engine, from {NAMES[0]} to {NAMES[-1]} (default: {FIRST}, or that of"
        " the resumed game)",
    )
    text = "continue the unfinished game of a record, which is kept there"
    output_option(parser, "--resume", None, metavar="FILE", help=text)
    output_option(parser, "--save", NEW, metavar="FILE", help="keep the game here as it goes on")
    net_option(parser)
    board_options(parser)


def _print_groups(groups: Mapping[str, Sequence[Game]]) -> None:
    """Print the titles of all games with their numbers, in the width of a terminal."""
    number = 0
    for group, games in groups.items():
        entries = []
        for game in games:
            number += 1
            mark = "*" if game.played_well else ""
            # no line is broken inside an entry
            entries.append(f"{number} {game.title}{mark}".replace(" ", "\xa0"))
        text = textwrap.fill(", ".join(entries), _COLUMNS, initial_indent="  ",
                             subsequent_indent="  ", break_on_hyphens=False)  # fmt: skip
        print(f"{group}:", text.replace("\xa0", " "), sep="\n")
    print("Games marked * are played by a net of their own or by an exact solver.")


def _ask_for_game(arguments: argparse.Namespace) -> str:
    """Ask for a game by its number or name; the default for an empty line or no terminal."""
    registry = load_variants(arguments)
    if registry.only_own is not None or not sys.stdin.isatty():
        return game_of(arguments, games=registry).name
    groups = registry.groups()
    games = [game for group in groups.values() for game in group]
    titles = {game.title.lower(): game.name for game in games}
    _print_groups(groups)
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


def _resumed(arguments: argparse.Namespace) -> RecordFile:
    """Return the record of ``--resume``; UserError for options that contradict it."""
    for name in ("variant", "fen", "save"):
        if getattr(arguments, name) is not None:
            raise UserError(f"--resume goes without --{name}: the record has it")
    from ryugi_engine.records.record_file import open_record

    return open_record(arguments.resume, load_variants(arguments), 1)


def run(arguments: argparse.Namespace) -> int:
    """Play games until the user quits."""
    from ryugi_engine.terminal.opponent import plays_as, strength_of

    variant, side, file, name = arguments.variant, arguments.side, None, ""
    if arguments.resume is None:
        variant = variant or _ask_for_game(arguments)
    tell_of_compiling()
    if arguments.resume is not None:
        file = _resumed(arguments)
        variant = file.playback.game.name
        tags = file.playback.record.tags
        if plays_as(tags.get("White", "")):
            side = side or "b"
        name = tags.get("White" if side == "b" else "Black", "")
    from ryugi_engine.clocks.time_control import TimeControl
    from ryugi_engine.kernel import compile_progress
    from ryugi_engine.terminal.line_editor import LineEditor
    from ryugi_engine.terminal.play import Play

    control, level = strength_of(name)
    if arguments.tc is not None:
        control = TimeControl.read(arguments.tc)
    if arguments.level is not None:
        level = int(arguments.level)
    if arguments.net:  # one that does not fit is refused
        rules_by(load_variants(arguments).game(variant), arguments)
    editor = LineEditor()
    game = Play(
        variant,
        arguments.fen,
        side="wb".index(side or "w"),
        control=control,
        level=level,
        ink=ink_of(arguments),
        read=editor.read,
        write=lambda text: print(text, flush=True),
        save=arguments.save,
        resume=file,
        variants_file=arguments.variants,
        net=arguments.net,
        turn_seconds=control.per_move if arguments.tc else 0.0,
    )
    editor.complete_with(game.completions)
    compile_progress.watch(None)  # not while a person is asked
    with process.ending_tidily():
        game.run()
    return 0
