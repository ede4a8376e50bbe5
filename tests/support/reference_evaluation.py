"""The evaluation of the fast kernels without a net, once more: plain and slow."""

from __future__ import annotations

from variants.chess.definition.values import piece_values, square_values
from variants.chess.fast.game import FastGame
from variants.chess.notation.text import PositionData

Square = tuple[int, int]
_TEMPO = 12


def reference_share(game: FastGame, board: dict[Square, str]) -> float:
    """How much of an advantage counts of the side whose pieces are in upper case."""
    worth = piece_values(game)
    minor = max((worth[p] for p in game.rules.lone_minors[0]), default=0)
    royal, pawn = game.royal, game.pawn
    own = {at: p for at, p in board.items() if p.isupper() and p not in (royal, pawn)}
    others = {
        at: p.upper() for at, p in board.items() if p.islower() and p.upper() not in (royal, pawn)
    }
    pawns = [at for at, p in board.items() if p == pawn]
    if len(own) > 3:
        return 1.0
    ours, theirs = (sum(worth[p] for p in side.values()) for side in (own, others))

    def bound(p: str) -> bool:
        return game.movements[p].colourbound

    if not pawns:
        if not own or ours <= minor:
            return 0.0
        if ours - theirs <= minor:
            return 4 / 64 if theirs <= minor else 14 / 64
        alike = len(own) == 2 and len(set(own.values())) == 1
        one = next(iter(own.values()))
        if alike and one in game.rules.lone_minors[0] and not bound(one):
            bare = not others and pawn.lower() not in board.values()
            return 0.0 if bare else 1.0
        return 1.0
    files = {file for file, _ in pawns}
    king = next(at for at, p in board.items() if p == royal.lower())
    if files in ({0}, {game.files - 1}):
        end = (pawns[0][0], game.ranks - 1)
        stopped = max(abs(king[0] - end[0]), abs(king[1] - end[1])) <= 1
        away = all(bound(p) and (sum(at) - sum(end)) % 2 for at, p in own.items())
        if stopped and away:
            return 0.0
    if len(own) == len(others) == 1:
        (mine,), (yours,) = own.items(), others.items()
        if bound(mine[1]) and bound(yours[1]) and (sum(mine[0]) - sum(yours[0])) % 2:
            return 28 / 64
    return 1.0


def reference_evaluation(game: FastGame, data: PositionData) -> float:
    """Centipawns for the side to move, before a row of quiet moves fades them."""
    values, value = piece_values(game), 0
    for at, letter in data.board.items():
        kind = letter.upper()
        seen = at if letter.isupper() else (at[0], game.ranks - 1 - at[1])
        value += (1 if letter.isupper() else -1) * (values[kind] + square_values(game, kind)[seen])
    own = (-value if data.side else value) + _TEMPO
    white_is_ahead = (own > 0) == (data.side == 0)
    board = dict(data.board)
    if not white_is_ahead:
        board = {(x, game.ranks - 1 - y): p.swapcase() for (x, y), p in board.items()}
    return own * reference_share(game, board)
