"""``warmup``: the kernels, compiled into the cache."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from ryugi_engine.commands.common import game_of, load_variants, tell_of_compiling, whole_number

#: Modules whose kernels every game uses.
_SHARED = (
    "ryugi_engine.games.batch_kernels",
    "ryugi_engine.perft.count",
    "ryugi_engine.search.searcher",
)
#: The games whose own machine code a wheel has: they are played most.
_POPULAR = ("crazyhouse", "shogi", "xiangqi")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument(
        "--variant",
        metavar="GAME",
        help="compile what playing this game needs, with kernels of its own, and no more (default:"
        " kernels for all games, or with --variants FILE of one game its own)",
    )
    parser.add_argument(
        "--cache-limit",
        type=whole_number(0, 1_000_000),
        metavar="MB",
        help="remove what was used longest ago, until the cache is not larger;"
        " the environment variable RYUGI_CACHE_LIMIT is the limit of every run (256)",
    )


def _modules() -> list[str]:
    """Return the modules with the kernels that games share."""
    from ryugi_engine.games.registry import family_modules, registry

    modules = (game.rules_module for game in registry().games())
    return [*dict.fromkeys([*modules, *family_modules(), *_SHARED])]


def run(arguments: argparse.Namespace) -> int:
    """Compile or load kernels, and print where they are cached."""
    began = time.perf_counter()
    tell_of_compiling()
    from ryugi_engine.games import names
    from ryugi_engine.games.registry import load_kernels, rules_of
    from ryugi_engine.kernel import bundle, cache, jit

    games = load_variants(arguments)
    if arguments.variant or games.only_own:
        load_kernels(game_of(arguments, games=games), *_SHARED, own=True)
    else:
        jit.load(*_modules(), late=True)
        for game in games.games():
            rules_of(game)
    names.known()
    cache.trim(arguments.cache_limit)
    done = "compiled" if bundle.compiled else "loaded"
    print(f"kernels {done} in {time.perf_counter() - began:.1f} s: {jit.kept_in()}")
    return 0


def package(folder: str) -> None:
    """Compile the kernels that games share, and those of popular games, for a wheel."""
    tell_of_compiling()
    from ryugi_engine.games.registry import registry, rules_of
    from ryugi_engine.kernel import jit

    entries = (entry for name in _POPULAR for entry in rules_of(registry().game(name)).entries())
    jit.compile_for_package(Path(folder), *_modules(), entries=entries)
