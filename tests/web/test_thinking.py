"""What the engine thinks, as the page shows it: proofs, threats."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry, rules_of
from tests.conftest import GAMES
from tests.support.board_page import BoardPage, WebServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    server = WebServer(tmp_path_factory.mktemp("home"), "--variant", "gorogo")
    yield server
    assert "Traceback" not in server.stop()


def other_side(position: Position) -> str:
    """Return the text of a position with the other side to move."""
    editor = position.rules.editor(position.text())
    editor.turn(1 - position.side)
    return editor.text()


@pytest.mark.parametrize("name", [*GAMES, "shogi", "crazyhouse", "marseillais"])
def test_the_other_side_to_move(name: str, source: random.Random) -> None:
    """The board is the same, the other side moves; exchanged twice it is what it was."""
    game = registry().game(name)
    assert game.proves == (rules_of(game).prover(1) is not None)
    position, exchanged = Position(game), 0
    while exchanged < 10:
        if position.outcome() is not None:
            position = Position(game)
        position.push(source.choice(position.legal_moves()))
        if position.outcome() is not None or position.in_check():
            continue
        try:
            other = Position(game, other_side(position))
        except ValueError:  # in the setup of Gomoku Roku the order of turns is fixed
            assert game.package == "variants.gomoku_roku"
            continue
        exchanged += 1
        if other.outcome() is not None:
            continue
        assert other.side == 1 - position.side
        assert other.rules.hands(other.state) == position.rules.hands(position.state)
        back = Position(game, other_side(other))
        assert back.rules.board(back.state) == position.rules.board(position.state)
        assert back.side == position.side


@pytest.mark.slow
def test_a_proof(browser: Any, server: WebServer) -> None:
    """A proven win is no evaluation: in the list, in the bar and in the graph; a mate is none."""
    page = BoardPage(browser, server)
    page.begin("gomokuroku")
    for move in ["S@c8", "S@b7", "S@g10", "S@j9", "S@j10", "S@g6"]:
        # the board shows where the stone may go
        legal = page.ask("state.table.moves.map(move => move.slice(2))")
        assert set(page.ask("[...targetCells()]")) == set(legal)
        assert page.ask("document.querySelectorAll('#marks .spot').length") == len(legal)
        page.play(move)
    page.click("#act-analyse")
    page.wait("document.querySelector('#best-lines [data-proof]')")
    best = page.find("#best-lines [data-proof]")
    assert best.get_attribute("data-proof") == "white"
    assert "✓+" in best.text
    assert "proven: White wins in" in best.text
    assert page.ask("byId('gauge').classList.contains('proven')")
    page.click("#best-lines [data-move]")  # while it goes on thinking
    page.reached(7)
    page.wait("document.querySelectorAll('#graph .proof').length >= 2")
    page.picture("web-proof")
    page.click("#act-analyse")
    page.begin("chess", fen="7k/8/6K1/8/8/8/8/R7 w - - 0 1")
    page.click("#act-hint")
    page.wait("document.querySelector('#best-lines [data-move]')")
    assert page.find("#best-lines").text.startswith("#1")
    assert not page.ask("document.querySelector('#best-lines [data-proof]')")


@pytest.mark.slow
def test_the_whole_game(browser: Any, server: WebServer) -> None:
    """Every move is judged in the file and on the page; pages are told how far it is."""
    page = BoardPage(browser, server)
    page.begin("gorogo")
    moves = ["H@c1", "S@c2", "S@d4", "H@d1", "S@b3"]
    for move in moves:
        page.play(move)
    page.ask("void (window.told = [], receivers.progress = message => told.push(message.text))")
    page.click("#files")
    page.click("#file-analyse")
    page.wait("told.at(-1) === '100 %'", seconds=60)
    assert page.ask("told.length") > 2
    page.click("#files-dialog .closes")
    page.wait("document.querySelectorAll('#moves .score').length >= 5")
    record = server.playback(server.newest()).record
    assert [step.move for step in record.steps] == moves
    assert all("[%eval" in step.comment for step in record.steps)


@pytest.mark.slow
def test_threats(browser: Any, server: WebServer) -> None:
    """What the other side would do if it were to move; a check is one already."""
    page = BoardPage(browser, server)
    page.begin("chess")
    for move in ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4"]:
        page.play(move)
    page.click("[data-action=threats]")
    page.wait("document.querySelector('#best-lines [data-kind=threats]')")
    threat = page.find("#best-lines [data-kind=threats]")
    assert threat.get_attribute("data-move") == "h5f7"
    assert "Threat: Qxf7#" in threat.text
    page.wait("!state.table.thinking")
    assert page.ask("state.current.M === undefined && state.current.e === undefined")
    page.play("g8f6")
    assert not page.ask("document.querySelector('#best-lines [data-kind=threats]')")
    page.play("h5f7")
    page.begin("chess", fen="7k/8/8/8/8/8/8/R5K1 w - - 0 1")
    page.play("a1a8")
    page.click("[data-action=threats]")
    page.wait("byId('notice').textContent === 'White gives check: that is the threat'")
    page.begin("gomokuroku")
    for move in ["S@c8", "S@b7", "S@g10", "S@j9", "S@j10", "S@g6"]:
        page.play(move)
    page.click("[data-action=threats]")
    page.wait("document.querySelector('#best-lines [data-kind=threats]')")
