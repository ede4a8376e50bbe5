"""Castling as text: the king's move, or the king taking its partner.

The second where the first is also a step of the king, as Fairy-Stockfish has it.
"""

from __future__ import annotations

from collections.abc import Mapping

from ryugi_engine.games.notation import square_name
from variants.chess.definition.definition import Definition, Move, Region, Square, Way
from variants.chess.definition.placed_moves import Placed, placed_moves, turned


def castling_texts(game: Definition, board: Mapping[Square, str]) -> dict[Way, str]:
    """Return the text of every way to castle; ``board`` is the start position.

    ValueError for ways that no text tells apart.
    """
    if game.chess960:
        return {way: _name(way.king_from, way.rook_from) for way in game.ways}
    moves = {way: _moves(game, way, board) for way in game.ways}
    texts = {way: _text(game, way, moves[way]) for way in game.ways}
    for way, text in texts.items():
        side = way.right.islower()
        others = [w for w in game.ways if w != way and w.right.islower() == side]
        if any(w[1:3] == way[1:3] or texts[w] == text for w in others):
            raise ValueError(f"two ways to castle are {text}")
        partner = text == _name(way.king_from, way.rook_from)
        takes_own = (placed for placed in moves[way] if _takes_own(placed.move))
        if partner and any(_leads(p, way.king_from, way.rook_from, game.files) for p in takes_own):
            raise ValueError(f"castling {text} is also a capture of an own piece")
    return texts


def _name(origin: Square, target: Square) -> str:
    return square_name(origin) + square_name(target)


def _moves(game: Definition, way: Way, board: Mapping[Square, str]) -> list[Placed]:
    """Return the moves of the piece that castles, as they go on the board."""
    side = int(way.right.islower())
    letter = board.get(way.king_from, "").strip("+~").upper()
    if letter not in game.pieces:
        letter = game.royal
    moves = placed_moves(game, letter, side) if letter else []
    return [placed._replace(move=turned(placed.move, side)) for placed in moves]


def _text(game: Definition, way: Way, moves: list[Placed]) -> str:
    rules, side = game.rules, int(way.right.islower())
    steps = any(
        placed.move.quiet and _leads(placed, way.king_from, way.king_to, game.files)
        for placed in moves
    )
    passes = rules.passing[side] or rules.pass_on_stalemate[side] or rules.wall_or_move
    steps |= way.king_from == way.king_to and passes
    return _name(way.king_from, way.rook_from if steps else way.king_to)


def _takes_own(move: Move) -> bool:
    return bool(move.legs) and "d" in move.legs[-1].enter


def _leads(placed: Placed, origin: Square, target: Square, files: int) -> bool:
    """Return whether a move may go from a square to another, regardless of pieces on its way."""
    return (
        _lies_in(origin, placed.start)
        and _lies_in(target, placed.end)
        and target in ends(placed.move, origin, files)
    )


def _lies_in(at: Square, region: Region | None) -> bool:
    return region is None or at in region


def ends(move: Move, origin: Square, files: int) -> set[Square]:
    """Return the squares on which a move from ``origin`` may end, including ones off the board."""
    if not move.legs:
        steps = range(1, move.steps + 1)
        return {(origin[0] + n * move.dx, origin[1] + n * move.dy) for n in steps}
    reached = {origin}
    for leg in move.legs:
        steps = range(1 + leg.skip, leg.steps + 1)
        reached = {(x + n * leg.dx, y + n * leg.dy) for x, y in reached for n in steps}
        if move.wraps:
            reached = {(x % files, y) for x, y in reached}
    return reached
