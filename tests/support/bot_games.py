"""Games of a stand-in for lichess and pychess.org: rules, clocks and a random opponent.

The rules are python-chess's for lichess and pyffish's for pychess.org, never the engine's.
"""

from __future__ import annotations

import queue
import random
import time
from dataclasses import dataclass, field
from typing import Any, Protocol

import chess
import chess.variant

from tests.support.helpers import patient

#: lichess's keys of variants and their names, https://lichess.org/api#tag/Bot.
LICHESS = {
    "standard": "Standard",
    "chess960": "Chess960",
    "crazyhouse": "Crazyhouse",
    "antichess": "Antichess",
    "atomic": "Atomic",
    "horde": "Horde",
    "kingOfTheHill": "King of the Hill",
    "racingKings": "Racing Kings",
    "threeCheck": "Three-check",
    "fromPosition": "From Position",
}
#: An idle machine's seconds for a game's first moves; the site ends the game after that.
FIRST_MOVE = 30.0


class Rules(Protocol):
    """What the site knows of a game."""

    fen: str

    def legal(self) -> list[str]: ...

    def push(self, move: str) -> None: ...

    def over(self) -> str | None:
        """Return None while the game goes on, else the winner's colour or ``draw``."""

    def white_to_move(self) -> bool: ...


class LichessRules:
    """The rules of python-chess."""

    def __init__(self, variant: str, fen: str = "") -> None:
        kind = chess.Board
        if variant not in ("standard", "chess960", "fromPosition"):
            kind = chess.variant.find_variant(LICHESS[variant])
        chess960 = variant == "chess960"
        self._board = kind(fen, chess960=chess960) if fen else kind(chess960=chess960)
        self.fen = fen or "startpos"

    def legal(self) -> list[str]:
        return [move.uci() for move in self._board.legal_moves]

    def push(self, move: str) -> None:
        self._board.push_uci(move)

    def over(self) -> str | None:
        outcome = self._board.outcome()
        if outcome is None:
            return None
        return {None: "draw", True: "white", False: "black"}[outcome.winner]

    def white_to_move(self) -> bool:
        return self._board.turn


class PychessRules:
    """The rules of Fairy-Stockfish, which pychess.org asks, too."""

    def __init__(self, variant: str, fen: str = "") -> None:
        import pyffish

        self._rules: Any = pyffish
        self._variant = "chess" if variant == "standard" else variant
        self.fen = fen or pyffish.start_fen(self._variant)
        self._moves: list[str] = []

    def legal(self) -> list[str]:
        moves: list[str] = self._rules.legal_moves(self._variant, self.fen, self._moves)
        return moves

    def push(self, move: str) -> None:
        self._moves.append(move)

    def over(self) -> str | None:
        position = (self._variant, self.fen, self._moves)
        ended, value = self._rules.is_immediate_game_end(*position)
        if not ended and not self.legal():
            ended, value = True, self._rules.game_result(*position)
        if not ended:
            return None
        if value == 0:
            return "draw"
        return "white" if (value > 0) == self.white_to_move() else "black"

    def white_to_move(self) -> bool:
        fen = self._rules.get_fen(self._variant, self.fen, self._moves)
        return str(fen).split()[1] == "w"


@dataclass(frozen=True)
class Terms:
    """What a challenge says, and how the opponent behaves.

    ``turns``: after so many moves of the bot the opponent resigns. ``silent``: the opponent does
    not move. ``aborts``: the opponent aborts the game before the bot's first move.
    """

    variant: str = "standard"
    seconds: int = 600
    increment: int = 1
    bot_white: bool = True
    fen: str = ""
    turns: int = 8
    seed: int = 0
    silent: bool = False
    aborts: bool = False
    rated: bool = False


@dataclass
class BotGame:
    """One game; its methods are called under the site's lock."""

    number: str
    terms: Terms
    rules: Rules
    #: pychess.org's states say less: no draw offers, and the end is an event of its own
    short: bool = False
    moves: list[str] = field(default_factory=list)
    status: str = "created"
    winner: str = ""
    #: who ended it, in words; the bot's faults begin with ``bot:``
    reason: str = ""
    #: of each move of the bot's, whether it offers a draw
    offers: list[bool] = field(default_factory=list)
    chat: list[str] = field(default_factory=list)
    declined: str = ""
    #: how often the bot opened the game's stream
    joined: int = 0
    streams: list[queue.Queue[dict[str, Any] | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._source = random.Random(self.terms.seed)
        self.clock = {True: float(self.terms.seconds), False: float(self.terms.seconds)}
        self._since = time.monotonic()
        self._due = 0.0

    @property
    def running(self) -> bool:
        return self.status == "started"

    def bots_turn(self) -> bool:
        return self.rules.white_to_move() == self.terms.bot_white

    def start(self) -> None:
        self.status = "started"
        self._turn_begins()

    def _turn_begins(self) -> None:
        self._since = time.monotonic()
        self._due = self._since + self._source.uniform(0.02, 0.2)

    def _clocks_run(self) -> bool:
        return len(self.moves) >= 2

    def left(self, white: bool) -> float:
        """Seconds on a side's clock."""
        running = self.running and self._clocks_run() and white == self.rules.white_to_move()
        return self.clock[white] - (time.monotonic() - self._since if running else 0.0)

    def bot_moves(self, move: str, *, offering: bool) -> None:
        """Make the bot's legal move; the opponent may have seen enough."""
        self.offers.append(offering)
        self._move(move)
        if self.running and len(self.offers) >= self.terms.turns:
            self.end("resign", self.bots_colour(), "opponent: resigns")

    def _move(self, move: str) -> None:
        """Make a legal move and start the other clock."""
        white = self.rules.white_to_move()
        if self._clocks_run():
            self.clock[white] = self.left(white) + self.terms.increment
        self.rules.push(move)
        self.moves.append(move)
        self._turn_begins()
        over = self.rules.over()
        if over is not None:
            status = "draw" if over == "draw" else "mate"
            self.end(status, "" if over == "draw" else over, "by the rules")
        else:
            self.tell(self.state())

    def bots_colour(self) -> str:
        return "white" if self.terms.bot_white else "black"

    def end(self, status: str, winner: str, reason: str) -> None:
        self.status, self.winner, self.reason = status, winner, reason
        self.tell(self.state())

    def tell(self, event: dict[str, Any]) -> None:
        if self.short and not self.running:
            event = {"type": "gameEnd", "game": {"id": self.number}}
        for stream in self.streams:
            stream.put(event)
            if not self.running:
                stream.put(None)

    def tick(self) -> None:
        """Let the opponent move, and end the game where a side has said nothing for too long."""
        now, ours = time.monotonic(), self.bots_turn()
        if self._clocks_run():
            if self.left(self.rules.white_to_move()) <= 0:
                lost = "bot: time" if ours else "opponent: time"
                winner = "black" if self.rules.white_to_move() else "white"
                self.end("outoftime", winner, lost)
                return
        elif now > self._since + patient(FIRST_MOVE) and not self.terms.silent:
            self.end("aborted", "", "bot: no first move" if ours else "opponent: no first move")
            return
        if ours and self.terms.aborts and self.joined and now >= self._due:
            self.end("aborted", "", "opponent: aborts")
        elif not ours and not self.terms.silent and now >= self._due:
            self._move(self._source.choice(self.rules.legal()))

    def state(self) -> dict[str, Any]:
        """The event ``gameState`` of lichess's API."""
        other = "b" if self.terms.bot_white else "w"
        offered = self.running and len(self.moves) % 6 == 4  # a draw, now and then
        state = {
            "type": "gameState",
            "moves": " ".join(self.moves),
            **{f"{'wb'[not s]}time": max(0, round(1000 * self.left(s))) for s in (True, False)},
            **dict.fromkeys(("winc", "binc"), 1000 * self.terms.increment),
            "status": "started" if self.short else self.status,
            f"{other}draw": offered and not self.short,
        }
        return state | ({"winner": self.winner} if self.winner and not self.short else {})
