"""GoRoGo and Gomoku Roku: kernels against reference rules, figures and games from outside."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.games.game import PASS
from ryugi_engine.games.position import IllegalMove, Position
from ryugi_engine.games.registry import Registry, registry
from tests.conftest import OTHERS
from tests.support.effort import effort
from tests.support.helpers import ROOT, rounds, walked

HEXAGONS = [name for name in OTHERS if name.startswith("gomokuroku")]


def compare(name: str, seed: str, wanted: int) -> int:
    """Walk until ``wanted`` positions have been compared; returns how many there were."""
    source = random.Random(seed)
    game = registry().game(name)
    done = 0
    while done < wanted:
        position, ref = Position(game), game.reference(game.start)
        out = int(position.header["moves"])
        while done < wanted:
            done += 1
            expected, moves = ref.legal_moves(), position.legal_moves()
            assert sorted(moves) == sorted(expected), (position.text(), set(moves) ^ set(expected))
            assert position.kernels.perft(position.state.address, 1, 1, out) == len(moves)
            outcome = position.outcome()
            ended = None if outcome is None else (outcome.result, outcome.reason)
            assert ended == ref.result(), position.text()
            # what make keeps up to date is what the text alone gives
            again = Position(game, position.text())
            assert again.key() == position.key(), position.text()
            assert again.evaluate() == position.evaluate(), position.text()
            assert again.in_check() == position.in_check(), position.text()
            assert again.outcome() == outcome
            if not moves:
                break
            removing = [move for move in moves if "x" in move]
            move = source.choice(removing if removing and source.random() < 0.5 else moves)
            position.push(move)
            ref = expected[move]
            assert position.text() == ref.text(), move
        final, line = position.text(), list(position.moves)
        for _ in line:
            position.pop()
        assert position.text() == position.root_text
        for move in line:
            position.push(move)
        assert position.text() == final
    return done


@pytest.mark.more
@pytest.mark.parametrize("name", OTHERS)
def test_walks(name: str, source: random.Random) -> None:
    positions = effort(150, 3000)
    assert compare(name, str(source.random()), positions) == positions


def test_every_game_has_its_data() -> None:
    """A game that lacks a data file is not finished."""
    for game in registry().games():
        for kind in ("perft", "bench", "openings"):
            assert game.positions(kind), (game.name, kind)
        folder = game.folder
        assert folder is not None
        assert (folder / "RULES.md").exists(), game.name
        for text in (*game.positions("bench"), *game.positions("openings")):
            assert Position(game, text).text() == text


def test_gorogo_games_of_another_implementation() -> None:
    """Its games end one ply later where the last piece in hand is a Henge."""
    game = registry().game("gorogo")
    lines = (ROOT / "variants/gorogo/playthroughs/gorogo.jsonl").read_text().splitlines()
    assert len(lines) == 500
    shortened = 0
    for line in lines:
        record = json.loads(line)
        position = Position(game)
        for number, move in enumerate(record["moves"]):
            if record["by"] == "henge last" and number == len(record["moves"]) - 1:
                assert position.legal_moves() == []
                shortened += 1
                break
            assert len(position.legal_codes()) == record["legal"][number]
            stones = sum(map(str.isalpha, position.text().split("[")[0]))
            position.push(move)
            left = sum(map(str.isalpha, position.text().split("[")[0]))
            assert stones + 1 - left == record["captured"][number]
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.result == record["result"]
    assert shortened > 50


def test_gorogo_diagrams() -> None:
    """The rule book's; row 1 is rank 5."""
    game = registry().game("gorogo")
    hands = "[HHHSSSSSSSSSShhssssss]"
    surrounded = Position(game, f"5/2s2/1s1s1/2s2/5{hands} w - - 0 1")
    assert "S@c3" not in surrounded.legal_moves()
    assert "H@c3" in surrounded.legal_moves()
    linked = Position(game, "5/2s2/1H1s1/2s2/5[HHSSSSSSSSSShhssssss] w - - 0 1")
    assert "S@c3" in linked.legal_moves()
    captured = Position(game, "5/2Ss1/1Ss1s/2Ss1/5[HHHSSSSSSShhssssss] w - - 0 1")
    captured.push("H@d3")
    assert captured.text().startswith("5/2Ss1/1S1Hs/2Ss1/5[")
    seven = Position(game, "5/3ss/2sSS/1sSHS/sSSS1[HHSSShhsssss] b - - 0 1")
    seven.push("S@e1")
    assert seven.text().startswith("5/3ss/2s2/1s1H1/s3s[")


def test_hexagon_figures() -> None:
    """Every figure of the rule book: the position, the move, what comes of it."""
    figures = json.loads((ROOT / "variants/gomoku_roku/playthroughs/figures.json").read_text())
    assert len(figures) == 14
    for figure in figures:
        position = Position(registry().game(figure["variant"]), figure["position"])
        assert position.text() == figure["position"]
        if figure["move"] is None:
            continue
        position.push(figure["move"])
        assert position.text() == figure["after"], figure["figure"]
        outcome = position.outcome()
        assert ("*" if outcome is None else outcome.result) == figure["result"]
        # the text alone tells the result as well
        assert Position(position.game, position.text()).outcome() == outcome


def test_counts_in_holdings_and_move_spellings() -> None:
    game = registry().game("gomokuroku-handicap")
    position = Position(game, game.start.split("[")[0] + "[31S31s] w - - 0 1")
    assert position.text() == game.start
    for text in ("pass", "0000", "@@@@", "PASS"):
        position.push(text)
        assert position.moves == [PASS]
        position.pop()
    position.push("s@E5")
    position.push("S@f11")
    position.push("s@G11")
    assert position.moves == ["S@e5", "S@f11", "S@g11"]
    for wrong in ("S@f6", "S@f11", "S@e5", "S@z9", "H@f7", "pass", "S@f7xe5e6", ""):
        with pytest.raises(IllegalMove):
            position.push(wrong)


def test_removals_are_named_by_file_then_rank() -> None:
    game = registry().game("gomokuroku-ninuki")
    figures = json.loads((ROOT / "variants/gomoku_roku/playthroughs/figures.json").read_text())
    text = next(f["position"] for f in figures if f["figure"] == "ninuki 2a")
    moves = [move for move in Position(game, text).legal_moves() if move.startswith("S@g10")]
    assert sorted(moves) == ["S@g10xe8f9", "S@g10xh10i10"]  # and not without a removal


OWN = """\
[mine]
family = "gomokuroku"
title = "Mine"
stones = 25
preplacement = "both"
ninuki = true
removals_to_win = 2
"""


@pytest.mark.slow
def test_own_rule_set(tmp_path: Path, source: random.Random) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    games = registry()
    games.load_file(str(path))
    try:
        assert games.game("mine").start.endswith(f"[{'S' * 25}{'s' * 25}] b - - 0 1")
        assert compare("mine", str(source.random()), 200) == 200
    finally:
        games.load_file("")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("gomokuroku", "shogi", "2: mine.family: 'shogi' is none of chess, gomokuroku"),
        ("= 25", "= 2", "4: mine.stones: 2 is not in 3..61"),
        ('"both"', '"black"', "5: mine.preplacement: 'black' is none of none, white-may, both"),
        ("= true", "= 1", "6: mine.ninuki: must be true or false"),
        ("ninuki = true", "", "7: mine.removals_to_win: needs ninuki = true"),
        ("title", "tilte", "3: mine.tilte: is not a known key"),
    ],
)
def test_faulty_rule_sets(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    path = tmp_path / "own.toml"
    assert old in OWN
    path.write_text(OWN.replace(old, new, 1))
    with pytest.raises(ValueError, match=re.escape(complaint)):
        Registry().load_file(str(path))


def turned(at: tuple[int, int]) -> tuple[int, int]:
    """A square after a sixth of a turn about the hexagon's centre."""
    df, dr = at[0] - 5, at[1] - 5
    return 5 + dr, 5 + dr - df


@pytest.mark.parametrize("name", HEXAGONS)
def test_hexagon_evaluation_is_symmetric(name: str, source: random.Random) -> None:
    """Turning the board or exchanging the colours changes nothing for the side to move."""
    from variants.gomoku_roku.board import TRACK, TRACK_OF
    from variants.gomoku_roku.text import PLAY, format_text

    seen: Counter[str] = Counter()
    for _ in rounds(20, seen, compared=10):
        position = walked(registry().game(name), source, 40)
        rules: Any = position.rules
        data = rules.data(position.state)
        if data.phase != PLAY:
            continue
        seen["compared"] += 1
        value, check = position.evaluate(), position.in_check()
        for _ in range(6):
            for side in range(2):
                stones = {turned(at) for at in data.stones[side]}
                data.stones[side].clear()
                data.stones[side].update(stones)
                data.track[side] = TRACK_OF[turned(TRACK[data.track[side]])]
            other = Position(position.game, format_text(data))
            assert (other.evaluate(), other.in_check()) == (value, check), position.text()
        assert other.text() == position.text()
        data.stones = (data.stones[1], data.stones[0])
        data.track.reverse()
        data.hands.reverse()
        data.side = 1 - data.side
        other = Position(position.game, format_text(data))
        assert (other.evaluate(), other.in_check()) == (value, check), position.text()


def test_gorogo_evaluation_is_symmetric(source: random.Random) -> None:
    from variants.gorogo.symmetry import image
    from variants.gorogo.text import format_text

    for _ in range(60):
        position = walked(registry().game("gorogo"), source, 22)
        rules: Any = position.rules
        data = rules.data(position.state)
        board = dict(data.board)
        for symmetry in range(8):
            data.board = {}
            for (file, rank), piece in board.items():
                point = image(symmetry, rank * 5 + file)
                data.board[point % 5, point // 5] = piece
            other = Position(position.game, format_text(data))
            assert other.evaluate() == position.evaluate(), position.text()
