"""Bare kings, and moves that attack, in the reference rules: of games where kings are captured."""

from __future__ import annotations

from dataclasses import replace

from variants.chess.definition.definition import Letters, Square
from variants.chess.reference.board import Board, owner
from variants.chess.reference.legality import Legality


def _royals(position: Board, side: int) -> list[Square]:
    """Return a side's pieces of the extinction rule."""
    types, board = position.game.rules.extinction_piece_types[side], position.data.board
    return [at for at in position.own(side) if position.letter(board[at]) in types]


def _alive(position: Board, side: int, without: Letters = frozenset()) -> list[Square]:
    """Return a side's pieces that can ever move again, without those of some letters."""
    board = position.data.board
    return [
        at for at in position.own(side)
        if (letter := position.letter(board[at])) not in without
        and any(
            move.quiet and position.inside((at[0] + way.dx, at[1] + way.dy))
            for move, way, _ in position.pieces.moves(letter, side)
        )
    ]  # fmt: skip


def _are_attacked(position: Board, side: int) -> bool:
    return any(position.attacked(at, 1 - side) for at in _royals(position, side))


def bared(position: Board) -> str | None:
    """Return the result for the side to move by bare kings, None if there is none."""
    royals = [_royals(position, side) for side in range(2)]
    alone = [len(royals[side]) == 1 and _alive(position, side) == royals[side] for side in range(2)]
    for loser in range(2):
        minor = position.game.rules.bare_king_minor_types[1 - loser]
        others = _alive(position, 1 - loser, minor)
        safe = royals[1 - loser] and not _are_attacked(position, 1 - loser)
        if alone[loser] and safe and len(others) > 1:
            king = royals[loser][0]
            near = [at for at in others if max(abs(at[0] - king[0]), abs(at[1] - king[1])) == 1]
            if len(others) > 2 or not near:
                return "loss" if loser == position.data.side else "win"
    attacked = any(_are_attacked(position, side) for side in range(2))
    return "draw" if all(alone) and not attacked else None


def attacked_last(after: Board) -> bool:
    """Return whether the last move attacks a royal piece, or anything by the piece that moved."""
    side, board, action = after.data.side, after.data.board, after.action
    if _are_attacked(after, side):
        return True
    assert action is not None
    moved = type(after)(after.game, replace(after.data, side=1 - side, lion=None))
    allows = Legality(moved)
    return any(
        a.target in board and owner(board[a.target]) == side and allows.rules_allow(a)
        for a in moved.piece_actions(action.target)
        if a.victim is None
    )
