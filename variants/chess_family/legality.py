"""Checks of position texts that need attacks: the side not to move in check, and en passant.

Attacks are found from the target square outward. No kernels are needed: texts are read before they
are compiled.
"""

from __future__ import annotations

from collections.abc import Mapping

from variants.chess_family.definition import Definition

Square = tuple[int, int]
_Board = Mapping[Square, str]


def _attacks(game: Definition, board: _Board, by_white: bool, target: Square) -> bool:
    """Return whether a colour attacks a square; all movements are symmetric."""
    file, rank = target
    # a white pawn attacks upward: it stands below
    below = rank - 1 if by_white else rank + 1
    pawn = game.pawn if by_white else game.pawn.lower()
    if pawn in (board.get((file - 1, below)), board.get((file + 1, below))):
        return True
    for letter, move in game.pieces.items():
        piece = letter if by_white else letter.lower()
        if any(board.get((file + x, rank + y)) == piece for x, y in move.offsets()):
            return True
        for x, y in move.steps():
            at = (file + x, rank + y)
            while at not in board and 0 <= at[0] < game.files and 0 <= at[1] < game.ranks:
                at = (at[0] + x, at[1] + y)
            if board.get(at) == piece:
                return True
    return False


def in_check(game: Definition, board: _Board, white: bool) -> bool:
    """Return whether a colour's king is attacked."""
    king = game.royal if white else game.royal.lower()
    at = next(at for at, letter in board.items() if letter == king)
    return _attacks(game, board, not white, at)


def can_take_en_passant(game: Definition, board: _Board, white: bool, target: Square) -> bool:
    """Return whether the side to move can capture on the en passant square."""
    file, rank = target
    up = 1 if white else -1
    own, enemy = (game.pawn, game.pawn.lower()) if white else (game.pawn.lower(), game.pawn)
    came_from, stands = (file, rank + up), (file, rank - up)
    if target in board or came_from in board or board.get(stands) != enemy:
        return False
    if came_from not in game.double_step[white]:
        return False
    for beside in ((file - 1, rank - up), (file + 1, rank - up)):
        if board.get(beside) == own:
            after = {at: letter for at, letter in board.items() if at not in (beside, stands)}
            if not in_check(game, {**after, target: own}, white):
                return True
    return False
