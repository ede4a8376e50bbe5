"""``train levels``: find the strengths of a game's levels."""

from __future__ import annotations

import argparse
from pathlib import Path

from ryugi_engine.commands.common import game_of, load_variants, stopped, tell_of_compiling
from ryugi_engine.commands.settings_arguments import settings_of
from ryugi_engine.errors import UserError
from ryugi_engine.files.reading import naming
from ryugi_engine.processes import process
from ryugi_engine.train.settings import LevelSettings


def train_levels(arguments: argparse.Namespace) -> int:
    """Carry out ``train levels``; return the exit code."""
    registry = load_variants(arguments)
    games = [registry.game(name) for name in arguments.variant or ()]
    games = games or [game_of(arguments, "", registry)]
    out = arguments.out or games[0].levels_file
    if len(games) > 1 and arguments.out is None:
        raise UserError("train levels: a table of several games needs --out FILE")
    if out is None:
        raise UserError(f"{games[0].name}: its table has no place of its own, give --out FILE")
    if arguments.out is None:
        with naming(out):
            out.parent.mkdir(exist_ok=True)
    tell_of_compiling()
    from ryugi_engine.games.registry import load_kernels
    from ryugi_engine.train import levels

    for game in games:
        load_kernels(game, "ryugi_engine.search.searcher", own=True)
    journal = arguments.journal or Path(f"levels-{games[0].name}.games")
    settings = LevelSettings(**settings_of(LevelSettings, arguments))
    try:
        with process.ending_tidily():
            levels.train_levels(
                games, journal, out, settings, report=lambda line: print(line, flush=True)
            )
    except KeyboardInterrupt:
        return stopped(journal)
    return 0
