"""``match``: games between engines."""

from __future__ import annotations

import argparse
import contextlib
import functools
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.commands.common import (
    DEFAULT_GAME,
    cluster_option,
    game_of,
    game_option,
    load_variants,
    tell_of_compiling,
    whole_number,
)
from ryugi_engine.commands.settings_arguments import add_settings, settings_of
from ryugi_engine.errors import UserError, warn
from ryugi_engine.files.output import GAMES, JOURNAL, REPORT, FileName, output_option
from ryugi_engine.games.game import counted
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.timeouts import Timeouts
from ryugi_engine.processes import process

if TYPE_CHECKING:
    from ryugi_engine.games.game import Game
    from ryugi_engine.match.journal import Journal
    from ryugi_engine.match.runner import Runner
    from ryugi_engine.match.sprt import Sprt

#: Games that are played at a time at most.
MOST_GAMES = 1000


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    add = parser.add_argument
    game_option(parser, "chess where no engine of a match knows Ryugi")
    add(
        "--engine",
        type=FileName,
        action="append",
        nargs="+",
        default=[],
        metavar="CMD",
        help="a UCI engine's command line, or keys like name=A cmd=... proto=uci|xboard dir=..."
        " variant=NAME option.X=Y tc=... st=... nodes=... depth=... margin=MS ponder"
        " restart=on|off; give it twice or more often",
    )
    add(
        "--check",
        type=FileName,
        nargs="+",
        metavar="CMD",
        help="compliance: check that this engine follows its protocol, a UCI engine by a line a"
        " step, a CECP engine by two games against itself; keys as for --engine",
    )
    text = "keys for all engines"
    add("--each", type=FileName, nargs="+", default=[], metavar="KEY=VALUE", help=text)
    add("--engines", type=Path, metavar="FILE", help="read engines from a TOML file")
    add_settings(parser, MatchPlan, "kind", "games", "rounds", "repeat", "heroes")
    add(
        "--concurrency",
        type=whole_number(1, MOST_GAMES),
        metavar="N",
        help="games at a time (default: 1, on a cluster one for each thread of its workers)",
    )
    add(
        "--tc",
        default="10+0.1",
        metavar="SEC+INC",
        help="time control: 10+0.1, 40/60, 1:30+1; st=SEC for a time a move, nodes=N, depth=N"
        " (default: 10+0.1)",
    )
    add(
        "--time-margin",
        type=whole_number(0, 600_000),
        default=0,
        metavar="MS",
        help="how late a move may be, in milliseconds (default: 0)",
    )
    add_settings(parser, Timeouts)
    add(
        "--resign",
        default="",
        metavar="MOVES:CP",
        help="a side resigns after so many moves with a score so far below zero; MOVES:CP:both if"
        " the opponent's score agrees",
    )
    add(
        "--draw",
        default="",
        metavar="MOVES:CP",
        help="draw after so many moves with both scores so near zero; MOVES:CP:N from move N on",
    )
    add(
        "--sprt",
        nargs="+",
        metavar="KEY=VALUE",
        help="end the match when the test accepts a hypothesis: elo0=0 elo1=5 alpha=0.05 beta=0.05"
        " model=normalized|logistic; exit code 3 if it accepts none of them",
    )
    cluster_option(parser)
    output_option(parser, "--pgn-out", GAMES, metavar="FILE", help="append the games to FILE")
    add_settings(parser, MatchPlan, "notation")
    output_option(
        parser,
        "--journal",
        JOURNAL,
        metavar="FILE",
        help="file from which --resume can continue (default: FILE.journal beside --pgn-out FILE)",
    )
    output_option(
        parser,
        "--report",
        REPORT,
        metavar="DIR",
        help="write web pages with tables, charts and every game to DIR at the end",
    )
    text = "resume the match of a journal"
    output_option(parser, "--resume", None, metavar="FILE", help=text)
    add(
        "--openings",
        type=FileName,
        metavar="FILE",
        help="position texts (FEN or EPD), one a line, or games (PGN); 'start' for the start"
        " position alone (default: the game's own openings, or 8 to 10 random plies)",
    )
    add(
        "--order",
        choices=("random", "sequential"),
        default="random",
        help="order of the openings (default: random)",
    )
    add_settings(parser, MatchPlan, "seed")
    add(
        "--start",
        type=whole_number(1, 10**9),
        default=1,
        metavar="N",
        help="begin with the N-th opening of that order (default: 1)",
    )
    add(
        "--plies",
        type=whole_number(0, 10**6),
        default=0,
        metavar="N",
        help="plies of an opening from a game (default: 0, all)",
    )
    add_settings(parser, MatchPlan, "max_plies")
    add(
        "--rating-interval",
        type=whole_number(0, 10**6),
        default=10,
        metavar="N",
        help="report the results so far every N games, 0 for never (default: 10)",
    )
    add("--quiet", action="store_true", help="no lines of moves, no reports")
    add("--json", action="store_true", help="a JSON object a line, for programs")


def run(arguments: argparse.Namespace) -> int:
    """Play the match; return 1 if an engine was at fault."""
    from ryugi_engine.match.journal import NoMatch

    tell_of_compiling()
    if arguments.check is not None:
        return _check(arguments, game_of(arguments))
    from ryugi_engine.match.preparation import NobodyPlays

    if arguments.resume is not None:
        try:
            return _begin(arguments, None)
        except NoMatch as error:
            if not (arguments.engine or arguments.engines):
                raise UserError(f"{error}: with its --engine options it begins anew") from None
            warn(f"{error}: it begins anew")
            arguments.journal, arguments.resume = arguments.resume, None

    game = game_of(arguments)
    try:
        return _begin(arguments, game)
    except NobodyPlays:
        if not _is_default(arguments, game):
            raise
    return _begin(arguments, _chess(arguments, game))


def _is_default(arguments: argparse.Namespace, game: Game) -> bool:
    """Return whether the game is Ryugi because the user has named none."""
    return arguments.variant is None and game.name == DEFAULT_GAME


def _chess(arguments: argparse.Namespace, unknown: Game) -> Game:
    """Return chess, for engines that do not know the default game, and say so."""
    warn(f"the game is chess: no engine knows {unknown.name}; --variant names another one")
    arguments.variant = "chess"
    return game_of(arguments)


def _begin(arguments: argparse.Namespace, game: Game | None) -> int:
    """Play the match of the arguments; None for the game of a journal that is resumed."""
    from ryugi_engine.match.journal import Journal

    with contextlib.ExitStack() as held:
        if game is None:
            journal = held.enter_context(contextlib.closing(Journal(arguments.resume, new=False)))
            return _play(arguments, _resumed(arguments, journal), journal)
        if len(arguments.engine) < 2 and arguments.engines is None:
            times = counted(len(arguments.engine), "time")
            raise UserError(f"--engine must be given twice, not {times} (or more often)")
        plan = _plan(arguments, game)
        if plan.journal is None:
            return _play(arguments, plan, None)
        journal = held.enter_context(contextlib.closing(Journal(plan.journal, new=True)))
        return _play(arguments, plan, journal)


def _resumed(arguments: argparse.Namespace, journal: Journal) -> MatchPlan:
    """Return the plan of a journal's match, in whose folder the process is from now on."""
    from ryugi_engine.files import reading

    saved = journal.saved
    assert saved is not None
    try:
        where = saved.where()
        with reading.naming(where.folder):
            os.chdir(where.folder)
        arguments.variants = where.variants_file or arguments.variants
        plan = saved.match(load_variants(arguments).game(where.game))
    except UserError as error:
        raise UserError(f"{arguments.resume}: {error}") from None
    concurrency = arguments.concurrency or plan.concurrency
    return replace(plan, journal=journal.path, concurrency=concurrency)


def _play(arguments: argparse.Namespace, plan: MatchPlan, journal: Journal | None) -> int:
    """Play the match; return its exit code."""
    from ryugi_engine.games.registry import load_kernels
    from ryugi_engine.kernel import background

    os.environ.setdefault(background.NAME, "0")  # nothing beside its games, in engines too
    # before anything is shown; a match is worth kernels of its own
    load_kernels(plan.game, own=True)
    from ryugi_engine.match.output_writers import create_output
    from ryugi_engine.match.run import play_match

    interval = arguments.rating_interval
    output = create_output(quiet=arguments.quiet, as_json=arguments.json, rating_interval=interval)
    with process.ending_tidily():
        return play_match(
            plan, output, journal=journal, report=arguments.report, runner=_runner(arguments)
        )


def _check(arguments: argparse.Namespace, game: Game) -> int:
    """Check the engine; 1 if it did something wrong."""
    from ryugi_engine.match.spec import read_engines

    if arguments.engine or arguments.engines or arguments.resume:
        raise UserError("--check has an engine of its own: no --engine, --engines or --resume")
    (spec,) = read_engines([arguments.check], arguments.each)
    from ryugi_engine.match.compliance.run import check_engine, knows_game

    timeouts = Timeouts(**settings_of(Timeouts, arguments))
    with process.ending_tidily():
        if _is_default(arguments, game) and not knows_game(
            spec, game, timeouts, arguments.variants
        ):
            game = _chess(arguments, game)
        return check_engine(
            spec,
            game,
            margin=arguments.time_margin / 1000,
            timeouts=timeouts,
            seed=arguments.seed,
            variants_file=arguments.variants,
            as_json=arguments.json,
        )


def _runner(arguments: argparse.Namespace) -> Callable[[MatchPlan], Runner]:
    """Return the runner: this machine, or a cluster."""
    if arguments.cluster is None:
        from ryugi_engine.match.runner import LocalRunner

        return LocalRunner
    from ryugi_engine.match.cluster_runner import ClusterRunner

    return functools.partial(ClusterRunner, arguments.cluster, arguments.concurrency or MOST_GAMES)


def _plan(arguments: argparse.Namespace, game: Game) -> MatchPlan:
    """Return the plan of the arguments; UserError for a fault in them."""
    from ryugi_engine.files import reading, writing
    from ryugi_engine.match.openings import read_openings
    from ryugi_engine.match.referee import Adjudication
    from ryugi_engine.match.spec import read_engines
    from ryugi_engine.match.timeouts import Timeouts

    engines = read_engines(arguments.engine, arguments.each, arguments.engines)
    if len(engines) < 2:
        raise UserError("a match needs two engines at least")
    control = replace(TimeControl.read(arguments.tc), margin=arguments.time_margin / 1000)
    if not control.bounded and any(spec.control is None for spec in engines):
        raise UserError("--tc inf needs nodes= or depth= for every engine")
    adjudication = Adjudication.read(arguments.resign, arguments.draw)
    try:
        openings = read_openings(
            game,
            arguments.openings,
            arguments.plies,
            order=arguments.order,
            seed=arguments.seed,
            start=arguments.start,
        )
    except UserError as error:
        if arguments.variant is not None:
            raise
        raise UserError(f"{error} (the game is {game.name}; --variant names another)") from None
    pgn, journal = arguments.pgn_out, arguments.journal
    if journal is None and pgn is not None:
        journal = pgn.with_name(pgn.name + ".journal")
    if journal is None and arguments.report is not None:
        journal = arguments.report / "match.journal"
    if arguments.report is not None:
        with reading.naming(arguments.report):  # before hours of play
            arguments.report.mkdir(exist_ok=True)
    for file, kind in ((pgn, GAMES), (journal, JOURNAL)):
        if file is not None:
            writing.append(file, "", kind)
    values = settings_of(MatchPlan, arguments)
    values["heroes"] = min(values["heroes"], len(engines) - 1)
    return MatchPlan(
        game=game,
        engines=engines,
        control=control,
        openings=openings,
        test=_test(arguments, len(engines)),
        adjudication=adjudication,
        variants_file=arguments.variants,
        pgn_out=pgn,
        journal=journal,
        concurrency=arguments.concurrency or 1,
        timeouts=Timeouts(**settings_of(Timeouts, arguments)),
        **values,
    )


def _test(arguments: argparse.Namespace, engines: int) -> Sprt | None:
    """Return the test of ``--sprt``."""
    from ryugi_engine.match.sprt import Sprt

    if arguments.sprt is None:
        return None
    if engines != 2:
        raise UserError("--sprt tests two engines")
    return Sprt.read(arguments.sprt)
