"""An engine process, driven by python-chess through a board that holds no rules.

python-chess's own boards know 64 squares. The adapter gives its protocol code just what it
asks a board for: the position text, the moves as text, and whose turn it is. Whether a move is
legal is the referee's question alone.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import logging
import shlex
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, cast

import chess
import chess.engine

from ryugi_engine.games.game import PASS
from ryugi_engine.games.position import Position
from ryugi_engine.records.pgn import score_text
from ryugi_engine.terminal.screen import plain

#: Lines of conversation kept for the transcript of a lost game.
_TRANSCRIPT_LINES = 4000
#: Letters of what an engine calls itself.
_NAME_LENGTH = 100
#: Seconds for answers that no clock runs for.
_PATIENCE = 60.0
#: Seconds to get ready for a game: an engine may have to compile.
_LOADING = 180.0
#: Seconds beyond its clock after which an engine counts as hung.
_GRACE = 5.0
#: What a mate counts in an answer's centipawns, less the moves to it.
_MATE = 100_000
# lines that answer nothing, like notes on loading, are no news: the transcript keeps them
logging.getLogger("chess.engine").setLevel(logging.ERROR)
_UNITS = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE


class EngineFailure(Exception):
    """The engine crashed or broke the protocol."""


class EngineHang(EngineFailure):
    """The engine gave no answer, long after its clock had run out."""


@dataclass(frozen=True)
class WireMove:
    """A move as text where python-chess expects its own Move."""

    text: str

    def uci(self) -> str:
        """The text that goes over the wire."""
        return "0000" if self.text == PASS else self.text

    def __bool__(self) -> bool:
        return True


class WireBoard:
    """The part of ``chess.Board`` that the protocol code uses, without rules."""

    uci_variant = ""
    chess960 = False

    def __init__(self, root_text: str, moves: list[str], white: bool) -> None:
        self.root_text = root_text
        self.move_stack = [WireMove(move) for move in moves]
        self.turn = white

    def root(self) -> WireBoard:
        """The position before the first move."""
        return type(self)(self.root_text, [], True)

    def fen(self, **_kind: object) -> str:
        """The text of the root position."""
        return self.root_text

    def copy(self, **_kind: object) -> WireBoard:
        """An independent board."""
        return type(self)(self.root_text, [move.text for move in self.move_stack], self.turn)

    def push_uci(self, text: str) -> WireMove:
        """Add a move without looking at it."""
        move = self.parse_uci(text)
        self.move_stack.append(move)
        return move

    def parse_uci(self, text: str) -> WireMove:
        """A move as text."""
        return WireMove(PASS if text == "0000" else text)

    def pop(self) -> WireMove:
        """Take the last move back."""
        return self.move_stack.pop()


class _Birth:
    """A process that another thread is starting, until it has introduced itself."""

    def __init__(self) -> None:
        self._transport: asyncio.SubprocessTransport | None = None
        self._unwanted = False

    def happened(self, transport: asyncio.SubprocessTransport) -> None:
        """The process is there."""
        self._transport = transport
        if self._unwanted:
            self.give_up()

    def give_up(self) -> None:
        """Kill it, now or when it is there: nobody waits for it any more."""
        self._unwanted = True
        if self._transport is not None:
            with contextlib.suppress(ProcessLookupError):
                self._transport.kill()


class _RecordedUci(chess.engine.UciProtocol):
    """UCI with the last lines of the conversation kept."""

    birth: ClassVar[_Birth]

    def __init__(self) -> None:
        super().__init__()
        self.transcript: collections.deque[str] = collections.deque(maxlen=_TRANSCRIPT_LINES)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.birth.happened(cast(asyncio.SubprocessTransport, transport))

    def send_line(self, line: str) -> None:
        self.transcript.append(f"{time.time():.3f} > {line}")
        super().send_line(line)

    def _line_received(self, line: str) -> None:
        self.transcript.append(f"{time.time():.3f} < {line}")
        super()._line_received(line)

    async def begin_game(self, variant: str, game: object) -> None:
        """Announce a new game and return when the engine is ready for it."""
        if "UCI_Variant" in self.options:
            self._setoption("UCI_Variant", variant)
        self._ucinewgame()
        self.game = game
        await self.ping()

    def error_line_received(self, line: str) -> None:
        self.transcript.append(f"{time.time():.3f} ! {line}")
        super().error_line_received(line)


async def _within(request: Coroutine[Any, Any, Any], seconds: float) -> Any:
    """The request's result; TimeoutError if it takes longer.

    Unlike ``asyncio.wait_for`` this does not wait for the cancelled request: python-chess ends a
    cancelled search only when the engine answers, which a hung one never does.
    """
    task = asyncio.ensure_future(request)
    # where nobody waits any more, what comes of it when the process is killed is no news
    task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    done, _ = await asyncio.wait({task}, timeout=seconds)
    if not done:
        raise TimeoutError
    return task.result()


@dataclass(frozen=True)
class Answer:
    """An engine's move ("" if it gave none), its seconds, and what it thought."""

    move: str
    seconds: float
    score: str = ""
    depth: int = 0
    #: The score as a number, a mate as tens of thousands; None if the engine gave none.
    centipawns: int | None = None


class EngineProcess:
    """A running engine."""

    def __init__(self, command: str) -> None:
        """Start the command line; EngineFailure if that does not give a UCI engine."""
        self.command = command
        self._simple: chess.engine.SimpleEngine | None = None
        self.start()

    def start(self) -> None:
        """Start, or start again after a crash."""
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise EngineFailure(f"'{self.command}': {error}") from None
        if not words:
            raise EngineFailure("an engine's command line is empty")
        birth = _Birth()
        kind = type("Uci", (_RecordedUci,), {"birth": birth})
        try:
            self._simple = chess.engine.SimpleEngine.popen(
                kind, words, timeout=_PATIENCE, setpgrp=True
            )
        except (OSError, chess.engine.EngineError, TimeoutError) as error:
            reason = str(error) or "no answer to 'uci'"
            raise EngineFailure(f"'{self.command}' did not start: {reason}") from None
        except KeyboardInterrupt:
            birth.give_up()
            raise

    @property
    def _engine(self) -> chess.engine.SimpleEngine:
        assert self._simple is not None
        return self._simple

    @property
    def name(self) -> str:
        """What the engine calls itself."""
        name = self._engine.id.get("name", Path(shlex.split(self.command)[0]).name)
        return plain(str(name)[:_NAME_LENGTH])

    def transcript(self) -> list[str]:
        """The last lines of the conversation."""
        protocol: Any = self._engine.protocol
        return list(protocol.transcript)

    def has_option(self, name: str) -> bool:
        """Whether the engine has an option."""
        return name in self._engine.options

    def set_option(self, name: str, value: str) -> None:
        """Set an option of the engine; EngineFailure if it refuses."""
        try:
            self._engine.configure({name: value})
        except (chess.engine.EngineError, TimeoutError) as error:
            raise EngineFailure(f"{self.name}: option {name}: {error}") from None

    def begin_game(self, position: Position, game: object) -> None:
        """Let the engine get ready for a game, before any clock runs; EngineFailure as for play."""
        protocol: Any = self._engine.protocol
        try:
            asyncio.run_coroutine_threadsafe(
                _within(protocol.begin_game(position.game.name, game), _LOADING), protocol.loop
            ).result()
        except TimeoutError:
            raise EngineHang(f"not ready in {_LOADING:.0f} s") from None
        except chess.engine.EngineError as error:
            raise EngineFailure(str(error) or "the engine ended") from None

    def play(
        self,
        position: Position,
        clocks: tuple[float, float],
        increment: float,
        game: object,
        per_move: float = 0.0,
    ) -> Answer:
        """Ask for a move with the clocks in seconds, or with so many seconds for this move.

        EngineFailure for a crash or a hang.
        """
        kind = type("GameBoard", (WireBoard,), {"uci_variant": position.game.name})
        board = kind(position.root_text, position.moves, position.side == 0)
        limit = chess.engine.Limit(
            white_clock=clocks[0], black_clock=clocks[1], white_inc=increment, black_inc=increment
        )
        if per_move:
            limit = chess.engine.Limit(time=per_move)
        patience = clocks[position.side] + _GRACE
        protocol: Any = self._engine.protocol
        asked = protocol.play(board, limit, game=game, info=_UNITS)
        began = time.perf_counter()
        try:
            # SimpleEngine.play() waits for ever where only clocks are given
            result = asyncio.run_coroutine_threadsafe(
                _within(asked, patience), protocol.loop
            ).result()
        except TimeoutError:
            raise EngineHang(f"no answer in {patience:.0f} s") from None
        except chess.engine.EngineError as error:
            raise EngineFailure(str(error) or "the engine ended") from None
        seconds = time.perf_counter() - began
        move = result.move.text if isinstance(result.move, WireMove) else ""
        score = result.info.get("score")
        text = ""
        centipawns = None
        if score is not None:
            relative = score.relative
            mate = relative.mate()
            centipawns = relative.score(mate_score=_MATE)
            text = score_text(relative.score() or 0, mate)
        return Answer(move, seconds, text, int(result.info.get("depth", 0)), centipawns)

    def warm(self, position: Position) -> None:
        """Let the engine load the game before the clocks run."""
        game = object()
        self.begin_game(position, game)
        self.play(position, (2.0, 2.0), 0.0, game)

    def restart(self) -> None:
        """Start afresh, whatever became of the process."""
        with contextlib.suppress(ProcessLookupError):
            self._engine.transport.kill()
        self._engine.close()
        self._simple = None
        self.start()

    def close(self) -> None:
        """End the process."""
        if self._simple is None:
            return
        protocol: Any = self._engine.protocol
        try:
            asyncio.run_coroutine_threadsafe(
                _within(protocol.quit(), _GRACE), protocol.loop
            ).result()
        except (chess.engine.EngineError, TimeoutError):
            with contextlib.suppress(ProcessLookupError):
                self._engine.transport.kill()
        self._engine.close()
