"""A position of a bare king in the tables: its moves by their distances to mate, and lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ryugi_engine.games.game import ExactMove
from ryugi_engine.games.notation import square_name, squares_of
from ryugi_engine.kernel.abi import DRAWN, LOST, WON
from variants.chess.tablebase.generator import ILLEGAL, NO_MATE
from variants.chess.tablebase.material import Generation

#: Plies of a line that does not mate in time.
_SHOWN = 20


class Placement(NamedTuple):
    """Where the pieces stand, and who is to move; squares are ``rank * 8 + file``."""

    king: int
    #: Squares of the strong side's other pieces, in the order of its army; None if captured.
    pieces: tuple[int | None, ...]
    bare: int
    bare_to_move: bool

    def after(self, origin: int, target: int) -> Placement:
        """Return the placement after a move."""
        if self.bare_to_move:
            left = tuple(None if at == target else at for at in self.pieces)
            return Placement(self.king, left, target, bare_to_move=False)
        king = target if origin == self.king else self.king
        moved = tuple(target if at == origin else at for at in self.pieces)
        return Placement(king, moved, self.bare, bare_to_move=True)


class Ending:
    """See :class:`ryugi_engine.games.game.TablebasePosition`."""

    def __init__(self, generation: Generation, placement: Placement, plies_left: int) -> None:
        """Keep a placement. Only a mate within ``plies_left`` counts."""
        self._generation = generation
        self._placement, self._plies_left = placement, plies_left

    @property
    def defends(self) -> bool:
        return self._placement.bare_to_move

    def is_ready(self, seconds: float, *, whole: bool) -> bool:
        return self._generation.wait_for(lambda: not whole and self._is_decided(), seconds)

    def _is_decided(self) -> bool:
        """Return whether it is known if there is a mate in time, and how."""
        in_time = 2 * self._generation.known - 1 >= self._plies_left
        return in_time or self._plies(self._placement) != NO_MATE

    def exact_moves(self, moves: Sequence[str]) -> list[ExactMove]:
        found = []
        for text in moves:
            squares = [8 * rank + file for file, rank in squares_of(text)]
            if len(squares) != 2:
                return []
            plies = self._plies(self._placement.after(squares[0], squares[1]))
            found.append((plies, text))
        ordered = sorted(found, key=lambda move: self._order(self._placement, move[0]))
        return [self._exact(text, plies) for plies, text in ordered]

    def _exact(self, text: str, plies: int) -> ExactMove:
        """Return a move with its value, given the plies to mate after it."""
        if plies == NO_MATE:
            return ExactMove(text, DRAWN, None)
        in_time = plies < self._plies_left
        mate = LOST if self._placement.bare_to_move else WON
        return ExactMove(text, mate if in_time else DRAWN, plies + 1)

    @staticmethod
    def _order(placement: Placement, plies: int) -> tuple[bool, int]:
        """Return a sort key of a move by the plies to mate after it; the best has the smallest."""
        if placement.bare_to_move:
            return plies != NO_MATE, -plies
        return plies == NO_MATE, plies

    def line(self, move: str) -> list[str]:
        origin, target = (8 * rank + file for file, rank in squares_of(move))
        placement, line = self._placement.after(origin, target), [move]
        plies = self._plies(placement)
        shown = plies if plies < self._plies_left else min(self._plies_left, _SHOWN) - 1
        while plies > 0 and len(line) <= shown:
            reached = [(self._plies(after), name, after) for name, after in self._moves(placement)]
            legal = [option for option in reached if option[0] != ILLEGAL]
            before = placement
            plies, text, placement = min(legal, key=lambda o: self._order(before, o[0]))
            line.append(text)
        return line

    def _plies(self, placement: Placement) -> int:
        """Return the plies to mate, NO_MATE or ILLEGAL."""
        return self._generation.plies(
            placement.king, placement.pieces, placement.bare, bare_to_move=placement.bare_to_move
        )

    def _moves(self, placement: Placement) -> Iterator[tuple[str, Placement]]:
        """Yield the moves, and some that leave a king attacked, with the placements after them."""
        army, board = self._generation.army, self._generation.board
        own = {placement.king, *(at for at in placement.pieces if at is not None)}
        enemies = {placement.bare}
        movers = [(army.king, placement.king)]
        for rays, at in zip(army.pieces, placement.pieces, strict=True):
            movers += [(rays, at)] if at is not None else []
        if placement.bare_to_move:
            own, enemies, movers = enemies, own, [(army.bare, placement.bare)]
        for rays, origin in movers:
            for target in board.targets(rays, origin, own, enemies):
                text = "".join(square_name((at % 8, at // 8)) for at in (origin, target))
                yield text, placement.after(origin, target)
