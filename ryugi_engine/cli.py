"""The command line. Without a subcommand the engine waits for ``uci`` or ``xboard``."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ryugi_engine import process
from ryugi_engine.arguments import parser
from ryugi_engine.commands.common import (
    MISMATCH,
    WRONG,
    CommandError,
    game_of,
    load_variants,
    position_of,
    tell_of_compiling,
)
from ryugi_engine.commands.perft import perft
from ryugi_engine.files import fault, write_whole
from ryugi_engine.games.game import GameError, counted
from ryugi_engine.terminal.screen import plain

if TYPE_CHECKING:
    pass


def _check_tuning() -> None:
    """Refuse a developer's wish for other numbers in the search, before anything has begun."""
    if os.environ.get("RYUGI_TUNE"):
        try:
            importlib.import_module("ryugi_engine.search.parameters")
        except ValueError as error:
            raise CommandError(str(error)) from None


def _bench(arguments: argparse.Namespace) -> int:
    if arguments.variant:
        games = [game_of(arguments, arguments.variant)]
    else:
        games = load_variants(arguments).games()
    tell_of_compiling()
    from ryugi_engine.search.bench import Bench

    Bench(games, arguments.depth, print, arguments.threads, arguments.hash).run()
    return 0


def _match(arguments: argparse.Namespace) -> int:
    game = game_of(arguments, arguments.variant)
    if len(arguments.engine) != 2:
        raise CommandError(
            f"--engine must be given twice, not {counted(len(arguments.engine), 'time')}"
        )
    tell_of_compiling()
    from ryugi_engine.match.run import MatchError, MatchPlan, play_match

    try:
        plan = MatchPlan.read(
            game,
            engines=arguments.engine,
            games=arguments.games,
            time_control=arguments.tc,
            pgn_out=arguments.pgn_out,
            openings=arguments.openings,
            seed=arguments.seed,
            max_plies=arguments.max_plies,
            resign=arguments.resign,
            draw=arguments.draw,
            time_margin=arguments.time_margin,
            variants_file=arguments.variants,
        )
        with process.ending_tidily():
            return play_match(plan, verbose=not arguments.quiet)
    except MatchError as error:
        raise CommandError(str(error)) from None


def _show(arguments: argparse.Namespace) -> int:
    from ryugi_engine.games.drawing import Ink
    from ryugi_engine.terminal.screen import in_colours

    position = position_of(game_of(arguments, arguments.variant), arguments)
    outcome = position.outcome()
    print(position.board_text(Ink(in_colours(arguments.colour)), mark=True))
    print()
    print(f"Fen: {position.text()}")
    if outcome is not None:
        print(f"Result: {outcome.result} ({outcome.reason})")
    if arguments.svg is not None:
        try:
            write_whole(arguments.svg, position.draw().svg())
        except OSError as error:
            raise CommandError(fault(arguments.svg, error)) from None
        print(f"Picture: {plain(str(arguments.svg))}")
    return 0


def _solve(arguments: argparse.Namespace) -> int:
    position = position_of(game_of(arguments, arguments.variant), arguments)
    from ryugi_engine.proving.solve import SolveError, solve

    def progress(nodes: int, seconds: float) -> None:
        if arguments.progress:
            print(f"  {counted(nodes, 'node')}, {seconds:.1f} s", file=sys.stderr)

    try:
        with process.ending_tidily():
            solution = solve(
                position,
                megabytes=arguments.hash,
                state_file=arguments.state,
                with_margin=arguments.margin,
                progress=progress,
            )
    except SolveError as error:
        raise CommandError(str(error)) from None
    if solution.result:
        winner = "White" if solution.result == "1-0" else "Black"
        plies = counted(solution.plies, "ply", "plies")
        print(f"Value: {solution.result} ({winner} wins, in at most {plies})")
        if solution.margin:
            print(f"Margin: {solution.margin}")
        print(f"Line: {' '.join(solution.line)}")
    else:
        print("Value: unknown (no forced win was found)")
    print(f"Nodes: {solution.nodes}")
    print(f"Time: {solution.seconds:.3f} s")
    return 0 if solution.result else MISMATCH


def _check_game(arguments: argparse.Namespace) -> int:
    game = game_of(arguments, arguments.game)
    tell_of_compiling()
    import random

    from ryugi_engine.games.contract import examine

    seed = random.randrange(2**31) if arguments.seed is None else arguments.seed
    verdict = examine(game, random.Random(seed), arguments.positions)
    for line in verdict.faults:
        print(plain(line))
    found = counted(len(verdict.faults), "fault") if verdict.faults else "no faults"
    print(f"{game.name}: {found} in {counted(verdict.positions, 'position')}, --seed {seed}")
    return MISMATCH if verdict.faults else 0


def _check(arguments: argparse.Namespace) -> int:
    if arguments.game is not None:
        return _check_game(arguments)
    from ryugi_engine.games.registry import read_definitions

    try:
        games = read_definitions(str(arguments.file))
    except OSError as error:
        raise CommandError(fault(arguments.file, error)) from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    for game in games:
        print(f"{game.name}: {game.title}, {game.files}x{game.ranks}, {game.start}")
    return 0


def _warmup(arguments: argparse.Namespace) -> int:
    began = time.perf_counter()
    tell_of_compiling()
    from ryugi_engine.games.registry import registry, rules_of
    from ryugi_engine.kernel import jit

    games = registry().games()
    modules = {game.rules_module: None for game in games}
    jit.load(*modules, "ryugi_engine.perft.count", "ryugi_engine.search.searcher", late=True)
    for game in games:
        rules_of(game)
    done = "compiled" if jit.compiled_entries else "loaded"
    print(f"kernels {done} in {time.perf_counter() - began:.1f} s: {jit.kept_in()}")
    return 0


def _doctor(arguments: argparse.Namespace) -> int:
    from ryugi_engine.commands.doctor import examine

    return MISMATCH if examine(lambda line: print(line, flush=True)) else 0


def _gui(arguments: argparse.Namespace) -> int:
    from ryugi_engine.commands.gui import GuiError, entries

    known = entries()
    with_files = [name for name, entry in known.items() if entry.path is not None]
    left = 0
    for name in arguments.gui or (with_files if arguments.write else list(known)):
        entry = known[name]
        if arguments.write:
            try:
                entry.install(arguments.force)
                print(f"{entry.gui}: written to {entry.path}")
            except GuiError as error:  # the others are none the worse for it
                left += 1
                print(f"ryugi-engine: {error}", file=sys.stderr)
            continue
        place = f" ({entry.path})" if entry.path is not None else ""
        print(f"# {entry.gui}{place}\n{entry.text}\n")
    return WRONG if left else 0


def _games(arguments: argparse.Namespace) -> int:
    for game in load_variants(arguments).games():
        names = ", ".join((game.name, *game.aliases))
        print(f"{names}: {game.title}, {game.files}x{game.ranks}")
    return 0


def _serve(arguments: argparse.Namespace) -> int:
    from ryugi_engine.core.conversation import Conversation
    from ryugi_engine.core.session import SessionError
    from uci.loop import Loop as Uci
    from xboard.loop import Loop as Xboard

    process.interrupt_quietly()
    if sys.stdin is None or sys.stdout is None:
        raise CommandError("standard input or output is closed")
    try:
        conversation = Conversation(
            sys.stdin.buffer,
            sys.stdout,
            arguments.variants,
            {"uci": Uci, "xboard": Xboard},
            getattr(arguments, "variant", None) or "",
        )
    except SessionError as error:
        raise CommandError(str(error)) from None
    return conversation.run(arguments.command or "")


def _record(arguments: argparse.Namespace) -> int:
    from ryugi_engine.records.record_file import RecordingError

    games = load_variants(arguments)
    tell_of_compiling()
    from ryugi_engine.commands import record as recorder

    try:
        with process.ending_tidily():
            return recorder.run(arguments, games, print)
    except RecordingError as error:
        raise CommandError(str(error)) from None


def _play(arguments: argparse.Namespace) -> int:
    from ryugi_engine.games.drawing import Ink
    from ryugi_engine.terminal.screen import ask, in_colours

    tell_of_compiling()
    from ryugi_engine.match.referee import TimeControl
    from ryugi_engine.terminal.play import Play, PlayError

    try:
        game = Play(
            arguments.variant,
            arguments.fen,
            side="wb".index(arguments.side),
            control=TimeControl.read(arguments.tc),
            skill=arguments.skill,
            ink=Ink(in_colours(arguments.colour)),
            read=ask,
            write=lambda text: print(text, flush=True),
            save=arguments.save,
            variants_file=arguments.variants,
        )
        with process.ending_tidily():
            game.run()
    except (PlayError, ValueError) as error:
        raise CommandError(str(error)) from None
    return 0


#: The commands that begin a conversation; without one it waits for the word that does.
_PROTOCOLS = (None, "uci", "xboard")
_COMMANDS = {
    "perft": perft,
    "bench": _bench,
    "match": _match,
    "show": _show,
    "record": _record,
    "play": _play,
    "solve": _solve,
    "check": _check,
    "warmup": _warmup,
    "doctor": _doctor,
    "gui": _gui,
    "games": _games,
}


def main(words: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit code."""
    arguments = parser().parse_args(words)
    try:
        _check_tuning()
        if arguments.command in _PROTOCOLS:
            return _serve(arguments)
        return _COMMANDS[arguments.command](arguments)
    except (CommandError, GameError) as error:
        print(f"ryugi-engine: {plain(str(error))}", file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        print("ryugi-engine: interrupted", file=sys.stderr)
        return process.INTERRUPTED
    except BrokenPipeError:
        return 0  # whoever was reading has seen enough
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"ryugi-engine: {where}{error.strerror or error}", file=sys.stderr)
        return WRONG
