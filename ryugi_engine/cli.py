"""The command line. Without a subcommand the engine waits for ``uci`` or ``xboard``."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ryugi_engine import process
from ryugi_engine.arguments import parser
from ryugi_engine.files import fault, write_whole
from ryugi_engine.game import Game, counted
from ryugi_engine.terminal import plain

if TYPE_CHECKING:
    from ryugi_engine.perft import Count
    from ryugi_engine.position import Position
    from ryugi_engine.registry import Registry

#: Exit codes: wrong use or input, and a check that found a difference.
WRONG, MISMATCH = process.WRONG, 1


class CommandError(Exception):
    """What the user has to know, in one line."""


def _load_variants(arguments: argparse.Namespace) -> Registry:
    from ryugi_engine.registry import registry

    games = registry()
    if arguments.variants:
        try:
            games.load_file(arguments.variants)
        except OSError as error:
            raise CommandError(fault(arguments.variants, error)) from None
        except ValueError as error:
            raise CommandError(str(error)) from None
    return games


def _game(arguments: argparse.Namespace, name: str) -> Game:
    from ryugi_engine.registry import UnknownGame

    try:
        return _load_variants(arguments).game(name)
    except UnknownGame as error:
        raise CommandError(str(error)) from None


def _announce_compiling() -> None:
    from ryugi_engine import jit

    jit.report_to(lambda text: print(text, file=sys.stderr))


def _position(game: Game, arguments: argparse.Namespace) -> Position:
    _announce_compiling()
    from ryugi_engine.position import Position

    try:
        position = Position(game, arguments.fen)
        for move in arguments.moves:
            position.push(move, refereed=True)
    except ValueError as error:
        raise CommandError(str(error)) from None
    return position


def _progress(done: int, total: int, nodes: int) -> None:
    print(f"  {done}/{counted(total, 'part')}, {counted(nodes, 'node')} so far", file=sys.stderr)


def _count(position: Position, depth: int, arguments: argparse.Namespace) -> Count:
    from ryugi_engine.perft import Perft

    return Perft(
        position,
        depth,
        bulk=not arguments.no_bulk,
        threads=arguments.threads,
        hash_megabytes=arguments.hash,
        progress=_progress,
    ).run()


def _perft(arguments: argparse.Namespace) -> int:
    game = _game(arguments, arguments.variant)
    if arguments.hash and arguments.no_bulk:
        raise CommandError("--hash counts in bulk: leave --no-bulk out")
    if arguments.suite is not None:
        return _suite(game, arguments)
    position = _position(game, arguments)
    count = _count(position, arguments.depth, arguments)
    if arguments.json:
        record: dict[str, object] = {
            "variant": game.name,
            "fen": position.text(),
            "depth": count.depth,
            "nodes": count.nodes,
            "seconds": round(count.seconds, 6),
            "nps": count.nodes_per_second,
        }
        if arguments.divide:
            record["divide"] = dict(sorted(count.divide.items()))
        print(json.dumps(record))
        return 0
    if arguments.divide:
        for move, nodes in sorted(count.divide.items()):
            print(f"{move}: {nodes}")
        print()
    print(f"Nodes searched: {count.nodes}")
    print(f"Time: {count.seconds:.3f} s")
    print(f"Nodes/second: {count.nodes_per_second}")
    return 0


def _suite(game: Game, arguments: argparse.Namespace) -> int:
    from ryugi_engine.perft import SuiteError, read_suite, suite_position

    if arguments.fen is not None or arguments.moves:
        raise CommandError("--suite has its own positions: leave --fen and --moves out")
    try:
        lines = read_suite(arguments.suite)
    except OSError as error:
        raise CommandError(fault(arguments.suite, error)) from None
    except SuiteError as error:
        raise CommandError(str(error)) from None
    _announce_compiling()
    nodes, seconds, checked, skipped = 0, 0.0, 0, 0
    for line in lines:
        try:
            position = suite_position(game, arguments.suite, line)
        except SuiteError as error:
            raise CommandError(str(error)) from None
        for depth, expected in sorted(line.counts.items()):
            if arguments.max_nodes is not None and expected > arguments.max_nodes:
                skipped += 1
                continue
            count = _count(position, depth, arguments)
            nodes, seconds, checked = nodes + count.nodes, seconds + count.seconds, checked + 1
            if count.nodes != expected:
                message = f"line {line.number}: depth {depth}: {count.nodes}, expected {expected}"
                if arguments.json:
                    record = {
                        "ok": False,
                        "line": line.number,
                        "fen": line.text,
                        "depth": depth,
                        "nodes": count.nodes,
                        "expected": expected,
                        "divide": dict(sorted(count.divide.items())),
                    }
                    print(json.dumps(record))
                else:
                    print(f"{message}\n{line.text}")
                    for move, part in sorted(count.divide.items()):
                        print(f"{move}: {part}")
                return MISMATCH
    if arguments.json:
        record = {
            "ok": True,
            "positions": len(lines),
            "counts": checked,
            "skipped": skipped,
            "nodes": nodes,
            "seconds": round(seconds, 6),
        }
        print(json.dumps(record))
    else:
        left = f", {skipped} skipped" if skipped else ""
        print(
            f"{counted(len(lines), 'position')}, {counted(checked, 'count agrees', 'counts agree')}"
            f"{left}: {counted(nodes, 'node')}, {seconds:.2f} s"
        )
    return 0


def _bench(arguments: argparse.Namespace) -> int:
    if arguments.variant:
        games = [_game(arguments, arguments.variant)]
    else:
        games = _load_variants(arguments).games()
    _announce_compiling()
    from ryugi_engine.bench import Bench

    Bench(games, arguments.depth, print, arguments.threads, arguments.hash).run()
    return 0


def _match(arguments: argparse.Namespace) -> int:
    game = _game(arguments, arguments.variant)
    if len(arguments.engine) != 2:
        raise CommandError(
            f"--engine must be given twice, not {counted(len(arguments.engine), 'time')}"
        )
    _announce_compiling()
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
    from ryugi_engine.drawing import Ink
    from ryugi_engine.terminal import in_colours

    position = _position(_game(arguments, arguments.variant), arguments)
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
    position = _position(_game(arguments, arguments.variant), arguments)
    from ryugi_engine.solve import SolveError, solve

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


def _check(arguments: argparse.Namespace) -> int:
    from ryugi_engine.registry import read_definitions

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
    _announce_compiling()
    from ryugi_engine import jit
    from ryugi_engine.registry import registry, rules_of

    games = registry().games()
    modules = {f"{game.load.__module__}.rules": None for game in games}
    jit.load(*modules, "ryugi_engine.perft", "ryugi_engine.search.searcher", late=True)
    for game in games:
        rules_of(game)
    done = "compiled" if jit.compiled_entries else "loaded"
    print(f"kernels {done} in {time.perf_counter() - began:.1f} s: {jit.kept_in()}")
    return 0


def _doctor(arguments: argparse.Namespace) -> int:
    from ryugi_engine.doctor import examine

    return MISMATCH if examine(lambda line: print(line, flush=True)) else 0


def _gui(arguments: argparse.Namespace) -> int:
    from ryugi_engine.gui import GuiError, entries

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
    for game in _load_variants(arguments).games():
        names = ", ".join((game.name, *game.aliases))
        print(f"{names}: {game.title}, {game.files}x{game.ranks}")
    return 0


def _serve(arguments: argparse.Namespace) -> int:
    from ryugi_engine.conversation import Conversation
    from ryugi_engine.session import SessionError
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
    from ryugi_engine.recording import RecordingError

    games = _load_variants(arguments)
    _announce_compiling()
    from ryugi_engine import recorder

    try:
        with process.ending_tidily():
            return recorder.run(arguments, games, print)
    except RecordingError as error:
        raise CommandError(str(error)) from None


def _play(arguments: argparse.Namespace) -> int:
    from ryugi_engine.drawing import Ink
    from ryugi_engine.terminal import ask, in_colours

    _announce_compiling()
    from ryugi_engine.match.referee import TimeControl
    from ryugi_engine.play import Play, PlayError

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
    "perft": _perft,
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
        if arguments.command in _PROTOCOLS:
            return _serve(arguments)
        return _COMMANDS[arguments.command](arguments)
    except CommandError as error:
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
