"""Refuse position texts in which the side to move could capture the king."""

from __future__ import annotations

from ryugi_engine.games.notation import PositionError
from variants.chess.definition.definition import Definition
from variants.chess.notation.text import PositionData, parse_text
from variants.chess.reference.board import Board


def read_position(game: Definition, text: str) -> PositionData:
    """Parse a position; PositionError names field and reason, an exposed king among them.

    Such positions are accepted where a side moves several times in a turn, or may leave its king in
    check. Fairy-Stockfish's check tests ignore walls and blasts.
    """
    data, rules = parse_text(game, text), game.rules
    may_expose = not rules.checking or game.has_long_turns()
    may_expose = may_expose or rules.walling_rule != "none" or rules.blast_on_capture
    if not may_expose and Board(game, data).in_check(1 - data.side):
        raise PositionError("side to move", "the side not to move is in check")
    return data
