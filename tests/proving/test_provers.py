"""Exact searches against trying everything, and what the engine makes of proofs."""

from __future__ import annotations

import os
import random
import re
from collections import Counter

import pytest

from ryugi_engine.games.game import Prover
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel.abi import LOST, ONGOING, WON
from ryugi_engine.kernel.block import Block
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Report, Result
from ryugi_engine.search.searcher import Searcher
from tests.proving.test_proven_games import new_prover
from tests.support.effort import effort
from tests.support.exhaustive_search import forced_win, winner
from tests.support.helpers import EngineUnderTest, command, late_position, rounds

UNLIMITED = 1 << 60
#: Nodes of a search that a proof ends long before; a time would be another one on a busy machine.
ENOUGH = 20_000_000
#: Positions of each game that are proven whole and in parts.
PARTED = int(os.environ.get("RYUGI_PROOFS_IN_PARTS", effort(30, 2000)))
HEXAGONS = ["gomokuroku", "gomokuroku-thrilling", "gomokuroku-ninuki"]


def prover_of(position: Position, megabytes: int = 16) -> Prover:
    prover = position.rules.prover(megabytes)
    assert prover is not None
    return prover


def hexagon_position(name: str, source: random.Random) -> Position:
    """A position of random stones in which the game goes on."""
    while True:
        position = Position(registry().game(name))
        for _ in range(source.randrange(8, 26)):
            if position.outcome() is None:
                position.push(source.choice(position.legal_codes()))
        if position.outcome() is None:
            return position


def solve(position: Position, prover: Prover) -> int:
    return prover.prove(position.state, UNLIMITED, Block(8))


def search(position: Position, **limits: float) -> Result:
    searcher = Searcher(16)
    searcher.prepare(position, Limits(**limits))  # type: ignore[arg-type]
    return searcher.run(position, lambda report: None)


def play_out(position: Position, prover: Prover) -> int:
    """Play the prover's line to the end; WON or LOST for the side that began."""
    side = position.side
    line = prover.line(position.state, Block(8))
    assert line
    for code in line:
        position.push(code)
    outcome = position.outcome()
    assert outcome is not None
    return WON if outcome.result == ("1-0", "0-1")[side] else LOST


@pytest.mark.parametrize("pieces", [1, 2, 3, 4, 5, 6, 7])
def test_gorogo_against_trying_everything(pieces: int, source: random.Random) -> None:
    seen: Counter[str] = Counter()
    for _ in rounds(120 if pieces < 6 else 40, seen, won=1, lost=1):
        position = late_position(source, pieces)
        prover = prover_of(position, 1)
        value = solve(position, prover)
        assert value == winner(position), position.text()
        seen["won" if value == WON else "lost"] += 1
        if len(position.legal_codes()) > 0:
            assert play_out(position, prover) == value


def test_gorogo_solved_positions() -> None:
    """The table of late positions, solved to the end, with one prover for all of them."""
    game = registry().game("gorogo")
    lines = game.positions("solved")
    assert len(lines) == 200
    prover: Prover | None = None
    for line in lines:
        text, _, value = line.partition(" ;value ")
        position = Position(game, text)
        prover = prover or prover_of(position)
        answer = solve(position, prover)
        white = (answer == WON) == (position.side == 0)
        assert ("1-0" if white else "0-1") == value, text


def test_gorogo_value_is_the_same_from_every_side(source: random.Random) -> None:
    """Turned and mirrored positions have one value, and the table knows them."""
    from variants.gorogo.symmetry import image
    from variants.gorogo.text import format_text, parse_text

    for _ in range(10):
        position = late_position(source, 9)
        prover = prover_of(position)
        value = solve(position, prover)
        data = parse_text(position.text())
        board = dict(data.board)
        for symmetry in range(1, 8):
            data.board = {}
            for (file, rank), piece in board.items():
                point = image(symmetry, rank * 5 + file)
                data.board[point % 5, point // 5] = piece
            other = Position(position.game, format_text(data))
            assert solve(other, prover) == value
            assert prover.nodes == 1  # looked up


@pytest.mark.more
@pytest.mark.parametrize("name", HEXAGONS)
def test_forced_wins_against_trying_everything(name: str, source: random.Random) -> None:
    """Wins within three own stones: exactly those that are there, but see ninuki's limits.

    There a short win may be missed, or a longer one proven in its place.
    """
    ninuki = name.endswith("ninuki")
    seen: Counter[str] = Counter()
    for _ in rounds(effort(15, 60), seen, wins=effort(3, 10)):
        position = hexagon_position(name, source)
        there = next((n for n in (1, 2, 3) if forced_win(position, n)), 0)
        prover = prover_of(position, 4)
        value = prover.prove(position.state, 300_000, Block(8))
        result = (prover.plies(position.state) + 1) // 2 if value == WON else 0
        if there:
            seen["wins"] += 1
            seen["missed"] += result != there
            if value == WON:
                assert result == there or (ninuki and result > there), position.text()
                assert play_out(position, prover) == WON
        else:
            assert value != WON or result > 3, position.text()
    assert seen["missed"] == 0 or (ninuki and seen["missed"] <= 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", HEXAGONS)
def test_the_search_reports_forced_wins(name: str, source: random.Random) -> None:
    wins = 0
    while wins < 3:
        position = hexagon_position(name, source)
        stones = next((n for n in (1, 2, 3) if forced_win(position, n)), 0)
        if stones:
            wins += 1
            result = search(position, nodes=ENOUGH)
            assert result.score.mate is not None
            assert 0 < result.score.mate <= stones + 1
            position.push(result.best)


def test_the_search_reports_solved_games(source: random.Random) -> None:
    for _ in range(8):
        position = late_position(source, 9)
        value = solve(position, prover_of(position))
        result = search(position, nodes=ENOUGH)
        assert result.score.mate is not None
        assert (result.score.mate > 0) == (value == WON)
        position.push(result.best)
        if value == WON:
            assert position.outcome() is not None or solve(position, prover_of(position)) == LOST


def in_parts(position: Position, prover: Prover, source: random.Random, most: int) -> int:
    """A proof in parts of 500 to 5,000 nodes or stopped at once, and its nodes.

    It ends when ``most`` nodes are spent.
    """
    prover.nodes = spent = 0
    never, stopped = Block(8), Block(8)
    stopped.words[0] = 1
    while spent < most:
        if source.random() < 0.1:
            value = prover.prove(position.state, most - spent, stopped)
        else:
            part = min(source.randint(500, 5_000), most - spent)
            value = prover.prove(position.state, part, never)
            assert prover.nodes < part + 100  # a finished game is looked at all the same
        assert prover.nodes > 0
        spent += prover.nodes
        if value != ONGOING or prover.exhausted():
            break
    prover.nodes = spent
    return value


@pytest.mark.more
@pytest.mark.parametrize("entries", [None, 64])
@pytest.mark.parametrize("name", ["gorogo", *HEXAGONS])
def test_a_proof_in_parts_is_the_same_proof(
    name: str, entries: int | None, source: random.Random
) -> None:
    """Each part begins where the last one ended, even if the table has lost entries."""
    gorogo = name == "gorogo"
    whole, parts = (new_prover(registry().game(name), entries) for _ in range(2))
    several = 0
    for _ in range(PARTED):
        if gorogo:
            position = late_position(source, source.randint(8, 12 if entries is None else 10))
        else:
            position = hexagon_position(name, source)
        whole.clear()
        parts.clear()
        value = whole.prove(position.state, UNLIMITED if gorogo else 40_000, Block(8))
        decided = value != ONGOING or whole.exhausted()
        most = 3 * whole.nodes if decided else whole.nodes
        assert in_parts(position, parts, source, most) == value, position.text()
        assert parts.nodes == whole.nodes, position.text()
        several += parts.nodes > 5_000
    assert several > 0


def test_searchmoves_and_multipv_are_searched_not_proven(source: random.Random) -> None:
    position = late_position(source, 8)
    moves = position.legal_moves()
    only = moves[-1]
    searcher = Searcher(4)
    searcher.prepare(position, Limits(depth=3, search_moves=(only,)))
    assert searcher.run(position, lambda report: None).best == only
    searcher.multipv = 3
    reports: list[Report] = []
    searcher.prepare(position, Limits(depth=3))
    searcher.run(position, reports.append)
    assert {report.multipv for report in reports} == set(range(1, min(3, len(moves)) + 1))


SOLVED = "1S1s1/s1H1S/3sH/H1HSS/1Hss1[SSSSSSsssss] w - - 0 8"


def test_solve_command() -> None:
    words = ["solve", "--variant", "gorogo", "--fen", SOLVED]
    first = command(*words, "--margin", "--progress")
    assert first.returncode == 0, first.stderr
    value = re.match(r"Value: (1-0|0-1) \((White|Black) wins, in at most 11 plies\)", first.stdout)
    assert value is not None
    assert re.search(r"^Margin: .+$", first.stdout, re.MULTILINE)
    assert " nodes, " in first.stderr
    line = re.search(r"^Line: (.+)$", first.stdout, re.MULTILINE)
    assert line is not None
    position = Position(registry().game("gorogo"), SOLVED)
    for move in line.group(1).split():
        position.push(move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.result == value.group(1)


def test_placement_games_over_uci() -> None:
    engine = EngineUnderTest().ready("setoption name UCI_Variant value gomokuroku-handicap")
    engine.send("position startpos moves 0000 s@F11 S@g11", "d")
    assert engine.wait("Fen: ").endswith(" b - - 0 1")
    engine.send("position startpos", "go perft 1")
    engine.wait("0000: 1")
    assert engine.wait("Nodes searched") == "Nodes searched: 61"
    engine.send("setoption name UCI_Variant value gorogo")
    engine.wait("info string variant gorogo files 5 ranks 5 pocket 2 template fairy startpos 5/5")
    engine.send("isready", f"position fen {SOLVED}", f"go nodes {ENOUGH}")
    assert re.match(r"bestmove [SH]@[a-e][1-5]", engine.wait("bestmove"))
    assert " score mate " in [line for line in engine.log if line.startswith("info depth")][-1]
    engine.send("position fen 5/5/5/5/HHHHH[] b - - 0 13", "d", "go depth 3")
    assert engine.wait("Result: ") == "Result: 1-0 (more captured stones)"
    assert engine.wait("bestmove") == "bestmove (none)"
    assert engine.quit() == ""


def test_nobody_ponders_on_an_own_move(source: random.Random) -> None:
    """Where the same side plays on, there is no opponent's answer to ponder on."""
    seen: Counter[str] = Counter()
    for _ in rounds(40, seen, answers=4):
        position = hexagon_position("gomokuroku", source)
        result = search(position, depth=4)
        side = position.side
        position.push(result.best)
        if result.ponder:
            assert position.side != side
            position.push(result.ponder)
            seen["answers"] += 1
