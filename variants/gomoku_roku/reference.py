"""Gomoku Roku's rules written for reading, not for speed: what the kernels are compared with."""

from __future__ import annotations

from ryugi_engine.games.game import PASS
from variants.gomoku_roku.board import CIRCLES, TRACK, Square, cost, stretches
from variants.gomoku_roku.definition import Definition
from variants.gomoku_roku.text import (
    BLACK_PLACES,
    BLACK_SETS_UP,
    PLAY,
    WHITE_MAY_PLACE,
    WHITE_PLACES,
    WHITE_SETS_UP,
    PositionData,
    ended_by,
    format_text,
    is_behind,
    move_name,
    parse_text,
    side_of,
)


class Reference:
    """A position; :meth:`legal_moves` gives the positions after it."""

    def __init__(self, game: Definition, data: PositionData) -> None:
        self.game = game
        self.data = data

    @classmethod
    def parse(cls, game: Definition, text: str) -> Reference:
        """From a position text."""
        return cls(game, parse_text(game, text))

    def text(self) -> str:
        """The canonical position text."""
        return format_text(self.data)

    def _all_stones(self, side: int) -> set[Square]:
        """A side's stones, its track stone included."""
        at = self.data.track[side]
        return self.data.stones[side] | ({TRACK[at]} if at >= 0 else set())

    def _with(self, phase: int, side: int) -> Reference:
        old = self.data
        stones = (set(old.stones[0]), set(old.stones[1]))
        data = PositionData(stones, list(old.track), list(old.hands), side, phase)
        return Reference(self.game, data)

    def _setup_moves(self) -> dict[str, Reference]:
        data, moves = self.data, {}
        if data.phase == WHITE_MAY_PLACE:
            moves[PASS] = self._with(BLACK_SETS_UP, 1)
        if data.phase in (BLACK_SETS_UP, WHITE_SETS_UP):
            circles = range(len(TRACK))
            if data.phase == WHITE_SETS_UP:
                black = data.track[1]
                circles = [(black + 1) % len(TRACK), (black - 1) % len(TRACK)]  # type: ignore
            for at in circles:
                after = self._with(WHITE_SETS_UP, 0)
                after.data.track[data.side] = at
                after.data.hands[data.side] -= 1
                if data.phase == WHITE_SETS_UP:
                    white, black = after.data.track
                    after.data.phase = PLAY
                    after.data.side = 0 if is_behind(white, black) else 1
                moves[move_name(TRACK[at])] = after
            return moves
        following = WHITE_PLACES if data.phase == BLACK_PLACES else BLACK_SETS_UP
        for circle in CIRCLES:
            if circle not in data.stones[1 - data.side]:
                after = self._with(following, side_of(following))
                after.data.stones[data.side].add(circle)
                after.data.hands[data.side] -= 1
                moves[move_name(circle)] = after
        return moves

    def _removals(self, side: int, placed: Square) -> list[list[Square]]:
        """The pairs that the stone just placed or the track stone just moved can flank."""
        own, enemy = self._all_stones(side), self._all_stones(1 - side)
        at = self.data.track[side]
        moved = {placed, TRACK[at]}
        return [
            [b, c]
            for a, b, c, d in stretches(4)
            if {b, c} <= enemy and {a, d} <= own and moved & {a, d}
        ]

    def _track_moves(self, side: int, steps: int) -> int:
        at, other = self.data.track[side], self.data.track[1 - side]
        while steps:
            at = (at + 1) % len(TRACK)
            steps -= at != other  # an occupied circle is never counted
        return at if at != other else (at + 1) % len(TRACK)

    def _turn_passed(self) -> Reference:
        """The position with whoever is behind to move; a game that is over keeps its side."""
        white, black = self.data.track
        if ended_by(self.game, self.data) is None:
            self.data.side = 0 if is_behind(white, black) else 1
        return self

    def legal_moves(self) -> dict[str, Reference]:
        """The positions after every legal turn, by its name."""
        if self.result() is not None:
            return {}
        data = self.data
        if data.phase != PLAY:
            return self._setup_moves()
        moves: dict[str, Reference] = {}
        taken = data.stones[0] | data.stones[1]
        for circle in CIRCLES:
            if circle in taken:
                continue
            after = self._with(PLAY, data.side)
            after.data.stones[data.side].add(circle)
            after.data.hands[data.side] -= 1
            after.data.track[data.side] = self._track_moves(data.side, cost(circle))
            pairs = after._removals(data.side, circle) if self.game.ninuki else []
            for pair in pairs:
                removed = after._with(PLAY, data.side)
                removed.data.stones[1 - data.side].difference_update(pair)
                moves[move_name(circle, pair)] = removed._turn_passed()
            if not pairs:
                moves[move_name(circle)] = after._turn_passed()
        return moves

    def result(self) -> tuple[str, str] | None:
        """(result, reason) of a finished game."""
        data = self.data
        if data.phase != PLAY:
            return None
        ended = ended_by(self.game, data)
        if ended is not None:
            winner, reason = ended
            return "1/2-1/2" if winner < 0 else ("1-0", "0-1")[winner], reason
        if data.hands[data.side] == 0:
            return ("0-1" if data.side == 0 else "1-0"), "no stone in hand"
        return None
