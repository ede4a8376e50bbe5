"""Editor of positions: pieces come from the hands and go back to them."""

from __future__ import annotations

from collections.abc import Iterable

from ryugi_engine.games.board_editor import BoardEditor
from ryugi_engine.games.drawing import Drawing
from variants.gorogo import picture
from variants.gorogo.text import HENGES, START, PositionData, parse_text


class GoRoGoEditor(BoardEditor):
    """See :class:`ryugi_engine.games.editor.Editor`. A Henge on the board has no side."""

    def palette(self) -> list[str]:
        """Return both stones and the one kind of Henge."""
        return ["S", "s", "H"]

    def held_order(self) -> Iterable[str]:
        return "HS"

    def put(self, piece: str, cell: str) -> None:
        """Put a piece from its side's hand on a point; a Henge from White's hand, then Black's."""
        self.erase(cell)
        super().put(piece, cell)
        source = "h" if piece == "H" and not self._count("H") else piece
        self.hold(source, -1)

    def erase(self, cell: str) -> None:
        """Return the piece to a hand; a Henge to Black's while it has fewer than at the start."""
        piece = self.board.get(self.at(cell), "")
        super().erase(cell)
        if piece.upper() == "H":
            self.hold("h" if self._count("h") < HENGES[1] else "H", 1)
        elif piece:
            self.hold(piece, 1)

    def clear(self) -> None:
        """Return to the hands of the start."""
        super().clear()
        data = parse_text(START)
        self.held = {"H": data.henges[0], "S": data.stones[0]}
        self.held |= {"h": data.henges[1], "s": data.stones[1]}

    def draw(self) -> Drawing:
        held = self.held or {}
        data = PositionData(
            {at: "H" if sign == "h" else sign for at, sign in self.board.items()},
            stones=[held.get("S", 0), held.get("s", 0)],
            henges=[held.get("H", 0), held.get("h", 0)],
            side=self.side,
        )
        return picture.draw(data, None, [])

    def _count(self, letter: str) -> int:
        return (self.held or {}).get(letter, 0)
