"""What a page says to the server of ``ryugi-engine web``, without a browser."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp

from tests.support.board_page import WebServer
from tests.support.helpers import patient


def origin(server: WebServer) -> dict[str, str]:
    return {"Origin": f"http://{server.host}"}


#: Seconds that an answer may take on an idle machine, which searches a second for a move at most.
_SOON = 30.0


async def receive(socket_: aiohttp.ClientWebSocketResponse) -> aiohttp.WSMessage:
    """Wait for a message, with a limit.

    The one of aiohttp's ``receive`` begins again with each ping of the server: it never comes.
    """
    async with asyncio.timeout(patient(_SOON)):
        return await socket_.receive()


@contextlib.asynccontextmanager
async def connected(server: WebServer) -> AsyncIterator[Callable[..., Awaitable[Any]]]:
    """A page that has the token: ``await page("move", ply=0, move="H@c3")`` asks for something.

    It returns the first answer of the kinds that are wanted. AssertionError if none comes in time,
    with what has come instead.
    """
    async with aiohttp.ClientSession() as session:
        url = f"http://{server.host}/socket"
        async with session.ws_connect(url, headers=origin(server), max_msg_size=0) as socket_:
            await socket_.send_str(server.token)

            async def ask(what: str, *wanted: str, **given: Any) -> Any:
                if what:
                    await socket_.send_str(json.dumps({"do": what, **given}))
                instead: list[str] = []
                try:
                    async with asyncio.timeout(patient(_SOON)):
                        while True:
                            answer = await socket_.receive()
                            if answer.type is not aiohttp.WSMsgType.TEXT:
                                raise ConnectionError(f"no {wanted} but {answer} after {instead}")
                            message = json.loads(answer.data)
                            assert message["type"] != "error" or "error" in wanted, message
                            if message["type"] in wanted:
                                return message
                            instead.append(str(answer.data)[:200])
                except TimeoutError:
                    text = f"no {wanted} after '{what}' {given}, but {instead[-10:]}"
                    raise AssertionError(text) from None

            await ask("", "all")
            yield ask


PEOPLE = {"white": {"engine": False}, "black": {"engine": False}, "control": "inf"}
