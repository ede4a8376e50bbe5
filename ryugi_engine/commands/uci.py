"""``uci``: a conversation that is in UCI from its first line on."""

from __future__ import annotations

import argparse

from ryugi_engine.commands import serve


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    serve.first_game(parser, default="chess")


def run(arguments: argparse.Namespace) -> int:
    """Run a conversation until the GUI quits."""
    return serve.run(arguments)
