"""What XBoard's window shows after a move, which is not always what stands on the board.

XBoard carries out moves by the rules of chess: it knows nothing of captured stones or of a track,
and (4.9.1) takes a pawn en passant off only if the taking pawn stands beyond the middle.
"""

from __future__ import annotations

import re
import string

from ryugi_engine.game import Game
from ryugi_engine.notation import Board, parse_board, square_name, squares_of

_LETTERS = string.ascii_uppercase


def placed(game: Game) -> bool:
    """Whether the game's pieces are placed and do not move."""
    return not any(game.pieces.values())


def shown_by(game: Game, text: str) -> Board:
    """Letters by (file, rank) of a position text; ValueError if it has no board of the size."""
    field = text.split()[0].split("[")[0]
    holes: set[tuple[int, int]] = set()
    rows = field.split("/")
    if len(rows) != game.ranks:
        raise ValueError(f"{len(rows)} ranks instead of {game.ranks}")
    for number, row in zip(range(game.ranks, 0, -1), rows, strict=True):
        file = 0
        for token in re.findall(r"[0-9]+|.", row):
            if token == "*":
                holes.add((file, number - 1))
            file += int(token) if token.isdigit() else 1
    return parse_board(field, game.files, game.ranks, _LETTERS, holes)


def after(game: Game, board: Board, move: str, side: int) -> Board:
    """XBoard's board after a move in our notation by ``side``."""
    board = dict(board)
    drop = re.match(r"([A-Z])@([a-z][0-9]+)", move)
    if drop is not None:
        letter = drop.group(1)
        board[squares_of(drop.group(2))[0]] = letter.lower() if side else letter
        return board
    squares = squares_of(move)
    if len(squares) != 2:
        return board  # a pass
    start, end = squares
    letter = board.pop(start, "")
    royal, pawn = list(game.pieces)[-1], next(iter(game.pieces))
    steps = end[0] - start[0]
    if letter.upper() == royal and start[1] == end[1] and abs(steps) > 1 and end not in board:
        way = 1 if steps > 0 else -1
        partner = start[0] + way
        while 0 < partner < game.files - 1 and (partner, start[1]) not in board:
            partner += way
        moved = board.pop((partner, start[1]), None)
        if moved is not None:
            board[end[0] - way, end[1]] = moved
    elif letter.upper() == pawn and steps and end not in board:
        beyond = start[1] >= game.ranks // 2 if side == 0 else start[1] < game.ranks // 2
        if beyond:
            board.pop((end[0], start[1]), None)
    promoted = move[-1] if move[-1].isalpha() else ""
    board[end] = (promoted.lower() if side else promoted.upper()) or letter
    return board


def same(one: Board, other: Board) -> bool:
    """Whether two boards look alike; a piece that belongs to both sides has any letter case."""
    return {at: letter.upper() for at, letter in one.items()} == {
        at: letter.upper() for at, letter in other.items()
    }


def legs(game: Game, before: Board, actual: Board, move: str, side: int) -> list[str]:
    """The moves that make XBoard show what the move did.

    A capture in passing that XBoard would leave standing goes in two legs: onto the victim, then
    to the square behind it.
    """
    shown = after(game, before, move, side)
    left = [at for at in shown if at not in actual]
    squares = squares_of(move)
    if len(left) != 1 or len(squares) != 2 or placed(game):
        return [move]
    start, end = map(square_name, squares)
    victim = square_name(left[0])
    return [f"{start}{victim},", f"{victim}{end}"]
