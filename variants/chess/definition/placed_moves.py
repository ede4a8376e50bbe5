"""The moves of a side's pieces: those of their notation, and those that rules add."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from variants.chess.definition import betza
from variants.chess.definition.definition import Definition, Move, Region

#: Pieces that have other moves on the lines of a palace, by their moves elsewhere.
ON_LINES = {"W": "F", "R": "B", "pR": "pB"}


class Placed(NamedTuple):
    """A move of a side's piece, with its allowed start and target squares; None: all."""

    move: Move
    start: Region | None = None
    end: Region | None = None
    #: Whether the piece neither leaps over nor takes its like.
    cannon: bool = False
    #: Whether it goes along the lines of a palace.
    on_line: bool = False


def _only(*regions: Region | None) -> Region | None:
    """Return the squares of all regions, None being everywhere."""
    known = [region for region in regions if region is not None]
    return frozenset.intersection(*known) if known else None


def _pawn_steps(game: Definition, side: int) -> Iterator[Placed]:
    """Yield the double and triple step of chess's pawn."""
    rules = game.rules
    if not game.pawn or any(move.initial for move in game.pieces[game.pawn].moves):
        return
    for length, region in ((2, rules.double_step_region), (3, rules.triple_step_region)):
        if region[side]:
            path = tuple((0, step) for step in range(1, length))
            move = Move(0, length, 1, quiet=True, capture=False, initial=True, path=path)
            yield Placed(move, region[side])


def _on_lines(game: Definition, letter: str) -> tuple[Move, ...]:
    """Return the further moves of a piece along the lines of a palace."""
    if letter == game.soldier:
        return betza.parse("fF").moves
    return betza.parse(ON_LINES.get(game.betza[letter], "")).moves


def placed_moves(game: Definition, letter: str, side: int) -> list[Placed]:
    """Return the moves of a side's piece, in White's orientation."""
    rules = game.rules
    area = rules.mobility_region.get(letter)
    home = None if area is None else area[side]
    found: list[Placed] = []
    for move in game.pieces[letter].moves:
        start = _initial_region(game, side, move.late) if move.initial else None
        if letter == game.soldier and move.dx:
            start = _only(start, _soldier_zone(game, side))
        found.append(Placed(move, start, home))
    if letter == game.pawn:
        found += [Placed(p.move, p.start, _only(p.end, home)) for p in _pawn_steps(game, side)]
    lines = rules.diagonal_lines[side]
    if lines:
        on_lines = _on_lines(game, letter)
        found += [Placed(move, lines, _only(lines, home), on_line=True) for move in on_lines]
    return found


def _initial_region(game: Definition, side: int, late: bool) -> Region:
    """Return where a side's pieces have initial moves, or the squares in front of those."""
    region = game.rules.double_step_region[side]
    ahead = 1 if side == 0 else -1
    return frozenset((file, rank + ahead) for file, rank in region) if late else region


def _soldier_zone(game: Definition, side: int) -> Region:
    """Return where a soldier also moves sideways."""
    first = game.rules.soldier_promotion_rank - 1
    ranks = range(first, game.ranks) if side == 0 else range(game.ranks - first)
    return frozenset(at for at in game.on_board() if at[1] in ranks)


def turned(move: Move, side: int) -> Move:
    """Return a side's move in board orientation: Black's is rotated by 180 degrees."""
    return move.scaled(-1, -1) if side else move


def without_initial(game: Definition, letter: str, side: int) -> list[Move]:
    """Return a side's piece's moves without initial ones, in board orientation."""
    return [turned(move, side) for move in game.pieces[letter].moves if not move.initial]
