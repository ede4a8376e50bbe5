"""The ends of games by clicks, in a real Chromium: each record is what the referee says of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import Registry
from tests.support.board_page import BoardPage, WebServer
from tests.support.helpers import patient

pytestmark = pytest.mark.slow

#: Castling over three squares, en passant, a promotion to a rook, mate.
RYUGI = "8k1/PR1p6/10/4P5/10/10/10/R4K4 w Q - 0 1"
RYUGI_MOVES = "f1c1 d7d5 e5d6 i8j8 a7a8r"
#: Henges of both sides, and three captures.
GOROGO = "1sS2/2sSS/1SsS1/SssS1/1sHHs[HHSSShsss] w - - 0 9"
GOROGO_MOVES = "H@a5 S@a4 S@e2 H@a1 S@a3 S@b4 S@e1 S@d5"
#: The stone on e2 captures c4 and d3, or d3 and e5.
NINUKI = (
    "*****6/****3S1s1/***2s1s3/**5SS2/*4S4s/1s4S4/2s7*/3s1S1sS**/3s4***/7****/6*****"
    "[SSSSSSSSSSSSSSSSSSSSSSSSssssssssssssssssssssss] b - - 0 1"
)
NINUKI_MOVES = "S@e5 S@b5 S@d7 S@c4 S@e2xd3e5 S@g3 S@i10"
GORYUJIN = "P2@b1.I0@c4.I0@c9.I0@c14/P2@d28,P2@bc28,P1@j29,P4@aw28 w 0 5"
GORYUJIN_MOVES = "I0@c19 P6@ap28 N4@b24 L4@aw24 P0@b28+"
#: The same before White's N, which is mirrored and leads to the touchdown.
GORYUJIN_END = "P2@b1.I0@c4.I0@c9.I0@c14.I0@c19/P2@d28,P2@bc28,P1@j29,P4@aw28,P6@ap28 w 0 6"
#: C moves as king and knight; it mates on f7.
CENTAURS = """[centaurs]
files = 8
ranks = 8
start = "rnbckbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBCKBNR w - - 0 1"
promotion = "CRBN"
pieces = { K = "K", C = "KN", R = "R", B = "B", N = "N" }
"""
CENTAURS_MOVES = "e2e4 d8c6 d1e3 a7a6 e3g4 a6a5 f1c4 a5a4 g4g5 a4a3 g5f7"
#: Black's chariot chases a cannon, and loses. A count of Makruk ends.
CHASE = "3k5/9/9/9/9/9/9/9/cr1CAK3/9 w - - 0 1"
CHASE_MOVES = " ".join(2 * ["d2d4 b2b4 d4d2 b4b2"])
COUNT, COUNT_MOVES = "8/8/8/3k4/8/8/R7/K7 b - 32 30 60", "d5e6 a2a3 e6d5"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    home = tmp_path_factory.mktemp("home")
    own = home / "centaurs.toml"
    own.write_text(CENTAURS, encoding="utf-8")
    server = WebServer(home, "--variant", "gorogo", "--variants", str(own))
    yield server
    assert "Traceback" not in server.stop()


@pytest.fixture(scope="module")
def games(server: WebServer) -> Registry:
    """The games that the server knows."""
    games = Registry()
    games.load_file(str(Path(server.arguments[-1])))
    return games


def check_record(page: BoardPage, games: Registry, name: str, moves: str, fen: str = "") -> None:
    """The newest record has these moves, and its end is what the rules and the page say."""
    playback = page.server.playback(page.server.newest(), games)
    assert playback.game.name == name
    position = Position(games.game(name), fen or None)
    for move in moves.split():
        position.push(move, refereed=True)
    assert playback.position.moves == position.moves == moves.split()
    assert playback.position.text() == position.text()
    outcome = position.outcome()
    assert outcome is not None
    assert playback.record.result == outcome.result == page.standing["result"]
    assert playback.record.tags["Termination"] == "normal"
    assert page.browser.get_log("browser") == []


@pytest.mark.parametrize(
    ("name", "moves", "fen"),
    [
        ("ryugi", RYUGI_MOVES, RYUGI),
        ("gorogo", GOROGO_MOVES, GOROGO),
        ("gomokuroku-ninuki", NINUKI_MOVES, NINUKI),
        ("centaurs", CENTAURS_MOVES, ""),
        ("xiangqi", CHASE_MOVES, CHASE),
        ("makruk", COUNT_MOVES, COUNT),
    ],
)
def test_by_clicks(
    browser: Any, server: WebServer, games: Registry, name: str, moves: str, fen: str
) -> None:
    page = BoardPage(browser, server)
    page.begin(name, fen=fen)
    for move in moves.split():
        page.play(move)
    page.picture(f"web-{name}")
    check_record(page, games, name, moves, fen)


def test_goryujin(browser: Any, server: WebServer, games: Registry) -> None:
    """Pieces from the trays are turned, mirrored and placed, up to the touchdown."""
    page = BoardPage(browser, server)
    page.begin("goryujin", fen=GORYUJIN)
    for number, move in enumerate(GORYUJIN_MOVES.split()):
        page.place(move, keys=bool(number % 2))
    page.picture("web-goryujin")
    check_record(page, games, "goryujin", GORYUJIN_MOVES, GORYUJIN)


def test_a_lost_turn_and_a_touchdown(browser: Any, server: WebServer, games: Registry) -> None:
    """Black's time is over, which costs the turn and not the game; White touches down."""
    page = BoardPage(browser, server)
    page.begin("goryujin", control=f"st={patient(2):.1f}", fen=GORYUJIN_END)
    page.place("N4@b24")
    page.wait("state.table.last === 'pass' && here()", seconds=patient(8))
    page.place("P0@b28+", keys=False)
    check_record(page, games, "goryujin", "N4@b24 pass P0@b28+", GORYUJIN_END)


def test_five_lost_turns_end_a_game_of_goryujin(
    browser: Any, server: WebServer, games: Registry
) -> None:
    """Who does not place a piece loses the turn; the fifth in a row ends the game."""
    page = BoardPage(browser, server)
    page.begin("goryujin", control="st=0.2", fen="P2@b1/- b 0 1")
    page.place("P2@d28", keys=False)
    page.wait("state.table.result !== ''")
    check_record(page, games, "goryujin", "P2@d28 pass pass pass pass pass", "P2@b1/- b 0 1")
