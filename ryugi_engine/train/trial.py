"""A short match that decides, once, whether a net made from rules plays better than none.

It is played in the background, in a process of lowest priority that ends with this one. Its verdict
is kept beside the compiled kernels and counts from the next start on.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine.files.cache_folder import keep
from ryugi_engine.kernel import background, cache, helpers
from ryugi_engine.nnue.net import Net

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    from ryugi_engine.games.game import Game

_FOLDER = "verdicts"
#: What a verdict's file says.
_NET, _NONE = "net\n", "none\n"
_GAMES, _NODES, _SECONDS = 60, 500, 600.0
#: Pairs of games without which there is no verdict.
_PAIRS = 10
_CODE = "from ryugi_engine.train import trial; trial.main()"


def _path(net: Net) -> Path | None:
    """Return the file of a net's verdict; None where nothing is kept."""
    folder, objection = cache.place()
    return None if folder is None or objection else folder.parent / _FOLDER / net.digest


def is_better(net: Net) -> bool | None:
    """Return whether a net plays better than none; None if that is not decided."""
    path = _path(net)
    try:
        text = "" if path is None else path.read_text(encoding="ascii")
    except (OSError, ValueError):
        return None
    return {_NET: True, _NONE: False}.get(text)


def start(make: Callable[[], Game], net: Net) -> subprocess.Popen[bytes] | None:
    """Start the process that decides; None if it is decided, or cannot be.

    ``make`` returns the game there, and can be pickled.
    """
    folder = background.folder()
    if folder is None or is_better(net) is not None:
        return None
    process = helpers.spawn(_CODE, folder, helpers.LOWEST_PRIORITY)
    if process is not None:
        assert process.stdin is not None
        process.stdin.write(pickle.dumps((make, net)))
        process.stdin.flush()
    return process


def main() -> None:
    """Read a game and a net from standard input, decide, and keep the verdict."""
    with open(0, "rb", closefd=False) as given:
        make, net = pickle.load(given)
    helpers.end_with_parent()
    with cache.claim(f"verdict {net.digest}", wait=False) as mine:
        if mine:
            decide(make(), net)


def decide(game: Game, net: Net) -> None:
    """Play the match and keep its verdict."""
    from ryugi_engine.games.registry import load_kernels
    from ryugi_engine.train.compare import compare
    from ryugi_engine.train.numbered_games import KERNELS
    from ryugi_engine.train.settings import ComparisonSettings

    load_kernels(game, *KERNELS, own=True)
    settings = ComparisonSettings(games=_GAMES, nodes=_NODES, threads=1)
    match = compare(game, net, None, settings, seconds=_SECONDS, report=lambda line: None)
    path = _path(net)
    if path is None or sum(match.sample.counts) < min(_PAIRS, _GAMES // 2):
        return
    keep(path, (_NET if match.sample.score > 0.5 else _NONE).encode("ascii"))
