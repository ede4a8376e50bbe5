"""Which of an engine's lines has the score of its move, in both protocols."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.match.cecp import CecpEngine
from ryugi_engine.match.engine import Answer
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timeouts import Timeouts
from ryugi_engine.match.uci import UciEngine
from ryugi_engine.records.pgn import read_records
from tests.support.helpers import command

UCI = {
    "free text": ("info depth 9 score cp 31 pv e2e4|info string depth 99 score cp 5000", 31, 9),
    "free text at the end": ("info depth 9 score cp 31 string lowerbound, score cp 5000", 31, 9),
    "free text alone": ("info string score mate 1", None, 0),
    "a fail low": (
        "info depth 9 score cp 31 pv e2e4|info depth 10 score cp -900 upperbound pv e2e4",
        31,
        9,
    ),
    "a fail high": (
        "info depth 9 score cp 31 pv e2e4|info depth 10 score mate 3 lowerbound nodes 7 pv e2e4",
        31,
        9,
    ),
    "bound after wdl": (
        "info depth 9 score cp 31 pv e2e4|info depth 10 score cp 990 wdl 9 1 0 lowerbound",
        31,
        9,
    ),
    "bounds alone": (
        "info depth 1 score cp 5 lowerbound pv e2e4|info depth 2 score cp 7 upperbound pv e2e4",
        7,
        2,
    ),
    "exact after a bound": (
        "info depth 2 score cp 70 upperbound pv e2e4|info depth 2 score cp 12 pv e2e4",
        12,
        2,
    ),
    "other lines": (
        "info depth 9 multipv 1 score cp 31 pv e2e4|info depth 9 multipv 2 score cp 8 pv d2d4"
        "|info depth 9 score cp 7 pv c2c4 multipv 3",
        31,
        9,
    ),
    "the first line, named at the end": ("info depth 9 score cp 31 multipv 1", 31, 9),
    "the move that is searched": (
        "info depth 9 score cp 31 pv e2e4|info depth 10 currmove a2a3 currmovenumber 9 score cp -5",
        31,
        9,
    ),
    "counts alone": ("info depth 9 score cp 31 pv e2e4|info nodes 9000 nps 100 hashfull 3", 31, 9),
    "tabs and blanks": ("  info\tdepth 9  score  cp\t31 pv e2e4", 31, 9),
    "a second score": ("info depth 9 score cp 31 pv e2e4 e7e5 score cp 700", 31, 9),
    "no number": ("info depth 9 score cp 31 pv e2e4|info depth 10 score cp x pv e2e4", 31, 9),
}
CECP = {
    "plain": ("9 31 100 2000 e2e4", 31, 9),
    "a sign after the ply": ("9. 31 100 2000 e2e4", 31, 9),
    "a sign before the score": ("8 -44 0 120 e4|9 +31 0 252 e4 Nc6", 31, 9),
    "a fail low": ("9 31 100 2000 e2e4|10 -900 200 3000 e2e4 ?", 31, 9),
    "a fail high": ("9 31 100 2000 e2e4 e7e5|10 900 200 3000 e2e4!", 31, 9),
    "bounds alone": ("9 31 100 2000 e2e4!|10 40 200 3000 e2e4!", 40, 10),
    "several lines": ("9 31 100 2000 e2e4|9 8 100 2000 d2d4|9 -7 100 2000 c2c4", 31, 9),
    "several lines in SAN": ("9 31 1 20 1. e4 e5|9 8 1 20 1. d4 d5|9 -7 1 20 1. c4", 31, 9),
    "more counts": ("9 31 1 20 14 900 0\te4 e5|9 8 1 20 14 900 0\td4", 31, 9),
    "a better move late": ("9 12 1 20 d2d4|9 31 1 30 e2e4", 31, 9),
    "a remark": ("9 31 100 2000 e2e4|# 10 900 200 3000 e2e4", 31, 9),
    "a book": ("9 31 100 2000 e2e4|0 0 0 0 (e4 64%, d4 24%)", 31, 9),
    "another move's alone": ("9 31 100 2000 d2d4", 31, 9),
    "no PV": ("9 31 100 2000", 31, 9),
    "no thought": ("9 wins of 31 games", None, 0),
}


def answer_of(engine: UciEngine | CecpEngine, lines: str, last: str) -> Answer:
    """The answer of an engine that writes these lines in a search."""
    engine.thinking = True
    for line in lines.split("|"):
        engine._handle_line(line)
    engine._handle_line(last)
    return engine._read_answer(engine._best[0], 0.1, Position(engine.game))


@pytest.mark.parametrize("case", UCI)
def test_uci(case: str) -> None:
    lines, centipawns, depth = UCI[case]
    engine = UciEngine(EngineSpec("x"), registry().game("chess"), "", Timeouts())
    answer = answer_of(engine, lines, "bestmove e2e4")
    assert (answer.move, answer.centipawns, answer.depth) == ("e2e4", centipawns, depth)


@pytest.mark.parametrize("case", CECP)
def test_cecp(case: str) -> None:
    lines, centipawns, depth = CECP[case]
    engine = CecpEngine(EngineSpec("x"), registry().game("chess"), "", Timeouts())
    answer = answer_of(engine, lines, "move e2e4")
    assert (answer.move, answer.centipawns, answer.depth) == ("e2e4", centipawns, depth)


LIAR = """
import sys, chess
board = chess.Board()
for line in sys.stdin:
    words = line.split()
    if line.startswith("uci\\n"):
        print("uciok")
    elif words == ["isready"]:
        print("readyok")
    elif words[:2] == ["position", "startpos"]:
        board = chess.Board()
        for move in words[3:]:
            board.push_uci(move)
    elif words[:1] == ["go"]:
        print("info depth 3 score cp 12 pv", *list(board.legal_moves)[:1])
        print("info string depth 99 score cp -5000")
        print("info depth 4 score cp -4000 upperbound")
        print("bestmove", *list(board.legal_moves)[:1])
    sys.stdout.flush()
"""


def test_neither_resignation_nor_record_believe_them(tmp_path: Path) -> None:
    engine, pgn = tmp_path / "liar.py", tmp_path / "games.pgn"
    engine.write_text(LIAR)
    words = ["match", "--variant", "chess", "--openings", "start", "--max-plies", "8"]
    for _ in range(2):
        words += ["--engine", f"'{sys.executable}' '{engine}'"]
    words += ["--tc", "60", "--games", "1", "--resign", "2:900", "--pgn-out", str(pgn), "--quiet"]
    done = command(*words)
    assert "adjudication after 8 plies" in done.stdout, done.stdout + done.stderr
    (record,) = read_records(pgn)
    assert {step.comment.split()[0] for step in record.steps} == {"+0.12/3"}
