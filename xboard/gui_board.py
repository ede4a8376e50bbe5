"""The board that XBoard shows after a move, which may differ from the real one.

XBoard makes moves by the rules of chess. It does not know captured stones or a track. In version
4.9.1 it removes a pawn captured en passant only if the capturing pawn is beyond the middle.
"""

from __future__ import annotations

import re
import string

from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.notation import Board, parse_board, square_name, squares_of

_LETTERS = string.ascii_uppercase + "+"


def board_of(game: Game, text: str) -> Board:
    """Return the letters by (file, rank) of a position text.

    Raises ValueError if its board has another size.
    """
    field = text.split(maxsplit=1)[0].split("[", maxsplit=1)[0]
    holes: set[tuple[int, int]] = set()
    rows = field.split("/")
    if len(rows) != game.ranks:
        raise ValueError(f"{counted(len(rows), 'rank')} instead of {game.ranks}")
    for number, row in zip(range(game.ranks, 0, -1), rows, strict=True):
        file = 0
        for token in re.findall(r"[0-9]+|\+?[A-Za-z]~?|.", row):
            if token == "*":
                holes.add((file, number - 1))
            file += int(token) if token.isdigit() else 1
    return parse_board(field, game.files, game.ranks, _LETTERS, holes)


def after(game: Game, board: Board, move: str, side: int) -> Board:
    """Return XBoard's board after a move of ``side``; ``move`` is in the engine's notation."""
    board = dict(board)
    drop = re.match(r"(\+?[A-Z])@([a-z][0-9]+)", move)
    if drop is not None:
        letter = drop.group(1)
        board[squares_of(drop.group(2))[0]] = letter.lower() if side else letter
        return board
    squares = squares_of(move)
    if len(squares) == 4:  # two legs: what stands on the square between is captured
        board.pop(squares[1], None)
        board[squares[3]] = board.pop(squares[0], "")
        return board
    if len(squares) != 2:
        return board  # a pass
    start, end = squares
    castles = _takes_own_rook(game, board, start, end)
    letter = board.pop(start, "")
    steps = end[0] - start[0]
    if castles:
        rook = board.pop(end)
        king_to, rook_to = (game.files - 2, game.files - 3) if steps > 0 else (2, 3)
        board[king_to, end[1]], board[rook_to, end[1]] = letter, rook
        return board
    if letter.upper() == game.royal and start[1] == end[1] and abs(steps) > 1 and end not in board:
        way = 1 if steps > 0 else -1
        partner = start[0] + way
        while 0 < partner < game.files - 1 and (partner, start[1]) not in board:
            partner += way
        moved = board.pop((partner, start[1]), None)
        if moved is not None:
            board[end[0] - way, end[1]] = moved
    elif letter.upper() == game.pawn and steps and end not in board:
        beyond = start[1] >= game.ranks // 2 if side == 0 else start[1] < game.ranks // 2
        if beyond:
            board.pop((end[0], start[1]), None)
    promoted = move[-1] if move[-1].isalpha() else ""
    board[end] = (promoted.lower() if side else promoted.upper()) or letter
    return board


def _takes_own_rook(game: Game, board: Board, start: tuple[int, int], end: tuple[int, int]) -> bool:
    """Return whether a move is castling in Chess960, written as the king taking its rook.

    A king that goes to its own square passes.
    """
    king, rook = board.get(start, ""), board.get(end, "")
    same_side = bool(rook) and rook.islower() == king.islower()
    return start != end and bool(game.royal) and king.upper() == game.royal and same_side


def _same(game: Game, one: Board, other: Board) -> bool:
    """Return whether two boards are equal; neutral pieces are equal for both sides."""

    def owned(letter: str) -> str:
        return letter.upper() if letter.upper() in game.neutral else letter

    return {at: owned(letter) for at, letter in one.items()} == {
        at: owned(letter) for at, letter in other.items()
    }


class GuiBoard:
    """The board in XBoard's window."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._shown: Board | None = None

    def set(self, game: Game, text: str) -> None:
        """Set the board to that of a position text; unknown if XBoard cannot show its size."""
        self._game = game
        try:
            self._shown = board_of(game, text)
        except ValueError:
            self._shown = None

    def shows(self, text: str) -> bool:
        """Return whether XBoard shows the board of a position text; True if that is unknown."""
        if self._game is None or self._shown is None:
            return True
        return _same(self._game, self._shown, board_of(self._game, text))

    def is_position(self, text: str) -> bool:
        """Return whether a position text from the GUI has the board that the GUI shows."""
        try:
            return self._shown is not None and self.shows(text)
        except ValueError:
            return False

    def play(self, move: str, side: int, victim: str = "") -> None:
        """Make a move as the GUI does; ``victim`` is a square that it empties besides."""
        if self._game is not None and self._shown is not None:
            self._shown = after(self._game, self._shown, move, side)
            for at in squares_of(victim):
                self._shown.pop(at, None)

    def legs(self, move: str, side: int, text: str, *, match: bool) -> list[str]:
        """Return an engine move as legs after which the GUI shows the position ``text``.

        A captured pawn that XBoard leaves on the board is removed by a two-leg move over its
        square. In matches XBoard sends the legs to the opponent. Only the opponent's pawn may be
        removed there: legs over an own piece mean castling.
        """
        game, before = self._game, self._shown
        if game is None or before is None:
            return [move]
        self.play(move, side)
        if game.legs:
            first, comma, then = move.partition(",")
            return [first + comma, then] if comma else [first]
        squares = squares_of(move)
        if len(squares) == 2 and _takes_own_rook(game, before, squares[0], squares[1]):
            return ["O-O" if squares[1] > squares[0] else "O-O-O"]
        actual = board_of(game, text)
        left = [at for at in self._shown or () if at not in actual]
        if len(left) != 1 or len(squares) != 2 or game.placed:
            return [move]
        if match and (before[left[0]].isupper() == (side == 0)):
            return [move]
        self._shown = actual
        start, end = map(square_name, squares)
        victim = square_name(left[0])
        return [f"{start}{victim},", f"{victim}{end}"]
