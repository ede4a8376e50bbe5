"""What the page of replayed games is made of: list_edits, remarks, the games of a file."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.games.game import PASS
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.records import webpage
from ryugi_engine.records.comments import Remark, read_remark
from tests.conftest import FAMILY, GAMES
from tests.support.helpers import command
from tests.support.viewer import GOROGO, MATCH, OPERA


@pytest.mark.parametrize(
    ("comment", "side", "told"),
    [
        ("", 0, Remark()),
        ("just words: +0.5, M3/4 or 3/4", 0, Remark("just words: +0.5, M3/4 or 3/4")),
        ("[%eval 0.35] [%clk 0:01:02.5] good", 1, Remark("good", 35, clock=62.5)),
        ("[%eval #-3]", 0, Remark(mate=-3)),
        ("[%eval 1] [%clk 0:00:01] Blunder. a was best. mine 1-0 by mate", 0,
            Remark("mine", 100, clock=1.0, said="Blunder. a was best. 1-0 by mate")),
        ("a was best.", 0, Remark("a was best.")),
        ("[%emt 0:00:07]", 0, Remark(spent=7.0)),
        ("+0.35/12 1.500s", 0, Remark("", 35, spent=1.5)),
        ("+0.35/12 1.500s", 1, Remark("", -35, spent=1.5)),
        ("-M4/9 0.1s, draw agreed", 1, Remark("draw agreed", mate=4, spent=0.1)),
        ("0.00/2 0s", 1, Remark("", 0, spent=0.0)),
        ("0.250s, resignation", 0, Remark("resignation", spent=0.25)),
        # the analysis goes before what the player thought; a person's words may stand between
        ("[%eval -2.18] Mistake. -0.69/5 0.052s", 0, Remark("Mistake.", -218, spent=0.052)),
        # no one has moved yet: these are words
        ("+0.35/12 1.5s", None, Remark("+0.35/12 1.5s")),
        ("[%cal Ge2e4] x", 0, Remark("x", arrows=[("G", ["e2", "e4"])])),
        ("[%cal Ge2e4,Rav1aw2]", 0,
            Remark(arrows=[("G", ["e2", "e4"]), ("R", ["av1", "aw2"])])),
        ("[%csl Yd4]", 0, Remark(arrows=[("Y", ["d4"])])),
        ("[%cal Xe2e4] [%csl] [%foo 1]", 0, Remark("[%cal Xe2e4] [%csl] [%foo 1]")),
    ],
)  # fmt: skip
def test_remarks(comment: str, side: int | None, told: Remark) -> None:
    assert read_remark(comment, side) == told


def data_of(path: Path) -> dict[str, Any]:
    """What a page was given."""
    (result,) = re.findall(r'id="data">(.*)</script>', path.read_text(encoding="utf-8"))
    return dict(json.loads(result))


@pytest.mark.slow
def test_the_games_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them, or one; the page opens where it was asked for; faults are reported."""
    record, page = tmp_path / "games.pgn", tmp_path / "games.html"
    record.write_text(OPERA + MATCH + GOROGO)

    def written(*words: str) -> dict[str, Any]:
        done = command("record", "replay", str(record), "--html", str(page), *words)
        assert done.returncode == 0, done.stderr
        return data_of(page)

    data = written()
    assert [game["tags"]["Result"] for game in data["games"]] == ["1-0", "1/2-1/2", "*"]
    assert set(data["views"]) == {"chess", "ryugi", "gorogo"}
    data = written("--game", "1", "--line", "2", "--ply", "6")
    assert data["start"] == {"game": 1, "line": 2, "ply": 6}
    (game,) = data["games"]
    assert game["line"][3]["v"][0]["l"][0]["m"] == "Nc6"
    assert game["line"][3]["v"][0]["l"][0]["b"] == "Better is"
    assert game["line"][3]["v"][0]["l"][2]["v"][0]["k"] == 2
    for words, output in (
        (("--game", "4"), "games.pgn has 3 games, no game 4"),
        (("--ply", "99"), "games.pgn: the game has 33 moves"),
    ):
        done = command("record", "replay", str(record), "--html", str(page), *words)
        assert done.returncode == 2
        assert done.stderr.strip().endswith(output)
    record.write_text((MATCH.replace("b2b3", "b2b9")) + OPERA)
    done = command("record", "replay", str(record), "--html", str(page))
    assert done.returncode == 0
    assert f"{record}:7:50: illegal move 'b2b9'" in done.stderr
    assert [len(game["line"]) for game in data_of(page)["games"]] == [2, 33]
    record.write_text('[Result "*"]\n\n*\n\n' * (webpage.MOST_GAMES + 1))
    done = command("record", "replay", str(record), "--html", str(page))
    assert done.returncode == 2
    assert "more than 2000: choose one with --game N" in done.stderr


@pytest.mark.parametrize("name", GAMES)
def test_drawings_say_where_things_are(name: str, source: random.Random) -> None:
    """Every square that a move names lies on the board, and turned about its middle too."""
    position = Position(registry().game(name))
    drawing = position.draw()
    frame = drawing.frame
    assert frame.place is not None
    width, height = (length / drawing.scale for length in drawing.board_size)
    moves = [move for move in position.legal_moves() if move != PASS]
    for move in source.sample(moves, min(10, len(moves))):
        squares = position.rules.squares(move)
        assert len(squares) == 2 or name not in FAMILY
        assert squares, move
        for at in squares:
            place = frame.place(at)
            for x, y in (place, [2 * m - p for m, p in zip(frame.middle, place, strict=True)]):
                assert 0 < x < width
                assert 0 < y < height
    # names stay in the margins: each is on the board's paper, whichever side is below
    for part in drawing.board_parts():
        if part.margin:
            assert 0 < part.x < drawing.board_size[0]
            assert 0 < part.y < drawing.board_size[1]
    assert drawing.captions[-1].endswith(("to move", "to set up", "behind"))
    lines = drawing.svg().splitlines()
    assert all(part.line in lines for part in drawing.board_parts())
