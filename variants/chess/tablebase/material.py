"""The tables of one material, with those after captures, generated in a thread of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from variants.chess.tablebase.generator import NO_MATE
from variants.chess.tablebase.tables import Army, Board, Table


class Generation:
    """The tables of an army of one or two pieces. Short mates are known before long ones."""

    def __init__(self, board: Board, army: Army) -> None:
        """Begin in a thread, which takes a moment."""
        self.board, self.army = board, army
        #: By the numbers of the pieces that are left; {} before the first distances.
        self._tables: dict[tuple[int, ...], Table] = {}
        #: Up to how many moves all mates are known, and whether there are no others.
        self.known, self.complete = 0, False
        self._changed = threading.Condition()
        threading.Thread(target=self._generate, daemon=True).start()

    def _generate(self) -> None:
        pieces = self.army.pieces
        numbers = tuple(range(len(pieces)))
        tables: dict[tuple[int, ...], Table] = {}
        if len(pieces) > 1:
            for number in numbers:
                alone = self.army._replace(pieces=pieces[number : number + 1])
                tables[number,] = Table(self.board, alone)
                while tables[number,].advance():
                    pass
        table = Table(self.board, self.army, [tables[1,], tables[0,]] if tables else ())
        self._tables = {**tables, numbers: table}
        goes_on = True
        while goes_on:
            goes_on = table.advance()
            with self._changed:
                self.known, self.complete = self.known + 1, not goes_on
                self._changed.notify_all()

    def wait_for(self, is_enough: Callable[[], bool], seconds: float) -> bool:
        """Wait at most so many seconds until enough is known; return whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: self.complete or is_enough(), seconds)

    def plies(
        self, king: int, pieces: Sequence[int | None], bare: int, *, bare_to_move: bool
    ) -> int:
        """Return the plies to mate, NO_MATE as far as is known, or ILLEGAL; None is captured."""
        left = tuple(number for number, at in enumerate(pieces) if at is not None)
        if not left or not self._tables:
            return NO_MATE
        squares = [at for at in pieces if at is not None]
        return self._tables[left].plies(king, squares, bare, bare_to_move=bare_to_move)
