"""Position text and moves by which a game is sent to an engine.

An engine that has learnt a game from a table (Fairy-Stockfish) knows one castling a side, where a
game may have several. After a castling no earlier position can come again, so the game can be sent
as the position after it, and no rule misses the moves before.
"""

from __future__ import annotations

from ryugi_engine.games.notation import squares_of
from ryugi_engine.games.position import Position


class SentPosition:
    """The position text from which a game is sent, and the number of moves before it."""

    def __init__(self, position: Position) -> None:
        self._watched = bool(position.game.royal) and position.game.name != "chess"
        self.root = position.root_text
        #: How many moves of the game led to the root.
        self.root_ply = 0
        #: The side of each move; in some games a side has several turns running.
        self.sides: list[int] = []

    def push(self, position: Position, move: str | int) -> None:
        """Play a move, as :meth:`Position.push`; after a castling the position is sent instead."""
        castling = self._watched and isinstance(move, str) and _castles(position, move)
        side = position.side
        position.push(move)
        self.sides.append(side)
        if castling:
            self.root, self.root_ply = position.text(), len(position.moves)


def _castles(position: Position, move: str) -> bool:
    """Return whether a move is castling, which loses a right.

    The king moves two squares or more, or takes its own rook.
    """
    squares = squares_of(move)
    if len(squares) != 2 or squares[0][1] != squares[1][1]:
        return False
    game, board = position.game, position.rules.board(position.state)
    king, rook = board.get(squares[0], ""), board.get(squares[1], "")
    takes_rook = bool(rook) and king.isupper() == rook.isupper()
    if abs(squares[0][0] - squares[1][0]) < 2 and not takes_rook:
        return False
    fields = position.text().split()
    own = [c for c in fields[2] if c.isalpha() and c.isupper() == (position.side == 0)]
    return king.upper() == game.royal.upper() and bool(own)
