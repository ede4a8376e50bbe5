"""What is written and read where the locale knows few letters, or the text none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.helpers import ROOT, EngineUnderTest

#: Locales that cannot write what the tests say; no file of the system's is needed for them.
POOR = (
    {"PYTHONIOENCODING": "latin-1"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
)
_RECORD = """\
[Event "Café ♔ 日本"]
[Variant "chess"]
[White "Zoë ♔"]
[Black "B"]
[Result "*"]

1. e4 {♔ é} e5 *
"""


@pytest.mark.parametrize("more", POOR)
@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_protocols_speak_utf8(protocol: str, more: dict[str, str], tmp_path: Path) -> None:
    """Whatever the locale; what is no text at all is escaped."""
    net = tmp_path / "♔.net"
    engine = EngineUnderTest(protocol, env={**os.environ, **more})
    try:
        if protocol == "uci":
            engine.send("uci", "position ♔", "setoption name ♔\udcff".encode("utf-8", "replace"))
            engine.send(f"setoption name EvalFile value {net}", "isready")
            engine.wait("readyok")
        else:
            engine.send("protover 2", "force", "usermove ♔", f"option EvalFile={net}", "ping 1")
            engine.wait("pong 1")
        output = "\n".join(engine.log)
        assert "♔" in output
        assert f"{net}: " in output
        assert engine.quit() == ""
    finally:
        engine.process.kill()
        engine.process.wait()
        engine.close()
    assert engine.process.returncode == 0


@pytest.mark.parametrize("more", POOR)
def test_commands_write_what_the_locale_can(more: dict[str, str], tmp_path: Path) -> None:
    """The rest is escaped, and what they read need not be text either."""
    record = tmp_path / "a.pgn"
    record.write_text(_RECORD, encoding="utf-8")
    play = ["play", "--variant", "gorogo", "--tc", "nodes=10"]
    for words, message, shown in (
        (["record", "show", str(record)], b"", "B"),
        (["record", "replay", str(record)], b"", "move"),
        (play, b"\xff\xfe\n\xe2\x99\x94\nsave \xe2\x99\x94\nquit\n", "is no legal move"),
        (["check", "♔"], b"", ""),
        (["perft", "--variant", "♔", "--depth", "1"], b"", ""),
    ):
        output = subprocess.run(
            [sys.executable, "-P", "-m", "ryugi_engine", *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), **more},
            input=message,
            capture_output=True,
            timeout=300,
            check=False,
        )
        assert b"Traceback" not in output.stderr, output.stderr
        assert output.returncode == (0 if shown else 2), output.stderr
        assert shown.encode() in output.stdout
