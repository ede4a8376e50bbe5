"""Whole games by clicks, in a real Chromium: each record is what the referee says of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.support.board_page import BoardPage, WebServer

pytestmark = pytest.mark.slow

#: Castling over three squares, en passant, a promotion to a rook and one to a queen, mate.
RYUGI = "5k4/P2p6/10/4P5/10/10/10/R4K3R w KQ - 0 1"
RYUGI_MOVES = (
    "f1c1 d7d5 e5d6 f8g7 a7a8r g7g6 c1d2 g6g5 j1j8 g5h5 d1h1 h5g4 h1h2 g4f5 d2d3 f5g6 j8c8 g6f7 "
    "h2b2 f7g7 d3e4 g7f7 e4d5 f7f6 c8c5 f6f5 d6d7 f5f6 d7d8q f6f5 d5c4 f5e6 a8a6 e6f7 b2b7"
)
GOMOKU_ROKU_MOVES = "S@c8 S@b7 S@g10 S@j9 S@j10 S@g6 S@i10 S@h10 S@d4"
#: The stone on e2 captures c4 and d3, or d3 and e5.
NINUKI_MOVES = (
    "S@a1 S@b1 S@f7 S@f9 S@d4 S@h8 S@h4 S@c5 S@f4 S@h9 S@i8 S@b6 S@j10 S@h10 S@d3 S@g6 S@e5 S@b5 "
    "S@d7 S@c4 S@e2xd3e5 S@g3 S@i10"
)
GORYUJIN_MOVES = (
    "P2@b1 P2@d28 I0@c4 P2@bc28 I0@c9 P1@j29 I0@c14 P4@aw28 I0@c19 P6@ap28 N4@b24 L4@aw24 P0@b28+"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    server = WebServer(tmp_path_factory.mktemp("home"), "--variant", "gorogo")
    yield server
    assert "Traceback" not in server.stop()


def check_record(page: BoardPage, name: str, moves: list[str], fen: str = "") -> None:
    """The newest record has these moves, and its end is what the rules and the page say."""
    newest = max(page.server.records(), key=lambda path: path.stat().st_mtime_ns)
    playback = page.server.playback(newest)
    assert playback.game.name == name
    position = Position(registry().game(name), fen or None)
    for move in moves:
        position.push(move, refereed=True)
    assert playback.position.moves == position.moves == moves
    outcome = position.outcome()
    assert outcome is not None
    assert playback.record.result == outcome.result == page.standing["result"]
    assert page.browser.get_log("browser") == []


def test_ryugi(browser: Any, server: WebServer) -> None:
    page = BoardPage(browser, server)
    page.begin("ryugi", fen=RYUGI)
    for move in RYUGI_MOVES.split():
        page.play(move)
    page.picture("web-ryugi")
    check_record(page, "ryugi", RYUGI_MOVES.split(), RYUGI)


def test_gorogo(browser: Any, server: WebServer, source: random.Random) -> None:
    """A random game: Henges, stones, captures."""
    page = BoardPage(browser, server)
    page.begin("gorogo")
    position = Position(registry().game("gorogo"))
    while position.outcome() is None:
        move = source.choice(position.legal_moves())
        page.play(move)
        position.push(move)
    page.picture("web-gorogo")
    check_record(page, "gorogo", position.moves)


def test_gomoku_roku(browser: Any, server: WebServer) -> None:
    page = BoardPage(browser, server)
    page.begin("gomokuroku")
    for move in GOMOKU_ROKU_MOVES.split():
        page.play(move)
    page.picture("web-gomokuroku")
    check_record(page, "gomokuroku", GOMOKU_ROKU_MOVES.split())


def test_gomoku_roku_ninuki(browser: Any, server: WebServer) -> None:
    """One of two pairs is chosen to be removed."""
    page = BoardPage(browser, server)
    page.begin("gomokuroku-ninuki")
    for move in NINUKI_MOVES.split():
        page.play(move)
    check_record(page, "gomokuroku-ninuki", NINUKI_MOVES.split())


def test_goryujin(browser: Any, server: WebServer) -> None:
    """Pieces from the trays are turned, mirrored and placed, up to the touchdown."""
    page = BoardPage(browser, server)
    page.begin("goryujin")
    for number, move in enumerate(GORYUJIN_MOVES.split()):
        page.place(move, keys=bool(number % 2))
        if number == 8:
            page.picture("web-goryujin")
    check_record(page, "goryujin", GORYUJIN_MOVES.split())


def test_lost_turns_end_a_game_of_goryujin(browser: Any, server: WebServer) -> None:
    """With a time a turn, who does not place a piece loses the turn; the fifth ends the game."""
    page = BoardPage(browser, server)
    page.begin("goryujin", control="st=2")
    page.place("P2@b1")
    page.ask(
        "void ask('new', {variant: 'goryujin', fen: 'P2@b1/- b 0 1', control: 'st=0.2',"
        " white: {engine: false}, black: {engine: false}})"
    )
    page.wait("table.control === 'st=0.2' && here()")
    page.place("P2@d28", keys=False)
    page.wait("table.result !== ''")
    check_record(page, "goryujin", ["P2@d28", *["pass"] * 5], "P2@b1/- b 0 1")
