"""``record analyse``: games gone over by the engine."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from typing import TYPE_CHECKING

from ryugi_engine.commands.common import net_option, stopped, whole_number
from ryugi_engine.errors import UserError
from ryugi_engine.files.output import output_option
from ryugi_engine.games.game import NAMES
from ryugi_engine.processes import process
from ryugi_engine.text.numbers import decimal
from ryugi_engine.text.plain_text import plain

if TYPE_CHECKING:
    from ryugi_engine.analysis.run import Wish
    from ryugi_engine.games.registry import Registry

#: Without another word a position has so many seconds.
_SECONDS = "0.5"
#: Games are counted up to here; a file has fewer.
_LAST_GAME = 10**6
_RANGE = re.compile("([0-9]{1,7})(?:-([0-9]{1,7}))?", re.ASCII)


def _seconds(text: str) -> str:
    """Return a number of seconds as text."""
    try:
        return f"{decimal(text, 0.001, 10**6):g}"
    except UserError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _numbers(text: str) -> list[int]:
    """Return the numbers of ``1,3-5``: [1, 3, 4, 5]."""
    numbers: set[int] = set()
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= _LAST_GAME:
            raise argparse.ArgumentTypeError(f"'{text[:40]}' is not like 1,3-5")
        numbers |= set(range(first, last + 1))
    return sorted(numbers)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    add = parser.add_argument
    text = "a new file for the games (default: FILE itself)"
    output_option(parser, "--out", None, metavar="OUT", help=text)
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument(
        "--st", type=_seconds, metavar="S", help=f"seconds a position (default: {_SECONDS})"
    )
    limits.add_argument(
        "--depth", type=whole_number(1, 100), metavar="N", help="plies to search each position"
    )
    limits.add_argument(
        "--nodes", type=whole_number(1, 10**12), metavar="N", help="nodes of each position's search"
    )
    add(
        "--threads",
        "--concurrency",
        type=whole_number(1, 256),
        default=os.cpu_count() or 1,
        metavar="T",
        help="positions at a time, a thread each (default: all cores)",
    )
    add(
        "--hash",
        type=whole_number(1, 65536),
        default=16,
        metavar="MB",
        help="table of each thread (default: 16)",
    )
    add("--games", type=_numbers, metavar="LIST", help="some of the file's games, as 1,3-5")
    add(
        "--side",
        choices=[name.lower() for name in NAMES],
        help="judge only the moves of this side (default: both)",
    )
    net_option(parser)
    add("--json", action="store_true", help="print the summary as one JSON object")


def _wish(arguments: argparse.Namespace) -> Wish:
    from ryugi_engine.analysis.run import Wish
    from ryugi_engine.search.limits import Limits

    if arguments.depth is not None:
        limits, message = Limits(depth=int(arguments.depth)), f"depth={arguments.depth}"
    elif arguments.nodes is not None:
        limits, message = Limits(nodes=int(arguments.nodes)), f"nodes={arguments.nodes}"
    else:
        seconds = arguments.st or _SECONDS
        limits, message = Limits(move_time=float(seconds)), f"st={seconds}"
    return Wish(
        limits,
        message,
        threads=int(arguments.threads),
        megabytes=int(arguments.hash),
        games=arguments.games,
        net=arguments.net,
        side=None if arguments.side is None else NAMES.index(arguments.side.capitalize()),
    )


def _tell(line: str) -> None:
    print(plain(line), file=sys.stderr, flush=True)


def run(arguments: argparse.Namespace, games: Registry) -> int:
    """Analyse a file; returns the exit code."""
    from ryugi_engine.analysis import summary
    from ryugi_engine.analysis.run import Analysis

    wish = _wish(arguments)
    try:
        with process.ending_tidily():
            analysis = Analysis(arguments.file, arguments.out, games, wish, _tell)
            summaries = analysis.run()
    except KeyboardInterrupt:
        return stopped(arguments.file)
    if arguments.json:
        head = {"file": str(analysis.out), "search": wish.limits_text}
        print(json.dumps(head | summary.data(summaries), ensure_ascii=False))
    else:
        print("\n".join(summary.table(summaries)))
        print(f"Analysed ({wish.limits_text}): {plain(str(analysis.out))}")
    return 0
