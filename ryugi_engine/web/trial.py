"""Try the server: start it and request its page, for ``doctor``."""

from __future__ import annotations

import tempfile
from pathlib import Path

import aiohttp

from ryugi_engine.errors import UserError
from ryugi_engine.games.groups import DEFAULT
from ryugi_engine.web.server import Server
from ryugi_engine.web.table import Table

_SECONDS = 20.0


async def try_page() -> int:
    """Return the bytes of the page that a server of this machine sends; UserError if none comes."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Table(Path(folder), DEFAULT, None, ""))
        await server.start(0)
        try:
            address = server.address.partition("#")[0]
            timeout = aiohttp.ClientTimeout(total=_SECONDS)
            # a proxy of the environment has no business here
            async with (
                aiohttp.ClientSession(timeout=timeout, trust_env=False) as session,
                session.get(address) as answer,
            ):
                content = await answer.read()
                if answer.status != 200:
                    raise UserError(f"{address} answers {answer.status}")
                return len(content)
        except (aiohttp.ClientError, TimeoutError) as error:
            raise UserError(f"{address}: {error!r}") from None
        finally:
            await server.stop()
