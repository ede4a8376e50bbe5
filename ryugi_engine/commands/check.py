"""``check``: a file of game definitions, or a game that somebody is writing."""

from __future__ import annotations

import argparse
import functools
from pathlib import Path

from ryugi_engine.commands.common import (
    MISMATCH,
    WRONG,
    load_variants,
    tell_of_compiling,
    whole_number,
)
from ryugi_engine.games.game import Game, counted
from ryugi_engine.text.plain_text import plain


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    checked = parser.add_mutually_exclusive_group(required=True)
    checked.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar="FILE",
        help="definitions in TOML, or Fairy-Stockfish's in NAME.ini: their faults, and warnings of"
        " what is hardly meant",
    )
    checked.add_argument(
        "--game", metavar="NAME", help="play it at random, and compare it with its reference rules"
    )
    parser.add_argument(
        "--positions",
        type=whole_number(1, 10**6),
        default=300,
        metavar="N",
        help="how many positions to look at (default: 300)",
    )
    parser.add_argument("--seed", type=whole_number(0, 2**31), help="repeat a check with --game")


def run(arguments: argparse.Namespace) -> int:
    """Print the faults, or the games of a file; return MISMATCH if there is a fault."""
    return _definitions(arguments.file) if arguments.game is None else _contract(arguments)


def _definitions(path: Path) -> int:
    from ryugi_engine.games.registry import read_with_faults
    from ryugi_engine.processes import process

    games, faults, remarks = read_with_faults(str(path))
    for game in games:
        by = "" if not game.family else f" ({game.family})"
        print(f"{game.name}: {game.title}, {game.files}x{game.ranks}, {game.start}{by}")
    for fault in remarks + faults:
        process.complain(str(fault))
    wrong = bool(faults)
    for game in games:
        unplayable, doubtful = game.mistakes() if game.mistakes is not None else ((), ())
        for text in unplayable:
            process.complain(f"{path}: {game.name}: {text}")
        for text in doubtful:
            process.complain(f"{path}: {game.name}: warning: {text}")
        wrong = wrong or bool(unplayable)
    return WRONG if wrong else 0


def _load(variants: str | None, name: str) -> Game:
    """Return the game; called in each process that checks it."""
    tell_of_compiling()
    return load_variants(argparse.Namespace(variants=variants)).game(name)


def _contract(arguments: argparse.Namespace) -> int:
    game = load_variants(arguments).game(arguments.game)
    import random

    from ryugi_engine.conformance.child_process import check

    seed = random.randrange(2**31) if arguments.seed is None else arguments.seed
    load = functools.partial(_load, arguments.variants, game.name)
    report = check(game.name, load, int(seed), int(arguments.positions))
    for line in report.faults:
        print(plain(line))
    for hint in report.hints:
        print(plain(f"{game.name}: hint: {hint}"))
    result = counted(len(report.faults), "fault") if report.faults else "no faults"
    print(f"{game.name}: {result} in {counted(report.positions, 'position')}, --seed {seed}")
    return MISMATCH if report.faults else 0
