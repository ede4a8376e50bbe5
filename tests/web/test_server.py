"""The server and who gets nothing from it: no token, other hosts, other pages, rubbish."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from ryugi_engine.web.server import MAX_SOCKETS
from tests.support.board_page import WebServer
from tests.support.helpers import command, completed, patient
from tests.support.page_socket import PEOPLE, connected, origin, receive


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    server = WebServer(tmp_path_factory.mktemp("home"), "--variant", "gorogo")
    yield server
    assert server.stop() == "ryugi-engine: interrupted\n"


def test_who_may_look(server: WebServer) -> None:
    """Files need this server's Host; the socket needs Host, Origin and token, and says nothing."""

    async def run() -> None:
        async with aiohttp.ClientSession() as session:
            base = f"http://{server.host}"
            port = server.host.rpartition(":")[2]
            async with session.get(f"{base}/") as answer:
                assert answer.status == 200
                assert server.token not in await answer.text()
                policy = answer.headers["Content-Security-Policy"]
                assert "script-src 'self' 'sha256-" in policy
                assert "unsafe" not in policy
                assert "Access-Control-Allow-Origin" not in answer.headers
            for host in (
                "evil.example",
                f"evil.example:{port}",
                f"localhost.evil:{port}",
                "",
                "a b",
            ):
                async with session.get(f"{base}/", headers={"Host": host}) as answer:
                    assert answer.status in (400, 403), host
            for host in (f"localhost:{port}", f"127.0.0.1:{port}"):
                async with session.get(f"{base}/", headers={"Host": host}) as answer:
                    assert answer.status == 200, host
            for headers in (
                {},
                {"Origin": "http://evil.example"},
                {"Origin": "null"},
                {"Origin": f"http://localhost:{port}"},
                {**origin(server), "Host": f"evil.example:{port}"},
            ):
                with pytest.raises(aiohttp.WSServerHandshakeError):
                    await session.ws_connect(f"{base}/socket", headers=headers)
            for token in (
                "",
                "x",
                server.token[:-1],
                server.token + "x",
                server.token.swapcase(),
                "\u00e4" * 32,
            ):
                async with session.ws_connect(f"{base}/socket", headers=origin(server)) as one:
                    await one.send_str(token)
                    answer = await receive(one)
                    assert answer.type is aiohttp.WSMsgType.CLOSE, token
                    assert answer.data == aiohttp.WSCloseCode.POLICY_VIOLATION

    asyncio.run(run())


def test_sockets_without_token_keep_nobody_out(server: WebServer) -> None:
    """Many sockets that say nothing: the oldest ones make room, who has the token gets in."""

    async def run() -> None:
        async with aiohttp.ClientSession() as session, contextlib.AsyncExitStack() as stack:
            url = f"http://{server.host}/socket"
            silent = [
                await stack.enter_async_context(session.ws_connect(url, headers=origin(server)))
                for _ in range(2 * MAX_SOCKETS)
            ]
            answer = await receive(silent[0])
            assert answer.type is aiohttp.WSMsgType.CLOSE
            assert answer.data == aiohttp.WSCloseCode.TRY_AGAIN_LATER
            async with connected(server) as page:
                await page("files", "files")

    asyncio.run(run())


def raw(server: WebServer, request: bytes) -> bytes:
    """What the server answers to some bytes."""
    host, _, port = server.host.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=patient(20)) as connection:
        connection.sendall(request)
        answer = b""
        with contextlib.suppress(ConnectionError):
            while part := connection.recv(65536):
                answer += part
        return answer


def test_paths_and_methods(server: WebServer) -> None:
    """Only the page's files are served, by no other way of writing their names."""
    host, close = server.host.encode(), b"\r\nConnection: close\r\n\r\n"
    for path in (
        "/../pyproject.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/web/live.js/..",
        "/..%5c..%5cetc",
        "/games.pgn",
        "/socket/",
        "/%00",
        "/.git/config",
        "/web/live.js%00",
        "http://evil.example/",
        "*",
    ):
        answer = raw(server, b"GET %b HTTP/1.1\r\nHost: %b%b" % (path.encode(), host, close))
        assert answer.split()[1] in (b"400", b"403", b"404"), (path, answer[:200])
        assert b"root:" not in answer
        assert b"Traceback" not in answer
    for method in (b"POST", b"PUT", b"DELETE", b"OPTIONS", b"TRACE", b"CONNECT"):
        request = b"%b / HTTP/1.1\r\nHost: %b\r\nContent-Length: 0%b" % (method, host, close)
        answer = raw(server, request)
        assert answer.split()[1] in (b"400", b"404", b"405"), (method, answer[:100])
    two = b"GET / HTTP/1.1\r\nHost: %b\r\nHost: evil.example%b" % (host, close)
    assert raw(server, two).split()[1] in (b"400", b"403")
    assert b"200" not in raw(server, b"GET / HTTP/1.0\r\n\r\n").split(b"\r\n")[0]
    long = b"GET / HTTP/1.1\r\nX: " + b"x" * 200_000 + b"\r\n\r\n"
    assert b"200" not in raw(server, long)[:20]


def test_rubbish(server: WebServer, source: random.Random) -> None:
    """Messages that mean nothing get a line each; too many or too large ones end the socket."""

    async def run() -> None:
        async with aiohttp.ClientSession() as session:
            url = f"http://{server.host}/socket"
            async with session.ws_connect(url, headers=origin(server), max_msg_size=0) as one:
                await one.send_str(server.token)
                errors = 0
                for text in rubbish(source):
                    await one.send_str(text)
                    while True:
                        answer = await receive(one)
                        assert answer.type is aiohttp.WSMsgType.TEXT, text[:100]
                        message = json.loads(answer.data)
                        if message["type"] == "error":
                            assert "failed" not in message["text"], (text[:200], message)
                            assert "Traceback" not in message["text"]
                            errors += 1
                            break
                assert errors > 20
            async with session.ws_connect(url, headers=origin(server), max_msg_size=0) as one:
                await one.send_str(server.token)
                assert await flooded(one, "{}", 10_000) == aiohttp.WSCloseCode.POLICY_VIOLATION
            async with session.ws_connect(url, headers=origin(server), max_msg_size=0) as one:
                await one.send_str(server.token)
                ended = await flooded(one, " " * (100 << 20), 1)
                assert ended in (aiohttp.WSCloseCode.MESSAGE_TOO_BIG, None)
        async with connected(server) as page:  # it still plays
            await page("files", "files")

    asyncio.run(run())


async def flooded(one: Any, text: str, times: int) -> Any:
    """The code with which a socket is closed that sends a text so many times; None if torn off."""
    with contextlib.suppress(ConnectionError, RuntimeError):
        for _ in range(times):
            await one.send_str(text)
    while True:
        try:
            answer = await receive(one)
        except ConnectionError:
            return None
        if answer.type is aiohttp.WSMsgType.CLOSE:
            return answer.data
        if answer.type in (aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR):
            return None


def rubbish(source: random.Random) -> Iterator[str]:
    """Texts that are no requests, and requests with wrong fields."""
    yield from (
        "",
        "x",
        "[]",
        "null",
        "1",
        '"move"',
        "{",
        "{}",
        "[" * 100_000,
        '{"do": 1}',
        '{"do": "__class__"}',
        '{"do": "init"}',
        '{"do": "move"}',
        "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"),
    )
    wrong: list[Any] = [None, True, -1, 1e400, 10**30, "", "x" * 1000, [], {}, "\u0000"]
    wrong += ["../../etc/passwd", "<script>", "\\ud800"]
    names = "move new legal comment open load remove setup own keep objection hint analyse players"
    fields = "move ply line text name variant fen white black control glyph on lines number"
    for name in names.split():
        for _ in range(4):
            given = {
                field: source.choice(wrong) for field in fields.split() if source.random() < 0.8
            }
            given["ply"] = source.choice([None, "1", -1, 10**9])
            if name in ("setup", "own", "keep", "load", "new"):
                given |= {"text": None, "variant": "nosuchgame"}
            if name in ("open", "remove"):
                given |= {"name": "../../etc/passwd", "line": 999}
            if name in ("analyse", "players"):
                given |= {"on": "yes", "white": 1}
            yield json.dumps({"do": name, **given})


def test_two_pages_and_a_kill(tmp_path: Path) -> None:
    """Both pages see every move; a server killed in the midst of moves has lost none it told of."""
    server = WebServer(tmp_path, "--variant", "gorogo")

    async def run() -> list[str]:
        async with connected(server) as one, connected(server) as other:
            await one("new", "all", variant="gorogo", **PEOPLE)
            await other("", "all")
            told: list[str] = []
            for ply in range(6):
                mover, watcher = (one, other) if ply % 2 else (other, one)
                state = (await mover("legal", "legal", line=0, ply=ply))["state"]
                move = state["moves"][ply]
                first = asyncio.ensure_future(watcher("", "step"))
                answer = await mover("move", "step", "error", line=0, ply=ply, move=move)
                assert answer["type"] == "step", answer
                assert (await first)["state"]["last"] == move
                told.append(move)
            # both at once on the same position: one plays, the other makes a variation of it
            state = (await one("legal", "legal", line=0, ply=6))["state"]
            pair = state["moves"][:2]
            answers = await asyncio.gather(
                one("move", "step", "all", line=0, ply=6, move=pair[0]),
                other("move", "step", "all", line=0, ply=6, move=pair[1]),
            )
            assert len(answers) == 2
            one_more = [file["name"] for file in (await one("files", "files"))["files"]]
            assert len(one_more) == 1
            return told

    told = asyncio.run(run())
    server.process.send_signal(signal.SIGKILL)
    assert server.errors() == ""
    playback = server.playback()
    assert playback.position.moves[:6] == told
    assert len(playback.position.moves) == 7
    assert len(playback.record.variations()) == 1


def test_a_record_that_somebody_else_writes(tmp_path: Path) -> None:
    """A move is not written over somebody else's; the file is read again when that is asked for."""
    path = tmp_path / "game.pgn"
    command("record", "new", str(path), "--variant", "gorogo")
    command("record", "add", str(path), "H@c3")
    server = WebServer(tmp_path, str(path))

    async def run() -> None:
        async with connected(server) as page:
            command("record", "add", str(path), "S@a1")
            answer = await page("move", "error", "step", line=0, ply=1, move="S@e5")
            assert "somebody else has written it" in answer["text"]
            answer = await page("reload", "all")
            assert answer["state"]["last"] == "S@a1"
            answer = await page("move", "step", line=0, ply=2, move="S@e5")
            answer = await page("comment", "all", line=0, ply=3, text="a } <b>", glyph=1)

    asyncio.run(run())
    assert "Traceback" not in server.stop()
    assert server.playback(path).position.moves == ["H@c3", "S@a1", "S@e5"]
    assert "S@e5 $1 {a ) <b>}" in path.read_text(encoding="utf-8")


def test_wrong_arguments(tmp_path: Path) -> None:
    """One line says what is wrong; nothing is served."""
    for arguments, says in (
        (["--variant", "nosuchgame"], "unknown variant"),
        ([str(tmp_path)], "is a folder"),
        ([str(tmp_path / "no" / "game.pgn")], "there is no folder"),
        (["--host", "no.such.host.invalid"], "is no address"),
        (["--port", "99999"], "is not in 0..65535"),
    ):
        result = command("web", "--no-open", *arguments)
        assert result.returncode == 2
        assert says in result.stderr, result.stderr
        assert result.stderr.count("\n") <= 2
        assert result.stdout == ""


def test_without_its_package() -> None:
    """One line says what to install."""
    code = "import sys; sys.modules['aiohttp'] = None; from ryugi_engine.commands import cli; "
    code += "sys.exit(cli.main(['web', '--no-open']))"
    done = completed([sys.executable, "-c", code])
    assert done.returncode == 2
    assert done.stdout == ""
    wanted = "ryugi-engine: the page needs aiohttp: pip install 'ryugi-engine[web]' installs it\n"
    assert done.stderr == wanted
