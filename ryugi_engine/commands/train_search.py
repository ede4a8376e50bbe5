"""``train search``: tune the search's parameters."""

from __future__ import annotations

import argparse

from ryugi_engine import process
from ryugi_engine.commands.common import game_of, load_variants, stopped, tell_of_compiling
from ryugi_engine.commands.settings_arguments import settings_of
from ryugi_engine.train.settings import SearchTuningSettings


def tune_search(arguments: argparse.Namespace) -> int:
    """Carry out ``train search``; return the exit code."""
    registry = load_variants(arguments)
    tell_of_compiling()
    from ryugi_engine.train import search_tuning

    values = settings_of(SearchTuningSettings, arguments)
    settings = SearchTuningSettings(**values, parameters=tuple(arguments.parameters))
    games = [
        search_tuning.GameSource(game.name, arguments.variants)
        for game in map(registry.game, arguments.variant or ())
    ] or [search_tuning.GameSource(game_of(arguments, "", registry).name, arguments.variants)]
    try:
        with process.ending_tidily():
            spsa = search_tuning.tune_search(
                games, arguments.out, settings, report=lambda line: print(line, flush=True)
            )
    except KeyboardInterrupt:
        return stopped(arguments.out)
    print("\n".join(search_tuning.summary(spsa)))
    return 0
