"""Goryujin's position text and move names.

``white dragons / black dragons, side, passes in a row, move number``: ``Z0@ay2.P1@bb3+,P5@ak1/- b 0
3``. A dragon is its pieces from start to tip. One that has touched down ends in its landed P and a
``+``, and the P that it began with has left the board.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from ryugi_engine.games.game import PASS, counted, read_move
from ryugi_engine.games.notation import (
    MAX_MOVE_NUMBER,
    PositionError,
    parse_counter,
    parse_side,
    square_name,
)
from variants.goryujin.shapes import BY_NAME, LETTERS, Cell, End, Shape, neighbour

FILES, RANKS = 60, 30
#: Pieces of each letter that a side has.
STOCK = 5
#: Passes in a row that end a game.
LAST_PASS = 5
START = "-/- w 0 1"
#: A pass as a move code; here, so that the game can be introduced without its kernels' layout.
PASS_MOVE = 3 << 20
NAMES = ("White", "Black")
HOME = (0, RANKS - 1)
#: A piece where it is placed; a touchdown has a ``+`` after it.
PLACEMENT = re.compile(r"([A-Z])([0-7])@([a-z]{1,2})([0-9]{1,2})")


def file_number(name: str) -> int:
    """Return the file of ``a`` to ``bh``, from 0; FILES or more if there is none."""
    number = 0
    for letter in name:
        number = 26 * number + ord(letter) - ord("a") + 1
    return number - 1


class Placement(NamedTuple):
    """A piece on the board: shape, and lower left corner of its bounding box."""

    shape: Shape
    file: int
    rank: int

    @property
    def name(self) -> str:
        """The placement in move notation: ``P0@m1``."""
        return f"{self.shape.name}@{square_name((self.file, self.rank))}"

    @property
    def cells(self) -> list[Cell]:
        """The five squares it covers."""
        return [(self.file + x, self.rank + y) for x, y in self.shape.cells]

    @property
    def ends(self) -> list[End]:
        """Its contact ends on the board."""
        return [End((self.file + x, self.rank + y), d) for (x, y), d in self.shape.ends]

    def joins(self, other: Placement) -> tuple[End, End] | None:
        """Return the pair of ends of this piece and another that face each other, else None."""
        for mine in self.ends:
            for theirs in other.ends:
                if neighbour(mine.cell, mine.direction) == theirs.cell:
                    if mine.direction == theirs.direction ^ 2:
                        return mine, theirs
        return None


def parse_placement(text: str) -> Placement:
    """Parse ``P0@m1``; ValueError if it is wrong."""
    match = PLACEMENT.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text[:20]}' is not like P0@m1")
    letter, orientation, file, rank = match.groups()
    shape = BY_NAME.get(letter + orientation)
    if shape is None:
        if letter not in LETTERS:
            raise ValueError(f"'{text}': there is no piece {letter}")
        raise ValueError(f"'{text}': {letter} has another name in orientation {orientation}")
    placement = Placement(shape, file_number(file), int(rank) - 1)
    inside = 0 <= placement.rank <= RANKS - shape.height
    if not inside or not 0 <= placement.file <= FILES - shape.width:
        raise ValueError(f"'{text}' is not on the board")
    return placement


def normal_name(text: str) -> str:
    """Return a move in the spelling of :attr:`Placement.name`; other texts unchanged."""
    if read_move(text) == PASS:
        return PASS
    return text[:1].upper() + text[1:].lower()


@dataclass
class Dragon:
    """A dragon's pieces from start to tip; if finished, the last is the landed P."""

    pieces: list[Placement]
    finished: bool = False

    @property
    def tip(self) -> Placement:
        """The piece that the next one joins."""
        return self.pieces[-1]

    def free_ends(self) -> list[End]:
        """Return the tip's ends that no piece has joined."""
        used = None
        if len(self.pieces) > 1:
            joint = self.tip.joins(self.pieces[-2])
            used = joint[0] if joint is not None else None
        return [end for end in self.tip.ends if end != used]

    def distance(self, side: int) -> int:
        """Distance of the landed P from the opponent's edge, 1 for its first row."""
        ranks = [rank for _file, rank in self.tip.cells]
        return RANKS - max(ranks) if side == 0 else 1 + min(ranks)

    def text(self) -> str:
        """Return the dragon's part of a position text."""
        return ".".join(piece.name for piece in self.pieces) + ("+" if self.finished else "")


@dataclass
class PositionData:
    """A position as plain data: White's and Black's dragons in the order of their start."""

    dragons: tuple[list[Dragon], list[Dragon]] = field(default_factory=lambda: ([], []))
    side: int = 0
    passes: int = 0
    number: int = 1

    def hand(self, side: int) -> dict[str, int]:
        """Return a side's pieces in hand by letter."""
        hand = dict.fromkeys(LETTERS, STOCK)
        for dragon in self.dragons[side]:
            for piece in dragon.pieces:
                hand[piece.shape.letter] -= 1
        return hand

    def distances(self, side: int) -> list[int]:
        """Return the distances of a side's touchdowns, the nearest first."""
        return sorted(d.distance(side) for d in self.dragons[side] if d.finished)

    def board(self) -> dict[Cell, tuple[int, int, int]]:
        """Return (side, dragon, piece) by covered square."""
        return {
            cell: (side, number, index)
            for side in range(2)
            for number, dragon in enumerate(self.dragons[side])
            for index, piece in enumerate(dragon.pieces)
            for cell in piece.cells
        }


def comparison(data: PositionData) -> tuple[int, str]:
    """Return (winner, reason) of a game that ends without a touchdown at distance 1."""
    white, black = data.distances(0), data.distances(1)
    for ours, theirs in zip(white, black, strict=False):
        if ours != theirs:
            return (0 if ours < theirs else 1), "nearer touchdown"
    if len(white) != len(black):
        return (0 if len(white) > len(black) else 1), "one more touchdown"
    return 1, "equal touchdowns" if white else "no touchdown"


def ended_by(data: PositionData) -> tuple[int, str] | None:
    """Return (winner, reason) if the position alone shows that the game is over, else None."""
    for side in range(2):
        if 1 in data.distances(side):
            return side, "touchdown at distance 1"
    if data.passes >= LAST_PASS:
        winner, why = comparison(data)
        return winner, f"five passes, {why}"
    return None


def _parse_dragon(text: str, where: str) -> Dragon:
    finished = text.endswith("+")
    try:
        pieces = [parse_placement(word) for word in text.removesuffix("+").split(".")]
    except ValueError as error:
        raise PositionError(where, str(error)) from None
    return Dragon(pieces, finished)


def _check_dragon(dragon: Dragon, side: int, where: str) -> None:
    """Check a dragon by itself; PositionError if its pieces do not join."""
    pieces = dragon.pieces
    last = len(pieces) - 1
    if dragon.finished and last == 0:
        raise PositionError(where, f"{pieces[0].name} alone has not touched down")
    for index, piece in enumerate(pieces):
        is_p = piece.shape.letter == "P"
        must_be_p = index == (last if dragon.finished else 0)
        if is_p != must_be_p:
            what = "ends in a P" if dragon.finished else "begins with a P and has no other"
            raise PositionError(where, f"{piece.name}: such a dragon {what}")
        at_home = any(rank == HOME[side] for _file, rank in piece.cells)
        if is_p and not dragon.finished and not at_home:
            raise PositionError(where, f"{piece.name} is not on {NAMES[side]}'s first row")
        if not is_p and at_home:
            raise PositionError(where, f"{piece.name} is on {NAMES[side]}'s first row")


def _check_contacts(data: PositionData) -> None:
    """Check that pieces do not overlap, and own ones touch at joints only; else PositionError."""
    board: dict[Cell, tuple[int, int, int]] = {}

    def piece_of(at: tuple[int, int, int]) -> Placement:
        return data.dragons[at[0]][at[1]].pieces[at[2]]

    for side in range(2):
        for number, dragon in enumerate(data.dragons[side]):
            where = f"{NAMES[side]}'s dragon {number + 1}"
            taken: list[End] = []
            for index, piece in enumerate(dragon.pieces):
                this = (side, number, index)
                for cell in piece.cells:
                    if cell in board:
                        other = piece_of(board[cell]).name
                        raise PositionError(where, f"{piece.name} lies on {other}")
                joint: tuple[End, End] | None = None
                if index > 0:
                    joint = piece.joins(dragon.pieces[index - 1])
                    if joint is None or joint[1] in taken:
                        before = dragon.pieces[index - 1].name
                        raise PositionError(where, f"{piece.name} does not join {before}")
                    taken = [joint[0]]
                for cell in piece.cells:
                    for direction in range(4):
                        beside = neighbour(cell, direction)
                        other_at = board.get(beside)
                        if other_at is None or other_at[0] != side:
                            continue
                        if joint is None or (cell, beside) != (joint[0].cell, joint[1].cell):
                            raise PositionError(
                                where, f"{piece.name} touches {piece_of(other_at).name}"
                            )
                board.update(dict.fromkeys(piece.cells, this))


def parse_text(text: str) -> PositionData:
    """Parse a position; PositionError names the field or the dragon, and the reason."""
    fields = text.split()
    if not 2 <= len(fields) <= 4:
        raise PositionError("position", f"{counted(len(fields), 'field')} instead of 4")
    halves = fields[0].split("/")
    if len(halves) != 2:
        raise PositionError("dragons", f"{counted(len(halves), 'side')} instead of 2")
    data = PositionData()
    for side, half in enumerate(halves):
        for number, word in enumerate(half.split(",") if half != "-" else [], start=1):
            where = f"{NAMES[side]}'s dragon {number}"
            if number > STOCK:
                raise PositionError(where, f"there are {STOCK} at most")
            dragon = _parse_dragon(word, where)
            _check_dragon(dragon, side, where)
            data.dragons[side].append(dragon)
        for letter, left in data.hand(side).items():
            if left < 0:
                raise PositionError(f"{NAMES[side]}'s dragons", f"more than {STOCK} {letter}")
    _check_contacts(data)
    if 1 in data.distances(0) and 1 in data.distances(1):
        raise PositionError("dragons", "both sides have touched down at distance 1")
    data.side = parse_side(fields[1])
    if len(fields) > 2:
        data.passes = parse_counter(fields[2], "passes", LAST_PASS)
    if len(fields) > 3:
        data.number = max(1, parse_counter(fields[3], "move number", MAX_MOVE_NUMBER))
    return data


def format_text(data: PositionData) -> str:
    """Return the canonical text."""
    sides = "/".join(",".join(d.text() for d in dragons) or "-" for dragons in data.dragons)
    return f"{sides} {'wb'[data.side]} {data.passes} {data.number}"


def objection(data: PositionData, piece: Placement) -> str:
    """Return why the side to move may not place a piece, as a short phrase."""
    side, letter = data.side, piece.shape.letter
    board = data.board()
    growing = [dragon for dragon in data.dragons[side] if not dragon.finished]
    joined = any(
        neighbour(mine.cell, mine.direction) == theirs.cell
        and mine.direction == theirs.direction ^ 2
        for dragon in growing
        for theirs in dragon.free_ends()
        for mine in piece.ends
    )
    at_home = any(rank == HOME[side] for _file, rank in piece.cells)
    if any(cell in board for cell in piece.cells):
        return "it lies on another piece"
    if data.hand(side)[letter] == 0:
        return f"no {letter} in hand"
    if letter != "P" and not growing:
        return "only a P begins a dragon"
    if letter != "P" and at_home:
        return "only a P may lie on your first row"
    if letter == "P" and not at_home and not joined:
        return "a P lies on your first row, or joins a tip"
    if letter != "P" and not joined:
        return "it joins no free end of a tip"
    return "it touches another of your pieces"
