"""Editor of positions: stones come from the hands, the track decides whose turn it is."""

from __future__ import annotations

from ryugi_engine.games.board_editor import BoardEditor
from ryugi_engine.games.drawing import Drawing
from ryugi_engine.games.game import Game
from ryugi_engine.games.notation import PositionError, format_board
from variants.gomoku_roku import picture
from variants.gomoku_roku.board import CIRCLE_OF, HOLES, SIZE, TRACK, TRACK_OF, Square
from variants.gomoku_roku.definition import Definition
from variants.gomoku_roku.text import BLACK_SETS_UP, NOWHERE, PLAY, PositionData, parse_text


class GomokuRokuEditor(BoardEditor):
    """See :class:`ryugi_engine.games.editor.Editor`. A stone on the rim is a track stone."""

    def __init__(self, game: Game, definition: Definition, places: list[Square], text: str) -> None:
        super().__init__(game, places, str, text)
        self._definition = definition

    def put(self, piece: str, cell: str) -> None:
        """Put a stone from its hand on a cell; on the rim, move the side's track stone there."""
        at = self.at(cell)
        if at not in CIRCLE_OF and at not in TRACK_OF:
            raise PositionError("board", f"there is no circle {cell}")
        before = self._track(piece) if at in TRACK_OF else None
        for place in (at, before):
            if place is not None and place in self.board:
                self.hold(self.board.pop(place), 1)
        super().put(piece, cell)
        self.hold(piece, -1)
        self._pass_turn()

    def erase(self, cell: str) -> None:
        """Return the stone to its hand."""
        stone = self.board.get(self.at(cell))
        super().erase(cell)
        if stone is not None:
            self.hold(stone, 1)
        self._pass_turn()

    def turn(self, side: int) -> None:
        """Exchange the track stones, if there are two, so that the other side is to move."""
        white, black = self._track("S"), self._track("s")
        if side != self.side and white is not None and black is not None:
            self.board[white], self.board[black] = "s", "S"
        super().turn(side)

    def clear(self) -> None:
        """Return all stones to the hands."""
        super().clear()
        self.held = dict.fromkeys("Ss", self._definition.stones)
        self._pass_turn()

    def text(self) -> str:
        field = format_board(self._stones(), SIZE, SIZE, HOLES)
        held = "".join(letter * (self.held or {}).get(letter, 0) for letter in "Ss")
        return self.with_fields(f"{field}[{held}]")

    def draw(self) -> Drawing:
        data = PositionData(side=self.side, phase=PLAY)
        for at, letter in self._stones().items():
            side = "Ss".index(letter)
            if at in TRACK_OF:
                data.track[side] = TRACK_OF[at]
            else:
                data.stones[side].add(at)
        data.hands = [(self.held or {}).get(letter, 0) for letter in "Ss"]
        if NOWHERE in data.track:
            data.phase = BLACK_SETS_UP
        return picture.draw(self._definition, data, None, [])

    def _stones(self) -> dict[Square, str]:
        return {at: sign for at, sign in self.board.items() if sign in ("S", "s")}

    def _track(self, letter: str) -> Square | None:
        """Return the place of a side's track stone."""
        return next((at for at in TRACK if self.board.get(at) == letter), None)

    def _pass_turn(self) -> None:
        """Give the turn to the other side if only then the position is legal."""
        if self._fault() and not self._fault(1 - self.side):
            self.side = 1 - self.side

    def _fault(self, side: int | None = None) -> bool:
        own, self.side = self.side, self.side if side is None else side
        try:
            parse_text(self._definition, self.text())
        except PositionError:
            return True
        finally:
            self.side = own
        return False
