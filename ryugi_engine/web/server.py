"""The server of the page: files that everybody may read, and a socket for who knows the token.

It listens on this machine's own addresses. Requests whose ``Host`` is not the server's, and sockets
whose ``Origin`` is not the page, are refused. So no other page of the browser can reach it, not
even by DNS rebinding. The token of this start is a socket's first message. It is in the address
after ``#``, a part that browsers do not send. Sources: RFC 9110, 9112, 6455; Content Security
Policy Level 3.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import json
import logging
import secrets
import socket
import time
from collections.abc import Callable
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.http_exceptions import HttpProcessingError

from ryugi_engine.errors import UserError
from ryugi_engine.processes.process import complain
from ryugi_engine.study.html import POLICY as PAGE_POLICY
from ryugi_engine.web.assets import POLICY, assets
from ryugi_engine.web.table import Table

#: Addresses of this machine alone.
LOCAL = ("127.0.0.1", "::1")
#: Bytes of a message; messages a second, and how many may come at once; sockets at a time.
MAX_MESSAGE, RATE, BURST, MAX_SOCKETS = 1 << 20, 50.0, 200.0, 16
#: Seconds until a socket must have sent the token, and messages that wait for a slow page.
_TOKEN_SECONDS, _MAX_WAITING = 10.0, 1000
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
#: The page of a study has its scripts in it. It gets no origin: it cannot reach the socket.
STUDY_POLICY = (
    f"sandbox allow-scripts allow-downloads; {PAGE_POLICY};"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class _Socket:
    """A page's socket: messages wait here until the page has taken them."""

    def __init__(self, loop: asyncio.AbstractEventLoop, connection: web.WebSocketResponse) -> None:
        self._loop, self.connection = loop, connection
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._allowance, self._at = BURST, time.monotonic()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message, from any thread."""
        text = json.dumps(message, separators=(",", ":"), ensure_ascii=False)
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._put, text)

    def _put(self, text: str) -> None:
        if self._waiting.qsize() > _MAX_WAITING:
            self._loop.create_task(self.connection.close(code=WSCloseCode.TRY_AGAIN_LATER))
        else:
            self._waiting.put_nowait(text)

    async def pump(self) -> None:
        """Send queued messages until the socket is closed."""
        with contextlib.suppress(ConnectionError):
            while not self.connection.closed:
                await self.connection.send_str(await self._waiting.get())

    def too_fast(self) -> bool:
        """Count a message; return whether there are too many."""
        now = time.monotonic()
        self._allowance = min(BURST, self._allowance + RATE * (now - self._at)) - 1.0
        self._at = now
        return self._allowance < 0.0


class Server:
    """The HTTP and WebSocket server of a table."""

    def __init__(self, table: Table, host: str = "") -> None:
        """``host`` is an address or a name to listen on besides :data:`LOCAL`."""
        self.table, self.token = table, secrets.token_urlsafe(24)
        self._host, self._port = host, 0
        self._assets = assets()
        self._sockets: set[_Socket] = set()
        #: Sockets that have not sent the token, the oldest first.
        self._strangers: dict[_Socket, None] = {}
        self._closing: set[asyncio.Task[bool]] = set()
        self._runner: web.AppRunner | None = None

    @property
    def address(self) -> str:
        """The page's address, with the token."""
        name = self._host if self._host and self._host not in _ANY else LOCAL[0]
        return f"http://{_bracketed(name)}:{self._port}/#{self.token}"

    async def start(self, port: int) -> None:
        """Listen on a port, 0 for any free one; UserError if that fails."""
        app = web.Application(middlewares=[self._guard], client_max_size=1)
        app.router.add_get("/socket", self._serve_socket)
        for asset in self._assets:
            app.router.add_get(asset.path, self._serve_asset)
        app.router.add_get("/study/{secret}/{name}", self._serve_study)
        app.on_response_prepare.append(_add_headers)
        self._runner = web.AppRunner(
            app, access_log=None, handle_signals=False, shutdown_timeout=1.0, logger=_logger()
        )
        await self._runner.setup()
        for host in dict.fromkeys([LOCAL[0], self._host or LOCAL[0], LOCAL[1]]):
            await self._listen(host, port or self._port)

    async def _listen(self, host: str, port: int) -> None:
        assert self._runner is not None
        site = web.TCPSite(self._runner, host, port)
        try:
            await site.start()
        except OSError as error:
            # a machine without IPv6, or a host that is all addresses and has these already
            if self._port and (host == LOCAL[1] or self._host in _ANY):
                return
            reason = error.strerror or error
            raise UserError(f"cannot listen on {_bracketed(host)}:{port}: {reason}") from None
        if not self._port:
            sockets = site._server.sockets  # type: ignore[union-attr]
            self._port = int(sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Close all sockets and listen no more."""
        for one in [*self._strangers, *self._sockets]:
            await one.connection.close(code=WSCloseCode.GOING_AWAY)
        if self._runner is not None:
            await self._runner.cleanup()

    # ---- who may ask -----------------------------------------------------------------------

    def _is_ours(self, host: str) -> bool:
        """Return whether a request's ``Host`` is a name of this server."""
        names = {*LOCAL, "localhost", *([self._host] if self._host else [])}
        if host in {f"{_bracketed(name)}:{self._port}" for name in names}:
            return True
        # where it listens on every address each of them is one, but no name
        return self._host in _ANY and _is_address(host.rpartition(":")[0])

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Any]
    ) -> web.StreamResponse:
        host = request.headers.getall("Host", [])
        # an address in the request's line would go before Host
        named_twice = not request.raw_path.startswith("/")
        if len(host) != 1 or named_twice or not self._is_ours(host[0]):
            raise web.HTTPForbidden(text="this is not the page's address")
        if request.path == "/socket":
            if request.headers.getall("Origin", []) != [f"http://{host[0]}"]:
                raise web.HTTPForbidden(text="this is not the page")
        response: web.StreamResponse = await handler(request)
        return response

    # ---- what it answers -------------------------------------------------------------------

    async def _serve_asset(self, request: web.Request) -> web.Response:
        asset = next(one for one in self._assets if one.path == request.path)
        return web.Response(body=asset.content, content_type=asset.kind, charset="utf-8")

    async def _serve_study(self, request: web.Request) -> web.Response:
        parts = request.match_info["secret"], request.match_info["name"]
        content = await asyncio.to_thread(self.table.study_page, *parts)
        if content is None:
            raise web.HTTPNotFound
        headers = {"Content-Security-Policy": STUDY_POLICY}
        return web.Response(
            body=content, content_type="text/html", charset="utf-8", headers=headers
        )

    async def _serve_socket(self, request: web.Request) -> web.StreamResponse:
        if len(self._sockets) >= MAX_SOCKETS:
            raise web.HTTPServiceUnavailable(text="too many pages")
        connection = web.WebSocketResponse(max_msg_size=MAX_MESSAGE, heartbeat=20.0, compress=False)
        await connection.prepare(request)
        one = _Socket(asyncio.get_running_loop(), connection)
        self._strangers[one] = None
        # clients without the token do not lock out those with it
        if len(self._strangers) > MAX_SOCKETS:
            oldest = next(iter(self._strangers))
            del self._strangers[oldest]
            closing = asyncio.create_task(oldest.connection.close(code=WSCloseCode.TRY_AGAIN_LATER))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
        pump = asyncio.create_task(one.pump())
        try:
            if await self._has_token(connection):
                self._strangers.pop(one, None)
                self._sockets.add(one)
                self.table.join(one)
                await self._listen_to(one)
            else:
                await connection.close(code=WSCloseCode.POLICY_VIOLATION, message=b"token")
        finally:
            pump.cancel()
            self._strangers.pop(one, None)
            self._sockets.discard(one)
            self.table.leave(one)
        return connection

    async def _has_token(self, connection: web.WebSocketResponse) -> bool:
        try:
            message = await connection.receive(timeout=_TOKEN_SECONDS)
        except TimeoutError:
            return False
        if message.type is not WSMsgType.TEXT:
            return False
        return hmac.compare_digest(message.data.encode(errors="replace"), self.token.encode())

    async def _listen_to(self, one: _Socket) -> None:
        async for message in one.connection:
            if one.too_fast():
                await one.connection.close(code=WSCloseCode.POLICY_VIOLATION, message=b"too fast")
            elif message.type is WSMsgType.TEXT:
                self.table.ask(one, message.data)
            elif message.type is WSMsgType.BINARY:
                await one.connection.close(code=WSCloseCode.UNSUPPORTED_DATA)


class _OneLine(logging.Handler):
    """Reports faults of the server in one line; what clients get wrong is theirs."""

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else None
        if not isinstance(fault, HttpProcessingError):
            complain(f"web: {record.getMessage()}: {fault!r}"[:500])


def _logger() -> logging.Logger:
    logger = logging.getLogger("ryugi_engine.web")
    logger.propagate = False
    logger.setLevel(logging.ERROR)
    logger.handlers = [_OneLine()]
    return logger


#: Hosts that stand for every address.
_ANY = ("0.0.0.0", "::")


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.pop("Server", None)


def check_host(host: str) -> None:
    """Raise UserError for an address of no network interface of this machine."""
    try:
        socket.getaddrinfo(host, None)
    except (OSError, UnicodeError):
        raise UserError(f"--host {host[:60]}: is no address of this machine") from None
