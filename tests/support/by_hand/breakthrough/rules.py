"""Breakthrough's Rules: positions and moves as text."""

from __future__ import annotations

from variants.breakthrough import entries
from variants.breakthrough import layout as L
from variants.breakthrough.text import PositionData, format_text, parse_text

from ryugi_engine.games.notation import square_name
from ryugi_engine.games.rules import BaseRules
from ryugi_engine.kernel.block import Block


class BreakthroughRules(BaseRules):
    """See :class:`ryugi_engine.games.game.Rules`."""

    kernels = entries.KERNELS
    layout, frame = L.STATE, L.FRAME

    def new_state(self, text: str) -> Block:
        data = parse_text(text)
        state = self.new_block()
        frame = self.current(state)
        for (file, rank), letter in data.board.items():
            # a bitboard is two words: ranks 1 to 4 and 5 to 8
            frame["by_color"]["Pp".index(letter), rank // 4] |= 1 << (rank % 4 * 16 + file)
        frame["side"], frame["number"] = data.side, data.number
        entries.refresh(state.address)
        return state

    def text(self, state: Block) -> str:
        frame = self.current(state)
        board = {
            (file, rank): "Pp"[side]
            for side in range(2)
            for rank in range(8)
            for file in range(8)
            if int(frame["by_color"][side, rank // 4]) >> (rank % 4 * 16 + file) & 1
        }
        return format_text(PositionData(board, int(frame["side"]), int(frame["number"])))

    def move_text(self, state: Block, move: int) -> str:
        squares = (move & 127, move >> 7)
        return "".join(square_name((square & 15, square >> 4)) for square in squares)
