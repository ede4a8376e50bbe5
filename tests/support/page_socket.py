"""What a page says to the server of ``ryugi-engine web``, without a browser."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp

from tests.support.board_page import WebServer
from tests.support.helpers import patient


def origin(server: WebServer) -> dict[str, str]:
    return {"Origin": f"http://{server.host}"}


@contextlib.asynccontextmanager
async def connected(server: WebServer) -> AsyncIterator[Callable[..., Awaitable[Any]]]:
    """A page that has the token: ``await page("move", ply=0, move="H@c3")`` asks for something.

    It returns the first answer of the kinds that are wanted.
    """
    async with aiohttp.ClientSession() as session:
        url = f"http://{server.host}/socket"
        async with session.ws_connect(url, headers=origin(server), max_msg_size=0) as socket_:
            await socket_.send_str(server.token)

            async def ask(what: str, *wanted: str, **given: Any) -> Any:
                if what:
                    await socket_.send_str(json.dumps({"do": what, **given}))
                while True:
                    message = await socket_.receive_json(timeout=patient(20))
                    assert message["type"] != "error" or "error" in wanted, message
                    if message["type"] in wanted:
                        return message

            await ask("", "all")
            yield ask


PEOPLE = {"white": {"engine": False}, "black": {"engine": False}, "control": "inf"}
