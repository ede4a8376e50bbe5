"""The pieces that a tablebase can have: they leap and slide, on all squares in the same way."""

from __future__ import annotations

from collections.abc import Mapping

from variants.chess.definition.definition import Definition
from variants.chess.definition.placed_moves import placed_moves, turned
from variants.chess.tablebase import layout as L
from variants.chess.tablebase.tables import Rays

#: Rules that do not concern a king and pieces, but no pawns, against a bare king. With hands,
#: rights to castle or gates, positions are not in the tables.
_HARMLESS = frozenset(
    {
        *("promotion", "promotion_limit", "mandatory_pawn_promotion", "sittuyin_promotion"),
        *("castling_rook_pieces", "cambodian_moves", "gating", "seirawan_gating"),
        *("piece_drops", "must_drop", "sittuyin_rook_drop", "first_rank_pawn_drops"),
        *("n_move_rule", "n_move_limit", "n_fold_rule", "n_fold_limit", "counting_rule"),
        *("stalemate_value", "lone_minors"),
    }
)


def rays_of(game: Definition, letter: str, side: int) -> Rays | None:
    """Return where a side's piece goes and what it attacks, None if that is not the same."""
    rules = game.rules
    changes = letter in rules.promotion_pawn_types[side] or letter in rules.promoted_piece_type
    if changes or letter in game.cannons:
        return None
    rays = set()
    for placed in placed_moves(game, letter, side):
        move = turned(placed.move, side)
        special = move.initial or move.hop or move.path or move.legs or move.wraps or move.tame
        if special or placed.start or placed.end or not (move.quiet and move.capture):
            return None
        rays.add((move.dx, move.dy, move.steps))
    return tuple(sorted(rays)) if len(rays) <= L.MAX_DIRECTIONS else None


def piece_rays(game: Definition) -> tuple[Mapping[str, Rays], ...]:
    """Return White's and Black's rays by letter; ({}, {}) where only other rules would be known.

    All are the same from left to right.
    """
    harmless = set(game.unusual_rules()) <= _HARMLESS and game.rules.stalemate_value != "win"
    if not (harmless and game.royal and max(game.files, game.ranks) <= 8):
        return {}, {}
    found = []
    for side in range(2):
        known = {letter: rays_of(game, letter, side) for letter in game.letters}
        fitting = {p: rays for p, rays in known.items() if rays and _is_symmetric(rays)}
        king = fitting.get(game.royal, ())
        if not 0 < len(king) <= L.MAX_STEPS or any(steps > 1 for _x, _y, steps in king):
            return {}, {}
        found.append(fitting)
    return tuple(found)


def _is_symmetric(rays: Rays) -> bool:
    return {(-x, y, steps) for x, y, steps in rays} == set(rays)
