"""The games that variants/ADDING.md and variants/KERNELS.md build; that with own kernels is played.

The pages' commands are run by :mod:`tests.repository.test_documents`.
"""

from __future__ import annotations

import os
import re
from textwrap import indent

import pytest

from tests.support.documents import blocks, files
from tests.support.helpers import ROOT, EngineUnderTest

GAMES = ROOT / "tests" / "support" / "by_hand"
PAGE = (ROOT / "variants" / "KERNELS.md").read_text()
ENVIRONMENT = {**os.environ, "RYUGI_GAMES": str(GAMES)}
#: (kind, file, content) of every block.
BLOCKS = re.findall(r"```([a-z]+)(?: (\S+))?\n(.*?)```", PAGE, re.DOTALL)
PASSAGES = [(name, text) for kind, name, text in BLOCKS if kind == "python"]
START = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"


def test_the_page_has_been_read() -> None:
    assert len(PASSAGES) >= 9


@pytest.mark.parametrize(("name", "text"), PASSAGES, ids=[name for name, _ in PASSAGES])
def test_its_passages_are_the_games(name: str, text: str) -> None:
    source = (GAMES / "breakthrough" / name).read_text()
    assert text.strip() in source or indent(text, "    ").strip("\n") in source  # a method


def test_a_game_typed_in_from_its_page_is_the_tests_breakthrough() -> None:
    own = ROOT / "tests/support/games/breakthrough/__init__.py"
    typed = files(blocks(ROOT / "variants" / "ADDING.md"))["mygames/breakthrough/__init__.py"]
    assert list(filter(None, typed.splitlines())) == list(
        filter(None, own.read_text().splitlines())
    )


def test_it_is_played_over_uci() -> None:
    engine = EngineUnderTest("uci", env=ENVIRONMENT)
    engine.ready("setoption name UCI_Variant value breakthrough")
    engine.send("position startpos moves a2a3 a7a6", "go depth 5")
    assert re.fullmatch(r"bestmove [a-h][12][a-h][1-4]( ponder .*)?", engine.wait("bestmove"))
    # black arrives by taking on the last rank, and nothing else saves the game
    engine.send("position fen 8/8/8/8/8/8/p7/1P5P b - - 0 1", "go depth 3")
    assert engine.wait("bestmove") in ("bestmove a2a1", "bestmove a2b1")
    assert any(" score mate 1 " in line for line in engine.log)
    engine.send("position startpos", "go perft 3")
    assert engine.wait("Nodes searched") == "Nodes searched: 11132"
    assert engine.quit() == ""


def test_it_is_played_over_cecp() -> None:
    engine = EngineUnderTest("xboard", env=ENVIRONMENT)
    engine.send("protover 2")
    assert "breakthrough" in engine.wait("feature variants")
    engine.wait("feature done=1")
    engine.send("new", "variant breakthrough", "sd 4")
    setup = engine.wait("setup (")
    assert setup.endswith(f"8x8+0_fairy {START}")
    assert engine.wait("piece P&") == "piece P& fmWfF"
    for line in (setup, "piece P& fmWfF"):
        assert f"\n{line}\n" in PAGE
    engine.send("usermove a2a3")
    assert re.fullmatch(r"move [a-h][78][a-h][5-8]", engine.wait("move "))
    engine.send("usermove a1a8")
    assert engine.wait("Illegal move").endswith("a1a8")
    assert engine.quit() == ""
