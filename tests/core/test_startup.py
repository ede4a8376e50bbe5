"""What GUIs wait for where everything has been compiled; else see ``test_compiling``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ryugi_engine.games.registry import registry
from ryugi_engine.kernel import jit
from tests.conftest import GAMES
from tests.support.helpers import EngineUnderTest, command


def test_compiled_kernels_are_waited_for_after_the_end() -> None:
    """Loading them takes long where there are many games or the machine is busy."""
    jit.load(*(game.rules_module for game in registry().games()), "ryugi_engine.search.searcher")
    changes = "".join(f"setoption name UCI_Variant value {name}\n" for name in GAMES)
    lines = command("uci", input=f"{changes}eval\n").stdout.splitlines()
    assert not [line for line in lines if "input has ended" in line]
    assert [line for line in lines if line.startswith("Evaluation: ")]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_readyok_says_that_the_table_has_its_memory() -> None:
    """Else the first search would stop for each page that it is the first to write to."""
    engine = EngineUnderTest()
    status = Path(f"/proc/{engine.process.pid}/statm")

    def megabytes() -> float:
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20

    for size in (64, 128):  # the default's, and another's; a table takes a power of two
        engine.send(f"setoption name Hash value {size}", "isready")
        engine.wait("readyok")
        assert size <= megabytes() <= size + 256
    assert engine.quit() == ""
