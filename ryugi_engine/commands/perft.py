"""``perft``: one count, or a suite of known ones."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine.commands.common import (
    MISMATCH,
    cluster_of,
    cluster_option,
    game_of,
    position_of,
    position_options,
    tell_of_compiling,
    whole_number,
)
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import counted

if TYPE_CHECKING:
    from ryugi_engine.cluster import Cluster
    from ryugi_engine.games.game import Game
    from ryugi_engine.games.position import Position
    from ryugi_engine.perft.count import Count


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    position_options(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--depth", type=whole_number(0, 40), help="plies to count")
    what.add_argument("--suite", type=Path, metavar="FILE", help="lines 'FEN ;D1 20 ;D2 400'")
    parser.add_argument("--divide", action="store_true", help="show the count of each root move")
    parser.add_argument("--no-bulk", action="store_true", help="make every leaf move")
    parser.add_argument(
        "--hash",
        type=whole_number(0, 65536),
        default=0,
        metavar="MB",
        help="memory for a table of counts, in megabytes (default: 0, none)",
    )
    parser.add_argument(
        "--threads",
        type=whole_number(1, 256),
        default=1,
        metavar="T",
        help="threads that count (default: 1)",
    )
    cluster_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--max-nodes",
        type=whole_number(1, 10**18),
        metavar="N",
        help="with --suite: skip counts above N",
    )


def _progress(done: int, total: int, nodes: int) -> None:
    print(f"  {done}/{counted(total, 'part')}, {counted(nodes, 'node')} so far", file=sys.stderr)


def _count(
    position: Position, depth: int, arguments: argparse.Namespace, cluster: Cluster | None
) -> Count:
    from ryugi_engine.perft.count import Perft

    return Perft(
        position,
        depth,
        bulk=not arguments.no_bulk,
        threads=arguments.threads,
        hash_megabytes=arguments.hash,
        progress=_progress,
        cluster=cluster,
    ).run()


def run(arguments: argparse.Namespace) -> int:
    """Count a position's move sequences, or check a suite of known counts."""
    game = game_of(arguments)
    if arguments.hash and arguments.no_bulk:
        raise UserError("--hash counts in bulk: leave --no-bulk out")
    if arguments.cluster and arguments.threads > 1:
        raise UserError("--threads: on a cluster all threads of its workers count")
    if arguments.suite is not None:
        with cluster_of(arguments, game) as cluster:
            return _suite(game, arguments, cluster)
    position = position_of(game, arguments)
    if not arguments.json:
        print(f"Variant: {game.name}\nFen: {position.text()}", flush=True)
    with cluster_of(arguments, game) as cluster:
        count = _count(position, arguments.depth, arguments, cluster)
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


def _suite(game: Game, arguments: argparse.Namespace, cluster: Cluster | None) -> int:
    from ryugi_engine.perft.count import read_suite, suite_position

    if arguments.fen is not None or arguments.moves:
        raise UserError("--suite has its own positions: leave --fen and --moves out")
    lines = read_suite(arguments.suite)
    tell_of_compiling()
    nodes, seconds, checked, skipped = 0, 0.0, 0, 0
    for line in lines:
        position = suite_position(game, arguments.suite, line)
        for depth, expected in sorted(line.counts.items()):
            if arguments.max_nodes is not None and expected > arguments.max_nodes:
                skipped += 1
                continue
            count = _count(position, depth, arguments, cluster)
            nodes, seconds, checked = nodes + count.nodes, seconds + count.seconds, checked + 1
            if count.nodes != expected:
                where = f"{game.name}: line {line.number}: depth {depth}"
                message = f"{where}: {count.nodes}, expected {expected}"
                if arguments.json:
                    record = {
                        "ok": False,
                        "variant": game.name,
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
            "variant": game.name,
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
            f"{game.name}: {counted(len(lines), 'position')},"
            f" {counted(checked, 'count agrees', 'counts agree')}{left}:"
            f" {counted(nodes, 'node')}, {seconds:.2f} s"
        )
    return 0
