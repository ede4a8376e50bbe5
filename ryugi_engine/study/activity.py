"""What the pieces do in a game: moves, captures, drops, promotions, and which never leave home."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from ryugi_engine.games.notation import square_name
from ryugi_engine.games.position import Position

#: What is counted for each kind of piece, in this order.
MOVES, CAPTURES, PROMOTIONS, TAKEN, AT_HOME, BEGAN = range(6)


def _kind(sign: str) -> str:
    """Return a piece's kind without its side: ``N``, ``+P``."""
    return sign.upper()


class Activity:
    """Counts of a game, move by move; for games without kinds of pieces only moves count."""

    def __init__(self, position: Position) -> None:
        self._board = position.rules.board(position.state)
        self._side = position.side
        self._kinds = bool(position.game.pieces) and not position.game.placed
        self._neutral = position.game.neutral
        self._of: dict[str, list[int]] = defaultdict(lambda: [0] * 6)
        self._became: Counter[str] = Counter()
        self._captured = self._drops = 0
        #: The pieces of the start that have not moved yet.
        self._home = {at: sign for at, sign in self._board.items() if self._belongs(sign)}
        for sign in self._home.values():
            self._of[_kind(sign)][BEGAN] += 1
            self._of[_kind(sign)][AT_HOME] += 1

    def _belongs(self, sign: str) -> bool:
        return sign[-1].isalpha() and sign[-1].upper() not in self._neutral

    def moved(self, position: Position, move: str) -> None:
        """Take the position after a move, given as text."""
        before, after = self._board, position.rules.board(position.state)
        side, self._side, self._board = self._side, position.side, after
        if "@" in move:
            self._drops += 1
        if not self._kinds:
            self._captured += self._lost(before, after, 1 - side)
            return
        takes = 0
        for sign, count in (_pieces(before, 1 - side) - _pieces(after, 1 - side)).items():
            self._of[_kind(sign)][TAKEN] += count
            takes += count
        self._captured += takes
        mover = "" if "@" in move else _mover(before, move)
        if mover:
            entry = self._of[_kind(mover)]
            entry[MOVES] += 1
            entry[CAPTURES] += bool(takes)
            for sign in _pieces(after, side) - _pieces(before, side):
                if _kind(sign) != _kind(mover):
                    entry[PROMOTIONS] += 1
                    self._became[_kind(sign)] += 1
        for at, sign in [*self._home.items()]:
            now = after.get(at)
            if now != sign:
                del self._home[at]
                if sign.islower() == bool(side):  # its own move, not a capture at home
                    self._of[_kind(sign)][AT_HOME] -= 1

    def _lost(self, before: Any, after: Any, side: int) -> int:
        return sum((_pieces(before, side) - _pieces(after, side)).values())

    def kept(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        return {
            "captures": self._captured,
            "drops": self._drops,
            "pieces": {sign: counts for sign, counts in self._of.items() if any(counts)},
            "became": dict(self._became),
        }


def _pieces(board: dict[tuple[int, int], str], side: int) -> Counter[str]:
    return Counter(sign for sign in board.values() if sign[-1].islower() == bool(side))


def _mover(board: dict[tuple[int, int], str], move: str) -> str:
    """Return the piece that a move in coordinates moves; "" if it moves none."""
    for at, sign in board.items():
        name = square_name(at)
        if move.startswith(name) and not move[len(name) : len(name) + 1].isdigit():
            return sign
    return ""
