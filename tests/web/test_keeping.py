"""Nothing is lost: killed servers, two servers on one record, games of both kinds of players."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from ryugi_engine.games.drawing import MARK
from ryugi_engine.games.game import NAMES
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.support.board_page import BoardPage, WebServer
from tests.support.helpers import command, patient
from tests.support.page_socket import connected

#: A game of a definition that no server of these tests knows.
UNKNOWN = """[White "Ann"]
[Black "Bob"]
[Result "*"]
[Variant "centaurs"]

1. f3 *
"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A game of GoRoGo that has come by mail."""
    path = tmp_path / "game.pgn"
    command("record", "new", str(path), "--variant", "gorogo")
    command("record", "add", str(path), "H@c3", "S@a1")
    return path


@pytest.fixture
def served(record: Path) -> Iterator[WebServer]:
    server = WebServer(record.parent, str(record))
    yield server
    assert "Traceback" not in server.stop()


def moves_of(server: WebServer, record: Path) -> list[str]:
    return server.playback(record).position.moves


async def play_on(server: WebServer, told: list[str], source: random.Random) -> None:
    """Play random moves and note those answered; touchdowns only where nothing else is left."""
    async with connected(server) as page:
        while moves := (await page("legal", "legal", line=0, ply=len(told)))["state"]["moves"]:
            move = source.choice([one for one in moves if not one.endswith("+")] or moves)
            await page("move", "step", line=0, ply=len(told), move=move)
            told.append(move)


async def play_and_kill(server: WebServer, told: list[str], source: random.Random) -> None:
    """Kill a server some moves later, at any moment of a move."""
    playing = asyncio.ensure_future(play_on(server, told, source))
    wanted = len(told) + source.randrange(2, 8)
    while len(told) < wanted and not playing.done():
        await asyncio.sleep(0.001)
    await asyncio.sleep(source.random() * 0.02)
    server.process.send_signal(signal.SIGKILL)
    with contextlib.suppress(ConnectionError, aiohttp.ClientError):
        await asyncio.wait_for(playing, patient(20))


def test_engine_against_engine(tmp_path: Path) -> None:
    """A game to be watched goes on by itself to its end; no one may move in it."""
    server = WebServer(tmp_path, "--variant", "gorogo")
    engine, weak = {"engine": True}, {"engine": True, "level": 3}

    async def run() -> Any:
        async with connected(server) as page:
            both: dict[str, Any] = {"variant": "gorogo", "white": engine, "black": engine}
            # one that stands still, as a move elsewhere than at the end is a variation
            await page("new", "all", control="st=600", **both)
            refused = await page("move", "error", line=0, ply=0, move="H@c3")
            assert refused["text"] == "it is the engine's turn"
            both |= {"white": weak, "black": weak}
            await page("new", "all", control="depth=1", **both)
            await page("", "step")
            answer = await page("pause", "state", on=True)
            while not answer["state"]["paused"]:
                answer = await page("", "state")
            assert not answer["state"]["thinking"]
            answer = await page("pause", "state", on=False)
            while not answer.get("state", {}).get("result"):
                answer = await page("", "step", "all", "state")
            return answer["state"]

    state = asyncio.run(run())
    assert server.stop() == "ryugi-engine: interrupted\n"
    playback = server.playback()
    position = Position(registry().game("gorogo"))
    for move in playback.position.moves:
        position.push(move)
    outcome = position.outcome()
    assert outcome is not None
    assert playback.record.result == outcome.result == state["result"]
    assert {playback.record.tags[side] for side in NAMES} == {"ryugi-engine (level 3)"}


def test_a_game_that_nobody_has_defined(tmp_path: Path) -> None:
    """A record of a pasted game, after a start without it: a line says what to do."""
    path = tmp_path / "ryugi-engine" / "games" / "centaurs.pgn"
    path.parent.mkdir(parents=True)
    path.write_text(UNKNOWN, encoding="utf-8")
    result = command("web", "--no-open", str(path))
    assert result.returncode == 2
    assert "the game 'centaurs' is not known here: define it again" in result.stderr
    server = WebServer(tmp_path, "--variant", "gorogo")

    async def run() -> None:
        async with connected(server) as page:
            for answer in (
                await page("open", "error", name="centaurs.pgn"),
                await page("load", "error", text=UNKNOWN),
            ):
                assert "the game 'centaurs' is not known here: define it again" in answer["text"]
            await page("move", "step", line=0, ply=0, move="H@c3")  # the old game goes on

    asyncio.run(run())
    assert server.stop() == "ryugi-engine: interrupted\n"
    assert path.read_text(encoding="utf-8") == UNKNOWN


@pytest.mark.slow
def test_by_correspondence(browser: Any, served: WebServer, record: Path) -> None:
    """A received record: its last move is marked, the answer is in the same file."""
    page = BoardPage(browser, served)
    assert page.standing["last"] == "S@a1"
    assert page.standing["turn"] == "white"
    assert page.ask("state.board.picture.innerHTML.split(arguments[0]).length", MARK) == 2
    page.play("S@e5")
    assert moves_of(served, record) == ["H@c3", "S@a1", "S@e5"]
    page.click("#files")
    page.wait("byId('file-now').textContent.endsWith('game.pgn')")
