"""A stand-in for the bot API of lichess.org and pychess.org, on a port of this machine.

lichess's API is described at https://lichess.org/api#tag/Bot. pychess.org has the same addresses;
its events have fewer fields, and it does not list games that are played.
"""

from __future__ import annotations

import contextlib
import json
import queue
import re
import socket
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.support.bot_games import LICHESS, BotGame, LichessRules, PychessRules, Terms

TOKEN = "lip_stand-in"
_BOT, _OTHER = "standinbot", "somebody"
_PING = 1.0
_Stream = queue.Queue[dict[str, Any] | None]


class _Server(ThreadingHTTPServer):
    """Connections that a client or :meth:`Site.break_streams` has cut are no errors."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class Site:
    """The server and its games. ``log`` has all requests, ``faults`` what a bot may not do."""

    def __init__(self, *, pychess: bool = False) -> None:
        self.pychess = pychess
        self.games: dict[str, BotGame] = {}
        self.log: list[str] = []
        self.faults: list[str] = []
        self.lock = threading.RLock()
        self.events: list[_Stream] = []
        self._open: set[socket.socket] = set()
        self._down_until = 0.0
        self._ended = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        self._threads = [
            threading.Thread(target=self._server.serve_forever, args=(0.05,)),
            threading.Thread(target=self._tick),
        ]

    def __enter__(self) -> Site:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self.break_streams()
        self._server.shutdown()
        self._server.server_close()
        for thread in self._threads:
            thread.join()

    # ---- what a test does ----------------------------------------------------------------------

    def challenge(self, terms: Terms) -> BotGame:
        """Offer a game to the bot."""
        with self.lock:
            kind = PychessRules if self.pychess else LichessRules
            number = f"game{len(self.games):04d}"
            game = BotGame(number, terms, kind(terms.variant, terms.fen), self.pychess)
            self.games[number] = game
            self._tell({"type": "challenge", "challenge": self._challenge(game)})
        return game

    def break_streams(self, seconds: float = 0.0) -> None:
        """Cut all connections in the midst of what they say; answer 503 for some seconds."""
        with self.lock:
            self._down_until = time.monotonic() + seconds
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    # ---- events --------------------------------------------------------------------------------

    def _tell(self, event: dict[str, Any]) -> None:
        for stream in self.events:
            stream.put(event)

    def _tick(self) -> None:
        while not self._ended.wait(0.01):
            with self.lock:
                for game in self.games.values():
                    if game.running:
                        game.tick()
                        if not game.running:
                            self._finished(game)

    def _finished(self, game: BotGame) -> None:
        self._tell({"type": "gameFinish", "game": self._listed(game)})

    def _challenge(self, game: BotGame) -> dict[str, Any]:
        terms = game.terms
        person = {"id": _OTHER, "name": _OTHER, "rating": 1500, "title": None}
        colour = "black" if terms.bot_white else "white"
        return {
            "id": game.number,
            "challenger": person,
            "destUser": {"id": _BOT, "name": _BOT, "rating": 1500, "title": "BOT"},
            "variant": self._variant(terms.variant),
            "rated": terms.rated,
            "speed": "blitz",
            "timeControl": {"type": "clock", "limit": terms.seconds, "increment": terms.increment},
            "color": colour,
            "finalColor": colour,
            "perf": {"name": terms.variant},
            **({"initialFen": terms.fen} if terms.fen and not self.pychess else {}),
        }

    def _variant(self, key: str) -> dict[str, Any]:
        if self.pychess:
            return {"key": key}
        return {"key": key, "name": LICHESS[key], "short": LICHESS[key][:4]}

    def _listed(self, game: BotGame) -> dict[str, Any]:
        """A game as the stream of events and the list of games have it."""
        if self.pychess:
            return {"id": game.number, "skill_level": "8", "chess960": "False"}
        opponent = {"id": _OTHER, "username": _OTHER, "rating": 1500}
        return {
            "gameId": game.number,
            "fullId": game.number + "abcd",
            "id": game.number,
            "color": game.bots_colour(),
            "isMyTurn": game.running and game.bots_turn(),
            "speed": "blitz",
            "rated": game.terms.rated,
            "variant": self._variant(game.terms.variant),
            "opponent": opponent,
            "compat": {"bot": True, "board": True},
        }

    def full(self, game: BotGame) -> dict[str, Any]:
        """The event ``gameFull``, which begins a game's stream."""
        terms = game.terms
        names = {"white": _BOT if terms.bot_white else _OTHER}
        names["black"] = _OTHER if terms.bot_white else _BOT
        common = {"type": "gameFull", "id": game.number, "initialFen": game.rules.fen}
        common |= {"createdAt": round(time.time() * 1000), "state": game.state()}
        if self.pychess:
            return common | {
                "variant": {"name": terms.variant.replace("standard", "chess")},
                **{side: {"name": name} for side, name in names.items()},
            }
        return common | {
            "rated": terms.rated,
            "variant": self._variant(terms.variant),
            "clock": {"initial": 1000 * terms.seconds, "increment": 1000 * terms.increment},
            "speed": "blitz",
            "perf": {"name": LICHESS[terms.variant]},
            **{
                side: {"id": name, "name": name, "title": "BOT" if name == _BOT else None}
                | {"rating": 1500, "provisional": False}
                for side, name in names.items()
            },
        }

    # ---- requests ------------------------------------------------------------------------------

    def streams(self, path: str) -> _Stream | None:
        """Open a stream, or None where the address names no stream."""
        with self.lock:
            stream: _Stream = queue.Queue()
            if path == "/api/stream/event":
                self.events.append(stream)
                for game in self.games.values():
                    if game.status == "created":
                        stream.put({"type": "challenge", "challenge": self._challenge(game)})
                    elif game.running:
                        stream.put({"type": "gameStart", "game": self._listed(game)})
                return stream
            found = re.fullmatch(r"/api/bot/game/stream/(\w+)", path)
            game = self.games.get(found[1]) if found else None
            if game is None:
                return None
            game.joined += 1
            stream.put(self.full(game))
            game.streams.append(stream)
            if not game.running:
                stream.put(None)
            return stream

    def closed(self, stream: _Stream) -> None:
        with self.lock:
            for streams in (self.events, *(game.streams for game in self.games.values())):
                if stream in streams:
                    streams.remove(stream)

    @contextlib.contextmanager
    def connected(self, connection: socket.socket) -> Any:
        with self.lock:
            self._open.add(connection)
        try:
            yield
        finally:
            with self.lock:
                self._open.discard(connection)

    def down(self) -> bool:
        return time.monotonic() < self._down_until

    def answer(self, method: str, path: str, words: dict[str, str]) -> tuple[int, Any]:
        """Status and content of an answer to a request that is no stream."""
        with self.lock:
            if method == "GET":
                return self._got(path)
            for pattern, action in _ACTIONS:
                if found := re.fullmatch(pattern, path):
                    game = self.games.get(found[1])
                    return action(self, game, found, words) if game else (404, {"error": "no game"})
            if path == "/api/token/test":
                return 200, {TOKEN: {"scopes": "bot:play", "userId": _BOT, "expires": None}}
            if path == "/api/bot/account/upgrade":
                return 200, {"ok": True}
            return self.fault(404, f"no address {method} {path}")

    def _got(self, path: str) -> tuple[int, Any]:
        if path == "/api/account":
            return 200, {"id": _BOT, "username": _BOT, "title": "BOT"}
        if path == "/api/account/playing":
            running = [g for g in self.games.values() if g.running and not self.pychess]
            return 200, {"nowPlaying": [self._listed(game) for game in running]}
        if path == "/api/users/status":
            return 200, [{"id": _BOT, "name": _BOT, "online": True}]
        if path.startswith("/game/export/"):
            return 200, '[Event "stand-in"]\n\n*\n'
        return self.fault(404, f"no address GET {path}")

    def fault(self, status: int, text: str) -> tuple[int, Any]:
        self.faults.append(text)
        return status, {"error": text}

    # ---- actions on a game ---------------------------------------------------------------------

    def _accept(self, game: BotGame, *_: Any) -> tuple[int, Any]:
        if game.status != "created":
            return self.fault(404, f"{game.number}: accepted when {game.status}")
        game.start()
        self._tell({"type": "gameStart", "game": self._listed(game)})
        return 200, {"ok": True}

    def _decline(self, game: BotGame, _: Any, words: dict[str, str]) -> tuple[int, Any]:
        game.status, game.declined = "declined", words.get("reason", "generic")
        return 200, {"ok": True}

    def _move(self, game: BotGame, found: re.Match[str], words: dict[str, str]) -> tuple[int, Any]:
        move = found[2]
        if not game.running:
            return 400, {"error": "game over"}  # it may have ended a moment ago
        if not game.bots_turn():
            return self.fault(400, f"{game.number}: {move} when the opponent is to move")
        if move not in game.rules.legal():
            return self.fault(400, f"{game.number}: illegal move {move} after {game.moves}")
        game.bot_moves(move, offering=words.get("offeringDraw") == "true")
        if not game.running:
            self._finished(game)
        return 200, {"ok": True}

    def _give_up(self, game: BotGame, found: re.Match[str], _: Any) -> tuple[int, Any]:
        if not game.running:
            return 400, {"error": "game over"}
        if found[2] == "abort":
            if len(game.moves) > 1:
                return self.fault(400, f"{game.number}: aborted after {game.moves}")
            game.end("aborted", "", "bot: aborts")
        else:
            winner = "black" if game.terms.bot_white else "white"
            game.end("resign", winner, "bot: resigns")
        self._finished(game)
        return 200, {"ok": True}

    def _chat(self, game: BotGame, _: Any, words: dict[str, str]) -> tuple[int, Any]:
        game.chat.append(words.get("text", ""))
        return 200, {"ok": True}

    def _takeback(self, *_: Any) -> tuple[int, Any]:
        return 200, {"ok": True}


_Action = Callable[[Site, BotGame, re.Match[str], dict[str, str]], tuple[int, Any]]
_ACTIONS: list[tuple[str, _Action]] = [
    (r"/api/challenge/(\w+)/accept", Site._accept),
    (r"/api/challenge/(\w+)/decline", Site._decline),
    (r"/api/bot/game/(\w+)/move/(\S+)", Site._move),
    (r"/api/bot/game/(\w+)/(abort|resign)", Site._give_up),
    (r"/api/bot/game/(\w+)/chat", Site._chat),
    (r"/api/bot/game/(\w+)/takeback/(?:yes|no)", Site._takeback),
]


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            self._answer("GET", {})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            self._answer("POST", {k: v[-1] for k, v in parse_qs(body).items()})

        def _answer(self, method: str, words: dict[str, str]) -> None:
            address = urlsplit(self.path)
            words |= {k: v[-1] for k, v in parse_qs(address.query).items()}
            site.log.append(f"{method} {self.path}")
            allowed = self.headers.get("Authorization") == f"Bearer {TOKEN}"
            if site.down():
                self._send(503, {"error": "down"})
            elif not allowed:
                self._send(401, {"error": "No such token"})
            elif method == "GET" and (stream := site.streams(address.path)) is not None:
                with contextlib.suppress(OSError), site.connected(self.connection):
                    self._stream(stream)
                site.closed(stream)
                self.close_connection = True
            else:
                self._send(*site.answer(method, address.path, words))

        def _send(self, status: int, content: Any) -> None:
            plain = isinstance(content, str)
            raw = content.encode() if plain else json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/plain" if plain else "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def _stream(self, stream: _Stream) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/x-ndjson")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            while True:
                try:
                    event = stream.get(timeout=_PING)
                except queue.Empty:
                    event = {"type": "ping"} if site.pychess else {}
                line = json.dumps(event) + "\n" if event else "\n"
                raw = line.encode() if event is not None else b""
                self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))
                if event is None:
                    return

    return Handler
