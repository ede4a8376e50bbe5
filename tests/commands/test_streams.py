"""Standard streams that are full or closed: a line or silence, an exit code, never a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.helpers import patient

COMMANDS = {
    "help": "perft --help",
    "games": "games",
    "record show": "record show {game}",
    "perft": "perft --variant gorogo --depth 2",
    "uci": "uci",
    "xboard": "xboard",
    "a wrong option": "games --wrong",
}
STREAMS = [">/dev/full", ">&-", "2>/dev/full", "2>&-", ">/dev/full 2>/dev/full", ">&- 2>&- <&-"]
#: Every command with one fault and with all of them, one command with each.
CASES = [(name, streams) for name in COMMANDS for streams in (STREAMS[0], STREAMS[-1])]
CASES += [("games", streams) for streams in STREAMS[1:-1]]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("game") / "game.pgn"
    path.write_text('[Event "?"]\n[Variant "chess"]\n\n1. e2e4 e7e5 *\n')
    return path


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(("name", "streams"), CASES)
def test_full_and_closed_streams(name: str, streams: str, game: Path) -> None:
    words = COMMANDS[name].format(game=f"'{game}'")
    done = subprocess.run(
        f"'{sys.executable}' -P -m ryugi_engine {words} {streams}",
        shell=True, input="uci\nquit\n", capture_output=True, text=True, timeout=patient(60),
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) < 5, done.stderr
    if name == "a wrong option":
        assert done.returncode == 2
    elif streams.startswith(">"):
        assert done.returncode == 2, done.stderr
        if "2>" not in streams:
            assert "standard " in done.stderr  # which stream it is
    else:
        assert done.returncode == 0
