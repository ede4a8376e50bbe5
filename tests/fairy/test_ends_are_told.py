"""A perpetual chase and a count that ends, as users are told: protocols, matches, records."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.records.pgn import read_records
from ryugi_engine.records.playback import Playback
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher
from tests.fairy.test_chases import EXAMPLES, turned, turned_move
from tests.support.helpers import EngineUnderTest, command

#: Black's chariot chases Red's cannon, which loses.
CHASE, CYCLE = "3k5/9/9/9/9/9/9/9/cr1CAK3/9 w", "d2d4 b2b4 d4d2 b4b2"
#: The last two moves of a count of Makruk.
COUNT, COUNTED = "8/8/8/3k4/8/8/R7/K7 b - 32 30 60", "d5e6 a2a3 e6d5"
#: (game, position, moves, result) that end a game.
ENDS = [
    ("xiangqi", f"{CHASE} - - 0 1", f"{CYCLE} {CYCLE}", "1-0 (perpetual chase)"),
    ("xiangqi", f"{turned(CHASE)} - - 0 1", turned_move(f"{CYCLE} {CYCLE}"),
     "0-1 (perpetual chase)"),
    ("makruk", COUNT, COUNTED, "1/2-1/2 (counting rule)"),
]  # fmt: skip
#: A UCI engine that plays the moves of a list.
_PLAYER = """\
import sys
moves, number = sys.argv[1].split(), 0
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("option name UCI_Variant type combo default GAME var GAME\\nuciok")
    elif words[:1] == ["isready"]:
        print("readyok")
    elif words[:1] == ["position"]:
        number = len(words) - words.index("moves") - 1 if "moves" in words else 0
    elif words[:1] == ["go"]:
        print("bestmove", moves[number])
    elif words[:1] == ["quit"]:
        break
    sys.stdout.flush()
"""


@pytest.mark.parametrize(("name", "text", "moves", "result"), ENDS)
def test_a_match_and_its_records(
    name: str, text: str, moves: str, result: str, tmp_path: Path
) -> None:
    """The referee ends the game, the record says why, and the record's board says the same."""
    script, book, pgn = tmp_path / "player.py", tmp_path / "book.epd", tmp_path / "games.pgn"
    script.write_text(_PLAYER.replace("GAME", name))
    book.write_text(f"{text}\n")
    engine = f"'{sys.executable}' '{script}' '{moves}'"
    done = command(
        *("match", "--variant", name, "--engine", engine, "--engine", engine, "--games", "1"),
        *("--tc", "st=5", "--openings", str(book), "--pgn-out", str(pgn)),
    )
    assert result in done.stdout, done.stdout + done.stderr
    (record,) = read_records(pgn)
    assert record.result == result.partition(" ")[0]
    assert Playback(registry().game(name), record).status() == result


def test_uci_scores_the_last_move_of_a_chase_as_a_loss() -> None:
    engine = EngineUnderTest("uci").ready("setoption name UCI_Variant value xiangqi")
    played = " ".join(f"{CYCLE} {CYCLE}".split()[:-1])
    engine.send(f"position fen {CHASE} - - 0 1 moves {played}", "go nodes 500 searchmoves b4b2")
    engine.wait("bestmove b4b2")
    assert any(" score mate -" in line for line in engine.log)
    engine.send("go nodes 500")
    assert engine.wait("bestmove") != "bestmove b4b2"
    assert engine.quit() == ""


@pytest.mark.parametrize(("name", "text", "moves", "result"), ENDS)
def test_cecp_announces_the_end(name: str, text: str, moves: str, result: str) -> None:
    """XBoard counts ten ranks from 0. The engine plays the side that does not move last."""
    engine = EngineUnderTest("xboard")
    engine.send("xboard", "protover 2", f"variant {name}", "force", f"setboard {text}", "ping 1")
    engine.wait("pong 1")
    ten = name == "xiangqi"
    texts = [_from_zero(move) if ten else move for move in moves.split()]
    *before, last = [f"usermove {move}" for move in texts]
    engine.send(*before, "playother", last)
    score, _, reason = result.partition(" ")
    assert engine.wait(score).endswith(f"{reason.strip('()')}}}")
    assert engine.quit() == ""


def _from_zero(move: str) -> str:
    """Return a move of a board of ten ranks with one-digit ranks as XBoard writes it."""
    return "".join(str(int(sign) - 1) if sign.isdigit() else sign for sign in move)


@pytest.mark.parametrize(
    ("text", "before", "cycle"),
    [(text, before, cycle) for text, before, cycle, result in EXAMPLES if "chase" in result],
)
def test_a_chaser_knows_that_it_loses(text: str, before: str, cycle: str) -> None:
    """Where another move does not lose as soon, search does not complete the second cycle."""
    position = Position(registry().game("xiangqi"), f"{text} - - 0 1")
    moves = [*before.split(), *cycle.split(), *cycle.split()]
    for move in moves:
        position.push(move)
    outcome = position.outcome()
    assert outcome is not None
    loser = 1 if outcome.result == "1-0" else 0
    while position.side != loser:
        position.pop()
    if position.outcome() is not None:
        position.pop()
        position.pop()
    chasing = moves[len(position.moves)]
    searcher, limits = Searcher(1), Limits(nodes=1500)
    searcher.prepare(position, limits)
    result = searcher.run(position, lambda report: None)
    assert result.best != chasing or result.score.mate is not None
