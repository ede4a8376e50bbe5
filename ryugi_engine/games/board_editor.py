"""``BoardEditor``: base class of the editors of games whose position texts are FENs with hands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ryugi_engine.errors import UserError
from ryugi_engine.games import lettered
from ryugi_engine.games.drawing import Drawing
from ryugi_engine.games.editor import Hands
from ryugi_engine.games.game import Game, counted, turn_or_result
from ryugi_engine.games.notation import (
    Board,
    PositionError,
    format_board,
    parse_holdings,
    parse_side,
    square_name,
)

#: Pieces of one letter that a side has in hand at most; a bound of the editor, not of a game.
MOST_IN_HAND = 99
_TOKENS = re.compile(r"[0-9]{1,2}|\+?[A-Za-z]~?|.", re.DOTALL)


def read_rows(field: str, files: int, ranks: int) -> Board:
    """Return a FEN's first field as a letter by (file, rank); PositionError for another size.

    A square that the board does not have is ``*``.
    """
    rows = field.split("/")
    board: Board = {}
    if len(rows) != ranks:
        raise PositionError("board", f"{counted(len(rows), 'rank')} instead of {ranks}")
    for rank, row in zip(range(ranks - 1, -1, -1), rows, strict=True):
        file = 0
        for token in _TOKENS.findall(row):
            if token.isascii() and token.isdigit():
                file += int(token)
                continue
            board[file, rank] = token
            file += 1
        if file != files:
            raise PositionError(
                "board", f"rank {rank + 1}: {counted(file, 'square')} instead of {files}"
            )
    return board


class BoardEditor:
    """Edits a position text ``board[hands] side ...``; base class of games' editors."""

    def __init__(
        self, game: Game, places: list[tuple[int, int]], figure: Callable[[str], str], text: str
    ) -> None:
        """PositionError if the text's board, hands or side cannot be read."""
        self.game = game
        self._places = {square_name(at): at for at in places}
        self._figure = figure
        fields = text.split()
        if len(fields) < 2:
            raise PositionError("position", "board and side to move are missing")
        rows, bracket, held = fields[0].partition("[")
        self.board = read_rows(rows, game.files, game.ranks)
        for at, sign in self.board.items():
            letter = sign.rstrip("~").upper()
            if sign != "*" and letter.removeprefix("+") not in game.pieces:
                where = square_name(at)
                raise PositionError("board", f"{where}: {game.title} has no piece '{sign}'")
        self.held: dict[str, int] | None = None
        if bracket:
            self.held = parse_holdings(held.removesuffix("]"), "".join(game.pieces))
        side = fields[1].rstrip("0123456789")  # with the moves left, where a turn has several
        self.side = parse_side(side)
        self._moves_left = fields[1].removeprefix(side)
        self.rest = fields[2:]

    def palette(self) -> list[str]:
        """Return all pieces and promoted ones, White's first."""
        signs = [*self.game.pieces, *(f"+{piece}" for piece in self.game.promoted)]
        return [sign.upper() for sign in signs] + [sign.lower() for sign in signs]

    def at(self, cell: str) -> tuple[int, int]:
        """Return (file, rank) of a square's name; UserError for an unknown name."""
        if cell not in self._places:
            raise UserError(f"'{cell[:20]}' is not on the board")
        return self._places[cell]

    def put(self, piece: str, cell: str) -> None:
        at = self.at(cell)
        if piece not in self.palette():
            raise UserError(f"there is no piece '{piece[:20]}'")
        self.board[at] = piece

    def erase(self, cell: str) -> None:
        self.board.pop(self.at(cell), None)

    def hold(self, piece: str, by: int) -> None:
        if self.held is None or piece.upper() not in self.game.pieces:
            raise UserError(f"'{piece[:20]}' is not held in hand")
        self.held[piece] = min(max(self.held.get(piece, 0) + by, 0), MOST_IN_HAND)

    def turn(self, side: int) -> None:
        """Exchange the side, whose turn begins; nothing can be taken en passant then."""
        if side == self.side:
            return
        if len(self.rest) > 1 and self.rest[1][:1].isalpha():
            self.rest[1] = "-"
        self.side, self._moves_left = side, ""

    def clear(self) -> None:
        """Remove all pieces; then there is no castling and no en passant."""
        self.board = {
            at: sign for at, sign in self.board.items() if at not in self._places.values()
        }
        for number in range(min(2, len(self.rest))):
            if self.rest[number][:1].isalpha():
                self.rest[number] = "-"

    def letters(self) -> Board:
        return {at: sign.rstrip("~") for at, sign in self.board.items() if sign[-1] != "*"}

    def hands(self) -> Hands:
        """Return the numbers of all pieces; nothing in games without hands."""
        if self.held is None:
            return {}, {}
        white = {letter: self.held.get(letter, 0) for letter in self.game.pieces}
        return white, {letter: self.held.get(letter.lower(), 0) for letter in self.game.pieces}

    def held_order(self) -> Iterable[str]:
        """Return the letters in hand in the order in which position texts have them."""
        return self.game.pieces

    def text(self) -> str:
        field = format_board(self.board, self.game.files, self.game.ranks)
        if self.held is not None:
            signs = [*self.held_order(), *map(str.lower, self.held_order())]
            field += f"[{''.join(sign * self.held.get(sign, 0) for sign in signs)}]"
        return self.with_fields(field)

    def with_fields(self, board: str) -> str:
        """Return the position text with ``board`` as its first field."""
        return " ".join([board, "wb"[self.side] + self._moves_left, *self.rest])

    def draw(self) -> Drawing:
        status = turn_or_result(self.side, None, self.game.sides)
        shown = {at: sign.rstrip("~") for at, sign in self.board.items()}
        return lettered.draw(self.game, shown, [], status, self._figure, self.held)
