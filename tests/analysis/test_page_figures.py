"""The figures of ``record analyse`` are those that the page shows of the analysed games."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.commands.cli import main
from ryugi_engine.records.pgn import format_record
from tests.records.test_page import recorded
from tests.support.page_modules import REPLAY, run

pytestmark = pytest.mark.slow

#: A mate, a game that goes on (from a position with Black to move), a resignation, a stalemate, a
#: draw that was agreed on in a won position.
_CHESS = """\
[White "A"]
[Black "B"]

1. f3 e5 2. g4 Qh4# 0-1

[White "A"]
[Black "B"]
[SetUp "1"]
[FEN "7k/8/8/6K1/8/8/8/5Q2 b - - 0 1"]

1... Kg7 2. Qf6+ Kg8 *

[White "C"]
[Black "D"]

1. e4 {hello} e5 2. Nf3 Nf6 3. Nxe5 Nxe4 4. Qe2 Nf6 5. Nc6+ {and out} 1-0

[White "C"]
[Black "D"]
[SetUp "1"]
[FEN "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"]

1. Qf7 1/2-1/2

[White "E"]
[Black "F"]

1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe6+ 4. Be2 Qg6 5. Nf3 Qxg2 6. Rg1 Qxg1+ 7. Nxg1 a6 {fine} 1/2-1/2
"""


def test_the_page_shows_the_tables_figures(
    browser: Any, tmp_path: Path, source: random.Random, capsys: pytest.CaptureFixture[str]
) -> None:
    path, html = tmp_path / "games.pgn", tmp_path / "games.html"
    played = [recorded(name, source, plies) for name, plies in (("ryugi", 40), ("gorogo", 60))]
    games = [format_record(playback.record) for playback in played]
    path.write_text("\n".join([_CHESS, *games]))
    assert main(["record", "analyse", str(path), "--depth", "3", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert main(["record", "replay", str(path), "--html", str(html)]) == 0
    compared = 0
    for number, game in enumerate(table["games"], start=1):
        browser.get(f"{html.as_uri()}#game={number}")
        browser.refresh()
        shown = run(
            browser,
            REPLAY,
            "const line = lineOf(treeOf(state.current.game));"
            "const values = line.map(node => centipawns(node, line));"
            "const accuracy = accuracies(line, values);"
            "return [0, 1].map(side => [averageLoss(line, values, side) ?? null,"
            " accuracy[side] ?? null]);",
        )
        rows = [row.text for row in browser.find_elements("css selector", "#summary div")]
        for side, (play, (loss, accuracy)) in enumerate(zip(game["sides"], shown, strict=True)):
            if not play["moves"]:
                assert loss is accuracy is None
                continue
            assert loss == pytest.approx(play["average_centipawn_loss"], abs=0.051)
            assert accuracy == pytest.approx(play["accuracy"], abs=0.051)
            compared += 1
            if rows:
                assert f"loss {math.floor(loss + 0.5)}\n" in rows[side]
                assert rows[side].endswith(f"{accuracy:.1f} %")
    assert compared >= 8
