"""Editor of positions: pieces are placed and removed, dragons follow from their contacts."""

from __future__ import annotations

from ryugi_engine.errors import UserError
from ryugi_engine.games.drawing import Drawing
from ryugi_engine.games.editor import Hands
from ryugi_engine.games.notation import Board, PositionError, parse_side, square_name
from variants.goryujin import picture
from variants.goryujin.shapes import LETTERS
from variants.goryujin.text import (
    HOME,
    START,
    Dragon,
    Placement,
    PositionData,
    format_text,
    parse_placement,
)


class GoryujinEditor:
    """See :class:`ryugi_engine.games.editor.Editor`.

    A piece that joins nothing is kept as a dragon of its own. The position reader refuses it until
    it belongs to a dragon that begins, or has ended, with a P.
    """

    def __init__(self, text: str) -> None:
        """PositionError if the text cannot be read; contacts and numbers are not checked."""
        fields = text.split()
        halves = fields[0].split("/") if fields else []
        if len(fields) < 2 or len(halves) != 2:
            raise PositionError("position", "two sides' dragons and the side to move are missing")
        self._data = data = PositionData(side=parse_side(fields[1]))
        self._rest = fields[2:]
        for side, half in enumerate(halves):
            for word in half.split(",") if half != "-" else []:
                pieces = [_placement(name) for name in word.removesuffix("+").split(".")]
                data.dragons[side].append(Dragon(pieces, word.endswith("+")))

    @property
    def side(self) -> int:
        """Side to move: 0 White, 1 Black."""
        return self._data.side

    def palette(self) -> list[str]:
        """Return the letters of both sides' pieces."""
        return [*LETTERS, *(letter.lower() for letter in LETTERS)]

    def put(self, piece: str, cell: str) -> None:
        """Place a piece: it begins a dragon, joins one, or stays alone."""
        side = int(piece[:1].islower())
        placed = _placement(f"{piece[:1].upper()}{piece[1:]}@{cell}")
        dragons = self._data.dragons[side]
        at_home = any(rank == HOME[side] for _file, rank in placed.cells)
        is_p = placed.shape.letter == "P"
        grown = self._joined(side, placed)
        if grown is not None and is_p and at_home and not _begun(grown):
            grown = None  # of the two readings, a start and a touchdown, the commoner one
        if grown is None:
            grown = Dragon([placed])
            dragons.append(grown)
        else:
            grown.pieces.append(placed)
            if is_p:
                grown.finished = True
                _drop_start(grown)
                return
        for other in dragons:
            if other is not grown and not _begun(other) and _continues(grown, other.pieces[0]):
                grown.pieces += other.pieces
                grown.finished = other.finished
                _drop_start(grown)
                dragons[:] = [dragon for dragon in dragons if dragon is not other]
                return

    def erase(self, cell: str) -> None:
        """Remove a piece; the pieces after it become a dragon without a beginning."""
        for dragons in self._data.dragons:
            for number, dragon in enumerate(dragons):
                for index, piece in enumerate(dragon.pieces):
                    if cell in _names(piece):
                        before, after = dragon.pieces[:index], dragon.pieces[index + 1 :]
                        parts = [Dragon(before)] if before else []
                        parts += [Dragon(after, dragon.finished)] if after else []
                        dragons[number : number + 1] = parts
                        return

    def hold(self, piece: str, by: int) -> None:
        """Raise UserError: the pieces in hand follow from the board."""
        raise UserError("pieces in hand are those that are not on the board")

    def turn(self, side: int) -> None:
        self._data.side = side

    def clear(self) -> None:
        self._data.dragons = ([], [])
        self._rest = START.split()[2:]

    def letters(self) -> Board:
        board: Board = {}
        for side, dragons in enumerate(self._data.dragons):
            for piece in (piece for dragon in dragons for piece in dragon.pieces):
                letter = piece.shape.letter
                board |= dict.fromkeys(piece.cells, letter.lower() if side else letter)
        return board

    def hands(self) -> Hands:
        return {}, {}

    def text(self) -> str:
        return " ".join([*format_text(self._data).split()[:2], *self._rest])

    def draw(self) -> Drawing:
        return picture.draw(self._data, None, "")

    def _joined(self, side: int, piece: Placement) -> Dragon | None:
        """Return the dragon of a side whose tip a piece joins."""
        for dragon in self._data.dragons[side]:
            if not dragon.finished and _continues(dragon, piece):
                return dragon
        return None


def _placement(name: str) -> Placement:
    try:
        return parse_placement(name)
    except ValueError as error:
        raise PositionError("dragons", str(error)) from None


def _names(piece: Placement) -> list[str]:
    return [square_name(cell) for cell in piece.cells]


def _begun(dragon: Dragon) -> bool:
    return dragon.pieces[0].shape.letter == "P"


def _continues(dragon: Dragon, piece: Placement) -> bool:
    """Return whether a piece joins a free end of a dragon's tip."""
    joint = piece.joins(dragon.tip)
    return joint is not None and joint[1] in dragon.free_ends()


def _drop_start(dragon: Dragon) -> None:
    """Remove the P that a dragon began with, if it has touched down."""
    if dragon.finished and _begun(dragon) and len(dragon.pieces) > 1:
        del dragon.pieces[0]
