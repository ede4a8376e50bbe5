"""The tablebase of a game: positions of a king with one or two pieces against a bare king."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import cached_property

from ryugi_engine.kernel.jit import Entry
from variants.chess.definition.definition import Definition
from variants.chess.notation.text import PositionData
from variants.chess.tablebase import generator
from variants.chess.tablebase.ending import Ending, Placement
from variants.chess.tablebase.material import Generation
from variants.chess.tablebase.pieces import piece_rays
from variants.chess.tablebase.tables import Army, Board, Rays

#: Materials whose tables are kept: with two pieces they take 8 MB.
_KEPT = 6
_MOST_PIECES = 2


class Tablebase:
    """Finds positions in the tables, and generates these when they are first needed."""

    def __init__(self, game: Definition) -> None:
        self._game = game
        self._board = Board(game.files, game.ranks, game.rules.stalemate_value == "loss")
        self._letters = {kind.sign: kind.moves_as for kind in game.kinds()}
        self._generations: dict[Army, Generation] = {}
        self._lock = threading.Lock()

    @cached_property
    def _rays(self) -> tuple[Mapping[str, Rays], ...]:
        return piece_rays(self._game)

    def entries(self) -> list[Entry]:
        """Return the kernels, none where the game's rules leave no position for tables."""
        return [generator.begin, generator.advance, generator.plies] if any(self._rays) else []

    def ending(self, data: PositionData, plies_left: Callable[[], int]) -> Ending | None:
        """Return a position as the tables have it, None if they do not.

        Where they are not there yet, a thread begins to generate them. A mate counts if it comes
        within ``plies_left()``.
        """
        hands = any(data.hands.values())
        if len(data.board) > 2 + _MOST_PIECES or data.castling or data.gates or hands:
            return None
        royal, kings = self._game.royal, dict[int, int]()
        others: list[tuple[int, str, int]] = []
        for (file, rank), sign in data.board.items():
            letter, side = self._letters.get(sign.upper(), ""), int(sign.strip("+~").islower())
            if letter == royal:
                kings[side] = 8 * rank + file
            else:
                others.append((side, letter, 8 * rank + file))
        strong = others[0][0] if others else 0
        rays = self._rays[strong]
        fitting = all(side == strong and letter in rays for side, letter, _ in others)
        if len(kings) < 2 or len(others) != len(data.board) - 2 or not others or not fitting:
            return None
        others.sort()
        squares = tuple(square for _, _, square in others)
        placement = Placement(kings[strong], squares, kings[1 - strong], data.side != strong)
        pieces = tuple(rays[letter] for _, letter, _ in others)
        army = Army(rays[royal], self._rays[1 - strong][royal], pieces)
        return Ending(self._generation(army), placement, plies_left())

    def _generation(self, army: Army) -> Generation:
        with self._lock:
            found = self._generations.pop(army, None) or Generation(self._board, army)
            self._generations[army] = found  # the last one is the newest
            if len(self._generations) > _KEPT:
                del self._generations[next(iter(self._generations))]
            return found
