"""``solve``: a position solved exactly, in games that have a solver."""

from __future__ import annotations

import argparse
import sys

from ryugi_engine.commands.common import (
    MISMATCH,
    game_of,
    position_of,
    position_options,
    whole_number,
)
from ryugi_engine.games.game import counted
from ryugi_engine.processes import process


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    position_options(parser)
    parser.add_argument(
        "--margin", action="store_true", help="also find the size of the win, and a line to it"
    )
    parser.add_argument("--progress", action="store_true", help="show nodes on the way")
    parser.add_argument(
        "--hash",
        type=whole_number(1, 65536),
        default=256,
        metavar="MB",
        help="size of the proof table in megabytes (default: 256)",
    )


def _tell(nodes: int, seconds: float) -> None:
    print(f"  {counted(nodes, 'node')}, {seconds:.1f} s", file=sys.stderr)


def _keep_quiet(nodes: int, seconds: float) -> None:
    pass


def run(arguments: argparse.Namespace) -> int:
    """Print value and line; return MISMATCH if no forced win was found."""
    position = position_of(game_of(arguments), arguments)
    from ryugi_engine.proving.solve import solve

    with process.ending_tidily():
        solution = solve(
            position,
            megabytes=arguments.hash,
            with_margin=arguments.margin,
            progress=_tell if arguments.progress else _keep_quiet,
        )
    if solution.result:
        winner = position.game.sides[solution.result != "1-0"]
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
