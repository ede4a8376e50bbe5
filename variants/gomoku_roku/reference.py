"""Gomoku Roku's reference rules: simple and slow, the kernels are checked against them.

The board is constructed independently, from squares (file, rank) around the centre (5, 5).
"""

from __future__ import annotations

import math
from functools import cache

from ryugi_engine.games.game import PASS, counted
from variants.gomoku_roku.definition import Definition
from variants.gomoku_roku.text import (
    BLACK_PLACES,
    BLACK_SETS_UP,
    PLAY,
    WHITE_MAY_PLACE,
    WHITE_PLACES,
    WHITE_SETS_UP,
    PositionData,
    format_text,
    move_name,
    parse_text,
)

Square = tuple[int, int]


def _ring(at: Square) -> int:
    """Return the steps to the centre; one step is along file, rank, or both up or both down."""
    x, y = at[0] - 5, at[1] - 5
    return max(abs(x), abs(y)) if x * y >= 0 else abs(x) + abs(y)


def _bearing(at: Square) -> int:
    """Return the degrees clockwise from f11, as seen from the centre of the hexagon."""
    x, y = at[0] - 5, at[1] - 5
    angle = math.atan2(y * math.sqrt(3) / 2, x - y / 2)
    return round(120 - math.degrees(angle)) % 360


_BOARD = [at for at in ((f, r) for f in range(11) for r in range(11)) if 1 <= _ring(at) <= 5]
_CIRCLES = [at for at in _BOARD if _ring(at) < 5]
_TRACK = sorted((at for at in _BOARD if _ring(at) == 5), key=_bearing)


@cache
def _stretches(length: int) -> list[list[Square]]:
    """Return all stretches of ``length`` circles on the lines that count.

    Lines along neighbours count except the track's sides, and the centre interrupts them. Lines
    over the blind spots count from the one next to the centre to the fifth.
    """
    stretches = []
    for dx, dy, first, last in (
        *((dx, dy, 0, 4) for dx, dy in ((0, 1), (1, 0), (1, 1))),
        *((dx, dy, 1, 5) for dx, dy in ((1, -1), (2, 1), (1, 2))),
    ):
        for x, y in _BOARD:
            line = [(x + n * dx, y + n * dy) for n in range(length)]
            beside_the_centre = abs((x - 5) * dy - (y - 5) * dx)
            if first <= beside_the_centre <= last and all(at in _BOARD for at in line):
                stretches.append(line)
    return stretches


def _is_behind(own: int, other: int) -> bool:
    """Return whether the other track stone is less than half the track ahead."""
    steps = 0
    while (own + steps) % len(_TRACK) != other:
        steps += 1
    return steps < len(_TRACK) / 2


class Reference:
    """A position; :meth:`legal_moves` gives the positions after it."""

    def __init__(self, game: Definition, data: PositionData) -> None:
        self.game = game
        self.data = data

    @classmethod
    def parse(cls, game: Definition, text: str) -> Reference:
        """Return the position of a text."""
        return cls(game, parse_text(game, text))

    def text(self) -> str:
        """Return the canonical position text."""
        return format_text(self.data)

    def _all_stones(self, side: int) -> set[Square]:
        """Return a side's stones, its track stone included."""
        at = self.data.track[side]
        return self.data.stones[side] | ({_TRACK[at]} if at >= 0 else set())

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
            circles = range(len(_TRACK))
            if data.phase == WHITE_SETS_UP:
                black = data.track[1]
                circles = [(black + 1) % len(_TRACK), (black - 1) % len(_TRACK)]  # type: ignore
            for at in circles:
                after = self._with(WHITE_SETS_UP, 0)
                after.data.track[data.side] = at
                after.data.hands[data.side] -= 1
                if data.phase == WHITE_SETS_UP:
                    white, black = after.data.track
                    after.data.phase = PLAY
                    after.data.side = 0 if _is_behind(white, black) else 1
                moves[move_name(_TRACK[at])] = after
            return moves
        following = WHITE_PLACES if data.phase == BLACK_PLACES else BLACK_SETS_UP
        for circle in _CIRCLES:
            if circle not in data.stones[1 - data.side]:
                after = self._with(following, 1 if following == BLACK_SETS_UP else 0)
                after.data.stones[data.side].add(circle)
                after.data.hands[data.side] -= 1
                moves[move_name(circle)] = after
        return moves

    def _removals(self, side: int, placed: Square) -> list[list[Square]]:
        """Return the pairs that the placed stone or the moved track stone flanks."""
        own, enemy = self._all_stones(side), self._all_stones(1 - side)
        at = self.data.track[side]
        moved = {placed, _TRACK[at]}
        return [
            [b, c]
            for a, b, c, d in _stretches(4)
            if {b, c} <= enemy and {a, d} <= own and moved & {a, d}
        ]

    def _track_moves(self, side: int, steps: int) -> int:
        at, other = self.data.track[side], self.data.track[1 - side]
        while steps:
            at = (at + 1) % len(_TRACK)
            steps -= at != other  # an occupied circle is never counted
        return at if at != other else (at + 1) % len(_TRACK)

    def _turn_passed(self) -> Reference:
        """Give the turn to the side further back on the track, unless the game is over."""
        white, black = self.data.track
        if self._ended() is None:
            self.data.side = 0 if _is_behind(white, black) else 1
        return self

    def legal_moves(self) -> dict[str, Reference]:
        """Return the positions after every legal turn, keyed by the turn's name."""
        if self.result() is not None:
            return {}
        data = self.data
        if data.phase != PLAY:
            return self._setup_moves()
        moves: dict[str, Reference] = {}
        taken = data.stones[0] | data.stones[1]
        for circle in _CIRCLES:
            if circle in taken:
                continue
            after = self._with(PLAY, data.side)
            after.data.stones[data.side].add(circle)
            after.data.hands[data.side] -= 1
            after.data.track[data.side] = self._track_moves(data.side, 5 - _ring(circle))
            pairs = after._removals(data.side, circle) if self.game.ninuki else []
            for pair in pairs:
                removed = after._with(PLAY, data.side)
                removed.data.stones[1 - data.side].difference_update(pair)
                moves[move_name(circle, pair)] = removed._turn_passed()
            if not pairs:
                moves[move_name(circle)] = after._turn_passed()
        return moves

    def result(self) -> tuple[str, str] | None:
        """Return (result, reason) if the game is over, else None."""
        data = self.data
        if data.phase != PLAY:
            return None
        ended = self._ended()
        if ended is not None:
            return ended
        if data.hands[data.side] == 0:
            return ("0-1" if data.side == 0 else "1-0"), "no stone in hand"
        return None

    def _ended(self) -> tuple[str, str] | None:
        """Return (result, reason) where the last turn has ended the game."""
        limit = self.game.removals_to_win
        for side, result in enumerate(("1-0", "0-1")):
            own = self._all_stones(side)
            if any(own.issuperset(five) for five in _stretches(5)):
                return result, "five in a row"
            left = len(self._all_stones(1 - side)) + self.data.hands[1 - side]
            if limit and self.game.stones - left >= 2 * limit:
                return result, counted(limit, "removal")
        if all(at in self.data.stones[0] | self.data.stones[1] for at in _CIRCLES):
            return "1/2-1/2", "board full"
        return None
