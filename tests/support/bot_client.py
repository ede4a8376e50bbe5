"""A bot that does to an engine and a site what lichess-bot does, as far as a game needs it.

For lichess the engine is python-chess's, as lichess-bot has it; for pychess.org, whose bot gives
python-chess boards of its own, what these boards send.
"""

from __future__ import annotations

import http.client
import itertools
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlencode

import chess.engine
import chess.variant

from tests.support.helpers import EngineUnderTest, patient, python_chess

#: A move's limits: the clock is sent, too, but no test waits for it. In CECP python-chess has no
#: nodes beside a clock.
_NODES, _DEPTH = 3000, 3
_Lost = (OSError, http.client.HTTPException)


class Player(Protocol):
    """An engine in one game."""

    def white_to_move(self, moves: list[str]) -> bool: ...

    def choose(self, moves: list[str], state: dict[str, Any]) -> str: ...

    def close(self) -> None: ...


class LichessPlayer:
    """The engine of the configuration, by python-chess."""

    def __init__(self, config: dict[str, Any], full: dict[str, Any]) -> None:
        settings = config["engine"]
        path = Path(settings["dir"]) / settings["name"]
        self._uci = settings["protocol"] == "uci"
        if self._uci:
            popen = chess.engine.SimpleEngine.popen_uci
            self._engine = popen([str(path)], timeout=patient(300.0))
        else:
            self._engine = python_chess("xboard")
        self._engine.configure(settings[f"{settings['protocol']}_options"])
        self._ponder = settings["ponder"]
        name, fen = full["variant"]["name"], full["initialFen"]
        if name in ("Chess960", "From Position"):
            chess960 = chess.Board(fen) != chess.Board(fen, chess960=True)
            self._start = chess.Board(fen, chess960=chess960)
        else:
            self._start = chess.variant.find_variant(name)()

    def _board(self, moves: list[str]) -> chess.Board:
        board = self._start.copy()
        for move in moves:
            board.push_uci(move)
        return board

    def white_to_move(self, moves: list[str]) -> bool:
        return self._board(moves).turn

    def choose(self, moves: list[str], state: dict[str, Any]) -> str:
        limit = chess.engine.Limit(nodes=_NODES) if self._uci else chess.engine.Limit(depth=_DEPTH)
        if len(moves) < 2:
            limit.time, limit.clock_id = 10.0, "first move"
        else:
            limit.white_clock, limit.black_clock = state["wtime"] / 1000, state["btime"] / 1000
            limit.white_inc, limit.black_inc = state["winc"] / 1000, state["binc"] / 1000
            limit.clock_id = "real time"
        result = self._engine.play(
            self._board(moves),
            limit,
            info=chess.engine.INFO_ALL,
            ponder=self._ponder and len(moves) > 1,
        )
        assert "score" in result.info  # by which lichess-bot offers draws and resigns
        assert "wdl" in result.info or not self._uci
        return str(result.move)

    def close(self) -> None:
        self._engine.ping()
        self._engine.quit()
        self._engine.close()


class PychessPlayer:
    """What pychess.org's bot sends: the start position as it is, and moves as they came."""

    def __init__(self, full: dict[str, Any]) -> None:
        self._fen = full["initialFen"]
        name = full["variant"]["name"]
        self._engine = EngineUnderTest().ready(f"setoption name UCI_Variant value {name}")

    def white_to_move(self, moves: list[str]) -> bool:
        return (self._fen.split()[1] == "w") == (len(moves) % 2 == 0)

    def choose(self, moves: list[str], state: dict[str, Any]) -> str:
        clocks = " ".join(f"{name} {state[name]}" for name in ("wtime", "btime", "winc", "binc"))
        history = f" moves {' '.join(moves)}" if moves else ""
        self._engine.send(f"position fen {self._fen}{history}", f"go {clocks} nodes {_NODES}")
        move = self._engine.wait("bestmove ").split()[1]
        assert not [line for line in self._engine.log if "error" in line], self._engine.log
        return move

    def close(self) -> None:
        self._engine.quit()


class Client:
    """A bot with a configuration of lichess-bot's; ``run`` returns after ``end``."""

    def __init__(self, config: dict[str, Any], *, pychess: bool = False) -> None:
        self._config = config
        self._pychess = pychess
        self._ended = threading.Event()

    def end(self) -> None:
        self._ended.set()

    def run(self) -> None:
        """Read events; after a break read them again."""
        while not self._ended.is_set():
            try:
                for event in self._lines("api/stream/event"):
                    self._react(event)
            except _Lost:
                time.sleep(0.02)

    def _request(self, path: str, words: dict[str, str] | None = None) -> Any:
        url = self._config["url"] + path
        data = None if words is None else urlencode(words).encode()
        header = {"Authorization": f"Bearer {self._config['token']}"}
        request = urllib.request.Request(url, data, header)
        return urllib.request.urlopen(request, timeout=patient(30.0))

    def _lines(self, path: str) -> Iterator[dict[str, Any]]:
        with self._request(path) as response:
            for line in response:
                if line.strip():
                    yield json.loads(line)

    def _post(self, path: str, **words: str) -> None:
        self._request(path, words).close()

    def _react(self, event: dict[str, Any]) -> None:
        if event["type"] == "challenge":
            offered = event["challenge"]
            known = offered["variant"]["key"] in self._config["challenge"]["variants"]
            words = {} if known else {"reason": "variant"}
            self._post(f"api/challenge/{offered['id']}/{'accept' if known else 'decline'}", **words)
        elif event["type"] == "gameStart":
            self._play(event["game"]["id"])

    def _play(self, number: str) -> None:
        lines = self._lines(f"api/bot/game/stream/{number}")
        full = next(lines)
        white = full["white"]["name"] == "standinbot"
        player: Player = PychessPlayer(full) if self._pychess else LichessPlayer(self._config, full)
        answered = -1
        try:
            for state in itertools.chain([full["state"]], lines):
                if state["type"] != "gameState":
                    continue
                moves = state["moves"].split()
                if state["status"] != "started":
                    return
                if player.white_to_move(moves) == white and len(moves) > answered:
                    answered = len(moves)
                    move = player.choose(moves, state)
                    try:
                        self._post(f"api/bot/game/{number}/move/{move}")
                    except urllib.error.HTTPError as error:
                        if error.code != 400:  # the game has ended meanwhile
                            raise
        finally:
            player.close()
            lines.close()  # type: ignore[attr-defined]
