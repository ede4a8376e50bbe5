"""Counting rules in the reference rules, see RULES.md. Source: https://en.wikipedia.org/wiki/Makruk
and https://aseanchess.org/laws-of-asean-chess/; when a count begins, Fairy-Stockfish's behaviour.
"""

from __future__ import annotations

from collections import Counter

from variants.chess.notation.text import PositionData
from variants.chess.reference.board import WALL, Board, owner

_NAMES = {"R": "rook", "FfW": "khon", "N": "knight"}
#: Moves by the least army that the other side still has; the first that it has counts.
_MAKRUK = (("rook", 2, 8), ("rook", 1, 16), ("khon", 2, 22), ("knight", 2, 32), ("khon", 1, 44))
_ASEAN = (("rook", 1, 16), ("khon", 1, 44), ("knight", 1, 64))
#: In Makruk if nothing else says it, and without pawns while both sides have pieces.
_LONGEST = 64


class _Army(Counter[str]):
    """A side's pieces by name; ``all`` of them."""

    def __init__(self, board: Board, data: PositionData, side: int) -> None:
        super().__init__()
        for sign in data.board.values():
            if sign != WALL and owner(sign) == side:
                letter = board.letter(sign)
                names = _NAMES.get(board.game.betza[letter], ""), "all"
                self.update(("pawn", "all") if letter == board.game.pawn else names)


def _moves(rule: str, own: _Army, other: _Army) -> int:
    """Return in how many moves a side that counts must be mated; 0 if it may not count."""
    pawns = own["pawn"] + other["pawn"] > 0
    alone = own["all"] == 1
    if other["all"] == 1 or (alone and pawns):
        return 0
    if rule == "asean":
        return next((n for name, least, n in _ASEAN if alone and other[name] >= least), 0)
    if not alone and rule == "makruk":
        return 0 if pawns else _LONGEST
    found = next((n for name, least, n in _MAKRUK if alone and other[name] >= least), _LONGEST)
    if rule == "cambodian":
        return found - 1 if own["all"] <= 3 else 0
    return found


def counted_after(before: Board, after: PositionData) -> tuple[int, int]:
    """Return (plies counted, limit in plies) after a move from ``before``."""
    rule, old = before.game.rules.counting_rule, before.data
    if rule == "none":
        return 0, 0
    mover = old.side
    was = [_Army(before, old, side) for side in (0, 1)]
    now = [_Army(before, after, side) for side in (0, 1)]
    pieces = now[0]["all"] + now[1]["all"]
    count = (old.counted + 1, old.count_limit) if old.count_limit else (0, 0)
    moves = _moves(rule, now[mover], now[1 - mover])
    took_last_pawn = was[1 - mover]["pawn"] == 1 and not now[0]["pawn"] + now[1]["pawn"]
    took_last_pawn = took_last_pawn and now[1 - mover]["all"] < was[1 - mover]["all"]
    if rule != "asean" and took_last_pawn and now[mover]["all"] == 1 and moves:
        count = 2 * pieces - 1, 2 * moves
    less = now[1 - mover]["all"] < was[1 - mover]["all"] or now[mover]["pawn"] < was[mover]["pawn"]
    bare = now[1 - mover]["all"] == 1
    moves = _moves(rule, now[1 - mover], now[mover])
    if moves and (not count[1] or (less and bare)):
        count = 2 * pieces if bare and rule != "asean" else 0, 2 * moves
    return count
