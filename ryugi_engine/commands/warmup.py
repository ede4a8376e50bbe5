"""``warmup``: the kernels, compiled into the cache."""

from __future__ import annotations

import argparse
import time

from ryugi_engine.commands.common import tell_of_compiling


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(arguments: argparse.Namespace) -> int:
    """Compile or load all kernels, and print where they are cached."""
    began = time.perf_counter()
    tell_of_compiling()
    from ryugi_engine.games.registry import family_modules, registry, rules_of
    from ryugi_engine.kernel import jit

    games = registry().games()
    modules = dict.fromkeys([*(game.rules_module for game in games), *family_modules()])
    jit.load(*modules, "ryugi_engine.perft.count", "ryugi_engine.search.searcher", late=True)
    for game in games:
        rules_of(game)
    done = "compiled" if jit.compiled_entries else "loaded"
    print(f"kernels {done} in {time.perf_counter() - began:.1f} s: {jit.kept_in()}")
    return 0
