"""Legal moves of chess by python-chess: a second opinion beside our own rules.

An engine is not to be blamed for a fault of ours.
"""

from __future__ import annotations

import chess

from ryugi_engine.games.position import Position


def is_legal(position: Position, move: str) -> bool | None:
    """Return whether python-chess thinks a move in UCI notation legal; None if it is not chess."""
    if position.game.name not in ("chess", "chess960"):
        return None
    board = chess.Board(position.text(), chess960=position.game.name == "chess960")
    try:
        return board.is_legal(chess.Move.from_uci(move.lower()))
    except chess.InvalidMoveError:
        return False
