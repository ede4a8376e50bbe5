"""What an engine does while its kernels are being compiled: it plays by the reference rules.

Nothing here needs numba. A game begun with an empty cache on a busy machine is not lost on time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from ryugi_engine.games.game import PASS, Game, IllegalMove, Outcome, Reference, read_move
from ryugi_engine.search.clock import SearchClock
from ryugi_engine.search.limits import Limits

#: The part of a move's time that is left for looking for a win at once.
_LAST_LOOK = 0.1


class FallbackPosition:
    """A position by the reference rules, with what a conversation asks of a :class:`Position`.

    A repetition does not end the game here, and no draw is claimed.
    """

    def __init__(self, game: Game, text: str | None = None) -> None:
        """Set up a position text, or the start; UserError if the text is wrong."""
        self.game = game
        self._line: list[Reference] = [game.reference(game.start if text is None else text)]
        self._replies: Mapping[str, Reference] | None = None
        self.root_text = self._line[0].text()
        self.moves: list[str] = []

    def copy(self) -> FallbackPosition:
        """Return an independent position with the same history."""
        other = object.__new__(FallbackPosition)
        other.__dict__.update(self.__dict__)
        other._line, other.moves = list(self._line), list(self.moves)
        return other

    def _after(self) -> Mapping[str, Reference]:
        if self._replies is None:
            self._replies = self._line[-1].legal_moves()
        return self._replies

    def legal_moves(self) -> list[str]:
        """Return the legal moves as text; none where the game is over."""
        return list(self._after())

    def legal_codes(self) -> list[int]:
        """Return the legal moves as numbers, which :meth:`push` takes."""
        return list(range(len(self._after())))

    def parse_move(self, text: str, *, refereed: bool = False) -> int:
        """Return the number of a legal move in any notation; else IllegalMove."""
        moves = self.legal_moves()
        normal = getattr(self._line[-1], "normal_move", str)
        wanted = normal(read_move(text)).lower()
        for number, move in enumerate(moves):
            if move.lower() == wanted:
                return number
        if refereed and self.game.timeout_pass and wanted == PASS and moves:
            return len(moves)
        raise IllegalMove(f"illegal move '{text[:40]}' in {self.text()}")

    def move_text(self, code: int) -> str:
        """Return the text of a move's number in this position."""
        moves = self.legal_moves()
        return moves[code] if code < len(moves) else PASS

    def objection(self, move: str) -> str:
        """Return why a move is illegal, in a few words."""
        return "no such move"

    def push(self, move: str | int, *, refereed: bool = False) -> None:
        """Play a move, given as text or as a legal one's number; IllegalMove if it is not one."""
        code = self.parse_move(move, refereed=refereed) if isinstance(move, str) else move
        text, tip = self.move_text(code), self._line[-1]
        # the number after the last is the pass of a side whose time has run out
        after = self._after().get(text) or tip.timeout_pass()  # type: ignore[attr-defined]
        self._line.append(after)
        self.moves.append(text)
        self._replies = None

    def pop(self) -> str:
        """Take the last move back and return it; IndexError if there is none."""
        move = self.moves.pop()
        self._line.pop()
        self._replies = None
        return move

    def text(self) -> str:
        """Return the canonical position text."""
        return self._line[-1].text()

    @property
    def side(self) -> int:
        """Side to move: 0 White, 1 Black."""
        return "wb".index(self.text().split()[1][0])  # w1: with one move left

    def outcome(self) -> Outcome | None:
        """Return the result if the game is over without a claim, else None."""
        result = self._line[-1].result()
        return None if result is None else Outcome(*result)

    def claim(self) -> Outcome | None:
        """Return None: no draw is claimed here."""
        return None

    def winning_move(self, until: float) -> str:
        """Return a move that wins at once; "" if none is known by ``until``.

        ``until`` is a ``time.perf_counter()``.
        """
        result = ("1-0", "0-1")[self.side]
        for move, after in self._after().items():
            if time.perf_counter() >= until:
                break
            match = after.result()
            if match is not None and match[0] == result:
                return move
        return ""


class Patience:
    """How long a search may wait for the kernels: while its time allows and nobody asks for it."""

    def __init__(self, limits: Limits, side: int, overhead: float) -> None:
        """``overhead`` is in seconds, as in :mod:`ryugi_engine.search.time_management`."""
        self._clock = SearchClock(threading.Event())
        self._clock.prepare(limits, side, overhead)

    @property
    def stopped(self) -> bool:
        """Whether somebody has asked for the move."""
        return self._clock.stopped

    def stop(self) -> None:
        """Cancel the wait."""
        self._clock.stop()

    def ponder_hit(self, limits: Limits | None) -> None:
        """Start the clock, or replace it by ``limits``."""
        self._clock.start(limits)

    def wake(self) -> None:
        """Let :meth:`wait` check again whether the kernels are there."""
        self._clock.wake()

    def wait(self, come: Callable[[], bool]) -> bool:
        """Wait while there is time; return whether ``come`` became true.

        ``come`` is checked when :meth:`wake` is called.
        """
        return self._clock.wait_for(come, 1 - _LAST_LOOK)

    def wait_for_leave(self) -> None:
        """Wait for stop or ponderhit if the limits are infinite or those of pondering."""
        self._clock.wait_for_leave()

    def allowed(self, moves: list[str]) -> list[str]:
        """Return those of a position's moves that ``searchmoves`` allows."""
        wanted = {move.lower() for move in self._clock.limits.search_moves}
        return [move for move in moves if not wanted or move.lower() in wanted]

    def end(self) -> float:
        """Return the ``time.perf_counter()`` at which the move is due; now, if it was stopped."""
        now = time.perf_counter()
        allowed = self._clock.budget
        if self.stopped or allowed is None:
            return now
        return now - self._clock.seconds + allowed.hard

    def left(self) -> Limits:
        """Return the limits of a search that begins now."""
        limits, spent = self._clock.limits, self._clock.seconds
        if limits.ponder:
            return limits
        white, black = (None if t is None else max(t - spent, 0.0) for t in limits.time)
        move_time = limits.move_time
        if move_time is not None:
            move_time = max(move_time - spent, 0.0)
        return limits._replace(time=(white, black), move_time=move_time)
