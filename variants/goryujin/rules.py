"""Goryujin's Rules: positions and moves as text, results."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ryugi_engine.games.drawing import Drawing, Ink
from ryugi_engine.games.game import PASS, Game, MoveParts, Outcome, PieceShape
from ryugi_engine.games.notation import Board
from ryugi_engine.games.rules import BaseRules
from ryugi_engine.kernel.abi import list_moves
from ryugi_engine.kernel.block import Block
from variants.goryujin import entries, picture, tables
from variants.goryujin import layout as L
from variants.goryujin.editor import GoryujinEditor
from variants.goryujin.shapes import INDEX, SHAPES
from variants.goryujin.text import (
    STOCK,
    Dragon,
    Placement,
    PositionData,
    comparison,
    ended_by,
    format_text,
    normal_name,
    objection,
    parse_placement,
    parse_text,
)


def _code(piece: Placement) -> int:
    return INDEX[piece.shape] | piece.file << 6 | piece.rank << 12


def _placement(code: int) -> Placement:
    return Placement(SHAPES[code & 63], code >> 6 & 63, code >> 12 & 31)


def _kind(move: int) -> int:
    return move >> L.KIND_AT & 3


@lru_cache(maxsize=1 << 17)
def _spell(placement: int, touchdown: bool) -> str:
    return _placement(placement).name + "+" * touchdown


class GoryujinRules(BaseRules):
    """See :class:`ryugi_engine.games.game.Rules`."""

    kernels = entries.KERNELS
    layout, frame = L.STATE, L.FRAME

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._tables = tables.build()

    def new_state(self, text: str) -> Block:
        data = parse_text(text)
        state = self.new_block()
        L.STATE.of(state)["tables"] = self._tables.address
        frame = self.current(state)
        frame["hand"] = STOCK
        frame["touched"] = L.NO_TOUCHDOWN
        for side in range(2):
            for number, dragon in enumerate(data.dragons[side]):
                self._seed(state, side, number, dragon)
        frame["side"], frame["passes"], frame["number"] = data.side, data.passes, data.number
        entries.refresh(state.address)
        return state

    def _seed(self, state: Block, side: int, number: int, dragon: Dragon) -> None:
        for index, piece in enumerate(dragon.pieces):
            kind = L.GROWTH
            if piece.shape.letter == "P":
                kind = L.TOUCHDOWN if dragon.finished else L.NEW
            joint = piece.joins(dragon.pieces[index - 1]) if index > 0 else None
            end = piece.ends.index(joint[0]) if joint is not None else 0
            move = _code(piece) | number << L.DRAGON_AT | kind << L.KIND_AT | end << L.END_AT
            entries.seed(state.address, side, move)

    def data(self, state: Block) -> PositionData:
        """Return the current position as plain data."""
        frame = self.current(state)
        data = PositionData(
            side=int(frame["side"]), passes=int(frame["passes"]), number=int(frame["number"])
        )
        for move in L.STATE.of(state)["log"][: frame["logged"]]:
            dragons = data.dragons[move["side"]]
            number = int(move["dragon"])
            piece = _placement(int(move["placement"]))
            if number == len(dragons):
                dragons.append(Dragon([]))
            dragon = dragons[number]
            if move["kind"] == L.TOUCHDOWN:
                dragon.finished = True
                if dragon.pieces[0].shape.letter == "P":
                    del dragon.pieces[0]
            dragon.pieces.append(piece)
        return data

    def text(self, state: Block) -> str:
        return format_text(self.data(state))

    def move_text(self, state: Block, move: int) -> str:
        kind = _kind(move)
        if kind == L.PASSED:
            return PASS
        return _spell(move & L.PLACEMENT, kind == L.TOUCHDOWN)

    def move_parts(self) -> MoveParts:
        return MoveParts((), [shape.name for shape in SHAPES], ("", "+"))

    def _turns(self, state: Block) -> list[int]:
        return list_moves(self.kernels.generate, state)

    def normal_move(self, state: Block, text: str) -> str:
        name = normal_name(text)
        try:
            code = _code(parse_placement(name))
        except ValueError:
            return name
        for move in self._turns(state):
            if _kind(move) == L.TOUCHDOWN and move & L.PLACEMENT == code:
                return name + "+"
        return name

    def objection(self, state: Block, text: str) -> str:
        name = normal_name(text)
        if name == PASS:
            return "there is a legal turn"
        try:
            piece = parse_placement(name.removesuffix("+"))
        except ValueError:
            return "no such turn"
        return objection(self.data(state), piece)

    def outcome(self, state: Block, has_moves: bool) -> Outcome | None:
        if has_moves:
            return None
        data = self.data(state)
        ended = ended_by(data)
        if ended is None:
            winner, why = comparison(data)
            ended = winner, f"no legal turn, {why}"
        return Outcome(("1-0", "0-1")[ended[0]], ended[1])

    def board(self, state: Block) -> Board:
        data = self.data(state)
        board: Board = {}
        for at, (side, number, index) in data.board().items():
            letter = data.dragons[side][number].pieces[index].shape.letter
            board[at] = letter.lower() if side else letter
        return board

    def hands(self, state: Block) -> tuple[Mapping[str, int], Mapping[str, int]]:
        data = self.data(state)
        return data.hand(0), data.hand(1)

    def editor(self, text: str) -> GoryujinEditor:
        return GoryujinEditor(text)

    def shapes(self) -> Mapping[str, PieceShape]:
        return {
            shape.name: PieceShape(shape.cells, [(end.cell, end.direction) for end in shape.ends])
            for shape in SHAPES
        }

    def board_text(
        self, state: Block, last_move: str, outcome: Outcome | None, ink: Ink, lines: int
    ) -> str:
        return picture.board_text(self.data(state), outcome, last_move, ink, lines)

    def draw(
        self, state: Block, last_move: str, outcome: Outcome | None, hands: bool = True
    ) -> Drawing:
        return picture.draw(self.data(state), outcome, last_move, hands)

    def squares(self, move: str) -> list[tuple[int, int]]:
        return picture.cells_of(move)
