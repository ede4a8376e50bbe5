"""An upper bound of the legal moves in the positions that a game can lead to."""

from __future__ import annotations

from math import prod

from ryugi_engine.kernel.declarations import MAX_MOVES
from variants.chess.definition import Definition, Move, Square
from variants.chess.reference.board import WALL, owner
from variants.chess.text import PositionData, parse_text


def most_moves(game: Definition) -> int:
    """Return an upper bound of the legal moves that a side can ever have, if it exceeds MAX_MOVES.

    Else return 0. Every piece stands where it has most moves on an empty board, and is the best of
    what it can become. Nothing else hinders a piece, a drop or a wall.
    """
    bound, start = 0, parse_text(game, game.start)
    for exact in (False, True):
        bound = max(_bound(game, start, side, exact) for side in range(2))
        if bound <= MAX_MOVES:
            return 0
    return bound


def _bound(game: Definition, start: PositionData, side: int, exact: bool) -> int:
    rules, squares = game.rules, game.files * game.ranks
    reach = {letter: _reach(game, letter, exact) for letter in game.pieces}
    best = {
        letter: max(reach[other] * _forms(game, other, side) for other in _becomes(game, letter))
        for letter in game.pieces
    }
    everybody = rules.captures_to_hand or rules.flip_enclosed_pieces != "none"
    signs = [sign for sign in start.board.values() if sign != WALL]
    signs += [sign for sign, count in start.hands.items() for _ in range(count)]
    own = [_letter(sign) for sign in signs if everybody or owner(sign) == side]
    moves = sorted((best[letter] for letter in own), reverse=True)
    if rules.piece_drops and rules.free_drops:
        moves = [max(best.values())] * squares
    number = sum(moves[:squares]) + len(game.ways) + rules.passing[side] + rules.wall_or_move
    if rules.piece_drops:
        kinds = len(game.pieces) if rules.free_drops else len(set(own))
        number += kinds * squares * (2 if rules.drop_promoted else 1)
    if rules.seirawan_gating:
        gated = len(set(own) if everybody else {_letter(sign) for sign in start.hands})
        number += gated * (
            len(game.ways) + sum(best[_letter(start.board[at])] for at in start.gates)
        )
    if rules.wall_or_move:
        return number + squares
    walls = {"none": 1, "past": 1, "arrow": max(reach.values())}
    return number * min(walls.get(rules.walling_rule, squares), squares)


def _letter(sign: str) -> str:
    return sign.strip("+~").upper()


def _reach(game: Definition, letter: str, exact: bool) -> int:
    """Return how many squares a piece can reach from the best one; at most, if not ``exact``."""
    rules, moves = game.rules, game.pieces[letter].moves
    further = 2 if letter == game.pawn else 0  # its steps of two and three squares
    if any(rules.diagonal_lines):
        further += 4 * max(game.files, game.ranks)
    places = game.on_board() if exact else [None]
    return further + max(sum(_ends(move, game, at) for move in moves) for at in places)


def _ends(move: Move, game: Definition, place: Square | None) -> int:
    """Return how many ends a move from a square, or from any, has at most."""
    longest = max(game.files, game.ranks)
    if move.wraps:
        return prod(min(leg.steps, longest) for leg in move.legs)
    steps = min(move.legs[0].steps if move.legs else move.steps, longest)
    if place is not None:
        for step, at, size in ((move.dx, place[0], game.files), (move.dy, place[1], game.ranks)):
            if step:
                steps = min(steps, ((size - 1 - at) if step > 0 else at) // abs(step))
    return steps * prod(min(leg.steps, longest) for leg in move.legs[1:])


def _becomes(game: Definition, letter: str) -> set[str]:
    """Return the letters of what a piece can become, its own among them."""
    rules, found, left = game.rules, {letter}, [letter]
    while left:
        at = left.pop()
        new = {rules.promoted_piece_type.get(at, at)}
        for side in range(2):
            if at in rules.promotion_pawn_types[side]:
                new |= rules.promotion[side]
        left += new - found
        found |= new
    return found


def _forms(game: Definition, letter: str, side: int) -> int:
    """Return in how many forms a piece may make a move."""
    rules = game.rules
    forms = 1 + (letter in rules.promoted_piece_type)
    return forms + len(rules.promotion[side]) * (letter in rules.promotion_pawn_types[side])
