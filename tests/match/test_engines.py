"""What engines of a match are told, in either protocol, and how they are described."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from ryugi_engine.clocks.time_control import PlayerClock, TimeControl
from ryugi_engine.errors import UserError
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import Registry, registry
from ryugi_engine.match.engine import Answer, SentPosition
from ryugi_engine.match.referee import Adjudication
from ryugi_engine.match.spec import EngineSpec, read_engines
from ryugi_engine.records.pgn import read_records
from ryugi_engine.records.playback import Playback
from ryugi_engine.settings import typed
from tests.support.helpers import SUPPORT, command

ENGINE = f"'{sys.executable}' -m ryugi_engine"
SCRIPTED = f"'{sys.executable}' '{SUPPORT / 'match_engine.py'}'"


def test_descriptions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, full = read_engines(
        [
            ["a=b -x"],
            ["name=B", "cmd=c d", "option.Hash=2", "level=3", "st=1", "ponder", "variant=V"],
        ],
        ["tc=1+1", "option.Threads=3", "option.Hash=1", "restart=on"],
    )
    control = TimeControl.read("1+1")
    options = (("Threads", "3"), ("Hash", "1"))
    assert plain == EngineSpec("a=b -x", control=control, options=options, restart="on")
    assert full.argv == ["c", "d"]
    assert full.options == (("Threads", "3"), ("Hash", "2"), ("Level", "3"))
    assert (full.control, full.ponder, full.variant) == (TimeControl.read("st=1"), True, "V")
    assert typed.read(EngineSpec, json.loads(json.dumps(full.to_json()))) == full

    toml = tmp_path / "engines.toml"
    toml.write_text(
        '[each]\ntc = "2+1"\n[[engine]]\nname = "T"\ncmd = "t"\nponder = true\n'
        '[engine.options]\nHash = 4\nOwnBook = false\n[[engine]]\ncmd = "u"\nnodes = 5\n'
    )
    first, second = read_engines([], [], toml)
    assert (first.name, first.control, first.ponder) == ("T", TimeControl.read("2+1"), True)
    assert first.options == (("Hash", "4"), ("OwnBook", "false"))
    assert second.control == TimeControl.read("2+1").limited("nodes", "5")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["name=a", "x"], "'x' is not like key=value"),
        (["name=a", "cmd=b", "colour=red"], "unknown key 'colour', it is none of name, cmd, dir"),
        (["name=a", "cmd=b", "proto=usi"], "engine 'a': proto: 'usi' is none of uci, xboard"),
        (["cmd=b", "nodes=0"], "engine 'b': nodes: 0 is not in 1.."),
        (["cmd=b", "tc=inf"], "engine 'b': without a clock it needs nodes= or depth="),
        (["cmd=b", "dir=/no/such"], "there is no folder '/no/such'"),
        (["name=a"], "engine 'a': its command line is empty"),
    ],
)
def test_faulty_descriptions(words: list[str], told: str) -> None:
    with pytest.raises(UserError, match=re.escape(told)) as caught:
        read_engines([words])
    assert "\n" not in str(caught.value)


def test_clocks() -> None:
    clock = PlayerClock(TimeControl.read("2/1:00+1"))
    assert (clock.left, clock.to_go) == (60, 2)
    assert clock.run(10)
    clock.moved()
    assert (clock.left, clock.to_go) == (51, 1)
    clock.run(1)
    clock.moved()
    assert (clock.left, clock.to_go) == (111, 2)
    assert not clock.run(112)
    endless = PlayerClock(TimeControl.read("nodes=5"))
    assert endless.run(1e9)
    assert str(endless.control) == "nodes=5"
    lines = [str(TimeControl.read(t)) for t in ("40/60", "1:30+1", "inf", "st=0.5", "depth=3")]
    assert lines == ["40/60+0", "90+1", "inf", "st=0.5", "depth=3"]


def test_adjudication_by_moves_and_agreement() -> None:
    def said(*scores: int) -> list[tuple[int, Answer]]:
        return [(i % 2, Answer("a", 0.1, "", 1, score)) for i, score in enumerate(scores)]

    chess = registry().game("chess")
    plan = Adjudication.read("2:500:both", "2:10:3")
    assert plan.outcome(chess, said(-600, 600, -600, 400)) is None
    assert plan.outcome(chess, said(0, 600, -600, 600, -600)) is not None
    assert plan.outcome(chess, said(0, 0, 0, 0)) is None  # before the third move
    assert plan.outcome(chess, said(0, 0, 0, 0, 0, 0)) is not None
    assert plan.outcome(chess, said(0, 0, 0, 0, 0, 0), quiet=3) is None
    for resign, draw in (("4:5:x", ""), ("4:5:both3", ""), ("", "1:2:3:4"), ("1:2:3", "")):
        with pytest.raises(UserError):
            Adjudication.read(resign, draw)


def test_a_game_is_told_from_behind_its_last_castling() -> None:
    """Farther than another engine's table says too; a king that only goes back and forth is not."""
    game = registry().game("ryugi")
    position = Position(game, "r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 0 1")
    sent = SentPosition(position)
    sent.push(position, "f1i1")
    assert (sent.root, sent.root_ply) == (position.text(), 1)
    for move in ("f8e8", "i1i2", "e8f8"):
        sent.push(position, move)
    assert sent.root_ply == 1
    assert sent.sides == [0, 1, 0, 1]
    chess = Position(registry().game("chess"), "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    sent = SentPosition(chess)
    sent.push(chess, "e1g1")
    assert sent.root_ply == 0


def heard(folder: Path) -> list[list[str]]:
    """What each engine was told."""
    return [path.read_text().splitlines() for path in sorted(folder.glob("log.*"))]


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MATCH_ENGINE_LOG", str(tmp_path / "log"))
    return tmp_path


OWN = """
[own]
start = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"
files = 8
ranks = 8
promotion = "Q"
[own.pieces]
K = "K"
Q = "Q"

[stuck]
files = 5
ranks = 5
passing = true
start = "k4/p4/5/P4/K4 w - - 0 1"
pieces = { P = "mfW", K = "cK" }
"""


def test_options_come_in_order_and_before_the_game(log: Path) -> None:
    """The option list that VariantPath brings is the one that counts."""
    (log / "own.toml").write_text(OWN)
    words = ["match", "--variants", str(log / "own.toml"), "--variant", "own", "--games", "1"]
    words += ["--each", "depth=1", "option.Style=b", "--max-plies", "4", "--quiet"]
    own = "option.VariantPath=mine.ini"
    done = command(
        *(*words, "--engine", "name=a", f"cmd={SCRIPTED} none", "option.Ponder=true", own),
        *("--engine", "name=b", f"cmd={SCRIPTED} none", "variant=Own"),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    messages = [line for line in heard(log) if line]
    options = [[line for line in lines if line.startswith("setoption")] for lines in messages]
    assert sorted(options) == sorted(
        [
            [
                "setoption name Style value b",
                "setoption name Ponder value true",
                "setoption name VariantPath value mine.ini",
                "setoption name UCI_Variant value Own",
            ],
            [
                f"setoption name VariantPath value {log / 'own.toml'}",
                "setoption name Style value b",
                "setoption name UCI_Variant value Own",
            ],
        ]
    )
    assert any(line == "go depth 1" for line in messages[0])
    done = command(
        *("match", "--variant", "ryugi", "--engine", "name=a", f"cmd={SCRIPTED} none"),
        *("--engine", "name=b", f"cmd={SCRIPTED} none", "option.None=1"),
    )
    assert done.returncode == 2
    assert "'a' did not start: it does not play 'ryugi', it plays chess" in done.stderr
    assert "'b' did not start: it has no option 'None'" in done.stderr


@pytest.mark.parametrize("hits", [True, False])
def test_pondering(hits: bool, log: Path) -> None:
    """An expected move is a hit; another one ends the thought, and the true one is asked for."""
    words = ["match", "--variant", "chess", "--games", "2", "--tc", "20+1", "--max-plies", "30"]
    fault = "ponder" if hits else "ponder-wrong"
    words += ["--engine", "name=a", f"cmd={SCRIPTED} {fault}", "ponder", "--quiet"]
    done = command(*words, "--engine", "name=b", f"cmd={SCRIPTED} none")
    assert done.returncode == 0, done.stdout + done.stderr
    output = next(lines for lines in heard(log) if "setoption name Ponder value true" in lines)
    pondered = sum(line.startswith("go ponder wtime ") for line in output)
    assert pondered > 10
    # when a game was over it thought of the next move
    assert output.count("stop") == (2 if hits else pondered)
    assert output.count("ponderhit") == pondered - output.count("stop")


@pytest.mark.slow
def test_a_stall_needs_no_clock(tmp_path: Path) -> None:
    words = ["match", "--variant", "chess", "--games", "1", "--tc", "nodes=1", "--stall", "2"]
    words += ["--engine", "name=h", f"cmd={SCRIPTED} hang", "--quiet"]
    done = command(*words, "--engine", "name=b", f"cmd={SCRIPTED} none")
    assert done.returncode == 1
    assert "Game 1: 0-1 (stall: no answer in 2 s), 0 plies" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["own", "stuck", "gomokuroku", "gorogo"])
def test_both_protocols_play_every_game(name: str, tmp_path: Path) -> None:
    """A user's own, one where kings pass, one with several turns running, one with captures.

    Each ends as the rules say of the moves that were written.
    """
    (tmp_path / "own.toml").write_text(OWN)
    done = command(
        *("match", "--variants", str(tmp_path / "own.toml"), "--variant", name, "--games", "2"),
        *("--engine", "name=u", f"cmd={ENGINE}", "--engine", "name=x", f"cmd={ENGINE}"),
        *("proto=xboard", "--tc", "st=0.05", "--time-margin", "60000", "--quiet"),
        *("--concurrency", "2", "--pgn-out", str(tmp_path / "games.pgn")),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Faults: illegal move 0, time forfeit 0, crash 0" in done.stdout
    games = Registry()
    games.load_file(str(tmp_path / "own.toml"))
    records = read_records(tmp_path / "games.pgn")
    assert len(records) == 2
    for record in records:
        position = Playback.of(record, games).position
        outcome = position.outcome() or position.claim()
        assert outcome is not None
        assert outcome.result == record.result
