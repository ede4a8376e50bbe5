"""How programs spell a record's moves otherwise: XBoard's ranks, BrainKing's castling.

XBoard counts ten ranks from 0, others from 1. BrainKing calls castling with the nearer rook
``O-O``, which is to the left in Embassy Chess. Sources: XBoard 4.9, NEWS and ``ONE`` of its
``common.h``; https://github.com/gbtami/pychess-variants/issues/487.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ryugi_engine.games.game import IllegalMove
from ryugi_engine.games.position import Position
from ryugi_engine.processes import process
from ryugi_engine.records.pgn import Record, Step
from ryugi_engine.records.san import by_xboard, has_san, left_is_near, other_castling, recorded_code

_RANK = re.compile("(?<=[A-Za-z])[0-9]{1,2}")
#: The tag Event of games that XBoard has saved or edited.
_EVENTS = ("Computer Chess Game", "Computer Chess Match", "Edited game", "Analyzed game")


class Dialect(NamedTuple):
    """What a record spells otherwise."""

    #: The number of the first rank.
    first_rank: int = 1
    #: Whether ``O-O`` is to the left.
    mirrored: bool = False

    def read(self, move: str) -> str:
        """Return a move in SAN as the engine reads it."""
        move = other_castling(move) if self.mirrored else move
        return _moved_ranks(move, 1 - self.first_rank)

    def write(self, move: str) -> str:
        """Return a move in SAN as the record has it."""
        move = other_castling(move) if self.mirrored else move
        return _moved_ranks(move, self.first_rank - 1)


def read_dialect(position: Position, record: Record) -> Dialect:
    """Return a record's dialect; its steps' moves are in the engine's then.

    What is legal by one count of ranks alone is meant so. Else XBoard's tags decide, and without
    them a line says how the record is read. ``position`` is the one before the moves.
    """
    every = list(_every(record.steps))
    dialect = Dialect()
    if not (every and has_san(position.game)):
        return dialect
    if "brainking" in record.tags.get("Site", "").lower() and left_is_near(position):
        dialect = Dialect(mirrored=True)
    elif position.game.ranks == 10:
        moves = [step.move for step in every]
        dialect = Dialect(1 - _counts_from_zero(position, record, moves))
    if dialect != Dialect():
        for step in every:
            step.written = step.move
            step.move = dialect.read(step.move)
    return dialect


def _every(steps: Sequence[Step]) -> Iterator[Step]:
    """Yield the steps of a line and of its variations."""
    for step in steps:
        yield step
        for line in step.variations:
            yield from _every(line)


def _moved_ranks(move: str, by: int) -> str:
    """Return a move with other numbers of ranks."""
    return _RANK.sub(lambda rank: str(int(rank[0]) + by), move)


def _counts_from_zero(position: Position, record: Record, moves: Sequence[str]) -> bool:
    ranks = {rank for move in moves for rank in _RANK.findall(move)}
    if "0" in ranks or "10" in ranks:
        return "0" in ranks
    words = [step.move for step in record.steps]
    xboard = by_xboard(record.tags)
    one = _is_legal(position, words, xboard)
    zero = _is_legal(position, [_moved_ranks(word, 1) for word in words], xboard)
    told = xboard or record.tags.get("Event", "") in _EVENTS
    if one and zero and not told:
        line, _column = record.place()
        process.complain(
            f"line {line}: ranks are counted from 1 here; if XBoard has saved this game it is"
            ' another one: add [Event "Computer Chess Game"]'
        )
    return zero and not one if one != zero else told


def _is_legal(position: Position, words: Sequence[str], xboard: bool) -> bool:
    """Return whether all words are moves, one after another; the position is restored."""
    begun = len(position.moves)
    try:
        for word in words:
            position.push(recorded_code(position, word, xboard))
    except IllegalMove:
        return False
    finally:
        while len(position.moves) > begun:
            position.pop()
    return True
