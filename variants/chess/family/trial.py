"""A short match that decides, once, whether a net made from rules plays better than none.

It is played in the background, in a process of lowest priority that ends with this one. Its verdict
is kept beside the compiled kernels and counts from the next start on.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

from ryugi_engine.kernel import cache
from ryugi_engine.nnue.net import Net
from variants.chess.definition.definition import Definition

_ROOT = Path(__file__).resolve().parents[3]
_FOLDER = "verdicts"
#: What a verdict's file says.
_NET, _NONE = "net\n", "none\n"
_GAMES, _NODES, _SECONDS = 60, 500, 180.0
_LOWEST_PRIORITY = 19
_CODE = """\
import sys
sys.path.insert(0, {root!r})
from variants.chess.family import trial
trial.main()
"""


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


def start(game: Definition, net: Net) -> subprocess.Popen[bytes] | None:
    """Start the process that decides; None where nothing is kept, or if it cannot be started."""
    path = _path(net)
    if path is None:
        return None
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _CODE.format(root=str(_ROOT))],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "RYUGI_CACHE_DIR": str(path.parent.parent)},
        )
        assert process.stdin is not None
        pickle.dump((game, net), process.stdin)
        process.stdin.flush()
    except OSError:  # it has ended at once; the next start tries again
        return None
    return process


def _end_with_parent() -> None:
    with contextlib.suppress(OSError):
        sys.stdin.buffer.read(1)
    os._exit(0)


def main() -> None:
    """Read a game and a net from standard input, decide, and keep the verdict."""
    os.nice(_LOWEST_PRIORITY)
    game, net = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    decide(game, net)


def decide(game: Definition, net: Net) -> None:
    """Play the match and keep its verdict."""
    from ryugi_engine.train.compare import compare
    from ryugi_engine.train.settings import ComparisonSettings
    from variants.chess import game_of
    from variants.chess.fast.game import kernels_of

    settings = ComparisonSettings(games=_GAMES, nodes=_NODES, threads=1)
    played = game_of(game, kernels_of(game))
    match = compare(played, net, None, settings, seconds=_SECONDS, report=lambda line: None)
    path = _path(net)
    if path is None or not sum(match.sample.counts):
        return
    path.parent.mkdir(mode=0o700, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_text(_NET if match.sample.score > 0.5 else _NONE, encoding="ascii")
    part.replace(path)
