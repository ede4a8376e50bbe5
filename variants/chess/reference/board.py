"""The board of the reference rules: pieces, their targets and attacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from variants.chess.definition.definition import Definition, Move, Region, Square, Way
from variants.chess.notation.text import PositionData

NEIGHBOURS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
WALL = "*"


class Action(NamedTuple):
    """A move: its text without wall and gate, and its effects."""

    kind: str  # move, drop, en passant, castle, promotion, becomes, pass
    origin: Square
    target: Square
    sign: str  # what stands on the target afterwards
    way: Way | None = None
    #: A piece gated, and where.
    gate: str = ""
    gate_at: Square = (-1, -1)
    wall: Square | None = None
    #: What is captured on the way; the move goes there and on.
    victim: Square | None = None


def owner(sign: str) -> int:
    """Return the side of a sign: 0, 1, or 2 for a wall."""
    if sign == WALL:
        return 2
    return 0 if sign.strip("+~").isupper() else 1


def opposite(move: Move) -> Move:
    """Return a move rotated by 180 degrees, as it goes for Black."""
    path = tuple((-x, -y) for x, y in move.path)
    legs = tuple(
        leg._replace(dx=-leg.dx, dy=-leg.dy, middle=tuple(-n for n in leg.middle))  # type: ignore[arg-type]
        for leg in move.legs
    )
    return move._replace(dx=-move.dx, dy=-move.dy, path=path, legs=legs)


class Pieces:
    """The moves of a game's pieces on an empty board, computed once."""

    def __init__(self, game: Definition) -> None:
        self.game = game
        self.kinds = {kind.sign: kind for kind in game.kinds()}
        self._moves: dict[tuple[str, int], list[tuple[Move, Move, Region | None]]] = {}
        self._far: dict[tuple[Square, str, int], frozenset[Square] | None] = {}

    def moves(self, letter: str, side: int) -> list[tuple[Move, Move, Region | None]]:
        """Return (move as its side sees it, move on the board, start squares) of a piece's moves.

        None stands for all squares.
        """
        found = self._moves.get((letter, side))
        if found is None:
            own = self._own_moves(letter, side)
            found = [(seen, opposite(seen) if side else seen, start) for seen, start in own]
            self._moves[letter, side] = found
        return found

    def _own_moves(self, letter: str, side: int) -> Iterator[tuple[Move, Region | None]]:
        game, rules = self.game, self.game.rules
        first = rules.soldier_promotion_rank - 1
        over = range(first, game.ranks) if side == 0 else range(game.ranks - first)
        beyond = frozenset(at for at in game.on_board() if at[1] in over)
        moves = game.pieces[letter].moves
        for move in moves:
            start = rules.double_step_region[side] if move.initial else None
            if start is not None and move.late:
                start = frozenset((x, y + (1 if side == 0 else -1)) for x, y in start)
            if letter == game.soldier and move.dx:
                start = beyond if start is None else start & beyond
            yield move, start
        if letter == game.pawn and not any(move.initial for move in moves):
            step = Move(0, 2, 1, quiet=True, capture=False, initial=True, path=((0, 1),))
            yield step, rules.double_step_region[side]
            leap = step._replace(dy=3, path=((0, 1), (0, 2)))
            yield leap, rules.triple_step_region[side]

    def far(self, at: Square, letter: str, side: int) -> frozenset[Square] | None:
        """Return all squares that a piece may ever attack from a square; None if unknown."""
        key = at, letter, side
        if key not in self._far:
            moves = self.moves(letter, side)
            on_lines = at in self.game.rules.diagonal_lines[side]
            if on_lines or any(move.legs for move, _, _ in moves):
                self._far[key] = None
            else:
                self._far[key] = frozenset(
                    (at[0] + step * move.dx, at[1] + step * move.dy)
                    for seen, move, _ in moves
                    for step in range(1, move.steps + 1)
                    if seen.capture
                )
        return self._far[key]


class _Same:
    """A definition that is equal to itself alone, as a key."""

    def __init__(self, game: Definition) -> None:
        self.game = game

    def __hash__(self) -> int:
        return id(self.game)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.game is other.game


@lru_cache(maxsize=32)
def _pieces_of(same: _Same) -> Pieces:
    return Pieces(same.game)


class Board:
    """A position of the reference rules without the list of legal moves."""

    def __init__(
        self, game: Definition, data: PositionData, before: Board | None = None,
        action: Action | None = None, pieces: Pieces | None = None,
    ) -> None:  # fmt: skip
        self.game, self.data = game, data
        self.before, self.action = before, action
        self.captured = False
        self.pieces: Pieces = pieces or (
            _pieces_of(_Same(game)) if before is None else before.pieces
        )

    def legal_moves(self) -> Mapping[str, Board]:
        """Return the positions after every legal move."""
        raise NotImplementedError

    def made(self, action: Action) -> Board:
        """Return the position after a move."""
        raise NotImplementedError

    def piece_actions(self, at: Square) -> Iterator[Action]:
        """Yield the pseudo-legal moves of the piece on a square."""
        raise NotImplementedError

    # ---- pieces ------------------------------------------------------------------------------

    def letter(self, sign: str) -> str:
        """Return the letter of the piece that a sign (``+P``, ``q~``) moves as."""
        return self.pieces.kinds[sign.upper()].moves_as

    def own(self, side: int) -> list[Square]:
        return [at for at, sign in self.data.board.items() if owner(sign) == side]

    def inside(self, at: Square) -> bool:
        return 0 <= at[0] < self.game.files and 0 <= at[1] < self.game.ranks

    def king(self, side: int) -> Square | None:
        royal = self.game.royal
        for at in self.own(side):
            if royal and self.letter(self.data.board[at]) == royal:
                return at
        return None

    def count(self, side: int, letter: str) -> int:
        return sum(self.letter(self.data.board[at]) == letter for at in self.own(side))

    def path(self, move: Move, at: Square) -> Iterator[Square]:
        """Yield the squares on which a move may end, until a piece blocks it."""
        board = self.data.board
        if move.path:
            blocked = [(at[0] + x, at[1] + y) in board for x, y in move.path]
            if any(blocked) != move.jump:
                return
        hurdles = 0
        for step in range(1, move.steps + 1):
            to = (at[0] + step * move.dx, at[1] + step * move.dy)
            if not self.inside(to) or not self.game.together(at, to):
                return
            if not move.hop:
                yield to
                if to in board:
                    return
            elif hurdles:
                yield to
                if to in board or move.hop == "g":
                    return
            elif to in board:
                hurdles = 1
                if self.is_cannon(at) and self.is_cannon(to):
                    return

    def is_cannon(self, at: Square) -> bool:
        sign = self.data.board.get(at, WALL)
        return sign != WALL and self.letter(sign) in self.game.cannons

    def _along_lines(self, letter: str) -> Iterator[Move]:
        """Yield the moves that a piece has along the lines of a palace."""
        text = self.game.betza[letter]
        reach = {"W": 1, "R": 15, "pR": 15}.get(text, 0)
        for x in (1, -1):
            if letter == self.game.soldier:
                yield Move(x, 1, 1, quiet=True, capture=True)
            elif reach:
                hop = "p" if text == "pR" else ""
                for y in (1, -1):
                    yield Move(x, y, reach, quiet=True, capture=True, hop=hop)

    def reach(self, at: Square) -> Iterator[tuple[Square, Move]]:
        """Yield targets of the piece on a square with the move that leads there."""
        sign = self.data.board[at]
        side, letter, rules = owner(sign), self.letter(sign), self.game.rules
        area = rules.mobility_region.get(letter)
        lines = rules.diagonal_lines[side]
        moves: list[tuple[Move, Move, Region | None, Region | None]] = [
            (*move, None) for move in self.pieces.moves(letter, side)
        ]
        if at in lines:
            along = self._along_lines(letter)
            moves += [(move, opposite(move) if side else move, None, lines) for move in along]
        for seen, move, start, end in moves:
            if seen.legs or (start is not None and at not in start):
                continue
            for to in self.path(move, at):
                if (area is None or to in area[side]) and (end is None or to in end):
                    yield to, seen

    # ---- moves of several legs ---------------------------------------------------------------

    def by_legs(self, at: Square) -> Iterator[tuple[Square, Square | None, Move]]:
        """Yield (target, square captured on the way or None, move) of moves of several legs."""
        side, letter = owner(self.data.board[at]), self.letter(self.data.board[at])
        area = self.game.rules.mobility_region.get(letter)
        for seen, move, start in self.pieces.moves(letter, side):
            if not seen.legs or (start is not None and at not in start):
                continue
            for to, victim in self._walk(move, 0, at, at, None):
                spared = [square for square in (to, victim) if self._is_spared(square, at, move)]
                if not spared and (area is None or to in area[side]):
                    yield to, victim, seen

    def _is_spared(self, square: Square | None, at: Square, move: Move) -> bool:
        sign = WALL if square is None or square == at else self.data.board.get(square, WALL)
        if sign == WALL or self.letter(sign) != self.game.royal:
            return False
        return move.tame or owner(sign) == owner(self.data.board[at])

    def _walk(
        self, move: Move, number: int, at: Square, home: Square, victim: Square | None
    ) -> Iterator[tuple[Square, Square | None]]:
        """Yield where the legs from one on lead, and what was captured before the last."""
        leg, board = move.legs[number], self.data.board
        here = at
        for step in range(leg.steps):
            file, rank = here[0] + leg.dx, here[1] + leg.dy
            middle = (here[0] + leg.middle[0], here[1] + leg.middle[1])
            here = (file % self.game.files, rank) if move.wraps else (file, rank)
            if not self.inside(here):
                return
            if leg.middle != (0, 0) and (middle in board) != leg.jump:
                return
            if step < leg.skip:
                continue
            there = None if here == home else board.get(here)
            if there == WALL or (move.wraps and here == home):
                return
            own = there is not None and owner(there) == owner(board[home])
            takes = there is not None and ("d" if own else "c") in leg.enter
            passes = ("m" if there is None else "o" if own else "p") in leg.enter
            if number == len(move.legs) - 1:
                if takes or passes:
                    yield here, victim
            elif takes or passes:
                yield from self._walk(move, number + 1, here, home, here if takes else victim)
            if there is not None:
                return

    def attackers(self, at: Square, by: int) -> Iterator[Square]:
        """Yield the squares from which a side attacks a square that a piece stands on."""
        cannon = self.is_cannon(at)
        for origin in self.own(by):
            far = self.pieces.far(origin, self.letter(self.data.board[origin]), by)
            if (far is not None and at not in far) or (cannon and self.is_cannon(origin)):
                continue
            by_reach = (to == at and move.capture for to, move in self.reach(origin))
            by_legs = (
                not move.tame and at in (to, victim) for to, victim, move in self.by_legs(origin)
            )
            if any(by_reach) or any(by_legs):
                yield origin

    def attacked(self, at: Square, by: int) -> bool:
        """Return whether a side attacks a square that a piece stands on."""
        return any(True for _ in self.attackers(at, by))

    def in_check(self, side: int) -> bool:
        """Return whether a side's king is attacked."""
        king = self.king(side)
        return king is not None and self.attacked(king, 1 - side)

    def on(self, board: Mapping[Square, str]) -> Board:
        """Return a copy of the position with another board."""
        return Board(self.game, replace(self.data, board=dict(board)), pieces=self.pieces)

    def row(self, at: Square, step: Square, *, through_walls: bool = False) -> list[Square]:
        """Return the enemies in a row from a square up to an own piece; [] if there is none.

        Walls end it, unless it goes ``through_walls``; then they belong to it.
        """
        found: list[Square] = []
        to = (at[0] + step[0], at[1] + step[1])
        while self.inside(to) and to in self.data.board:
            side = owner(self.data.board[to])
            if side == self.data.side:
                return found
            if side == 2 and not through_walls:
                return []
            found.append(to)
            to = (to[0] + step[0], to[1] + step[1])
        return []

    def drop_region(self, letter: str) -> frozenset[Square]:
        rules, side = self.game.rules, self.data.side
        area = rules.drop_region[side]
        if letter in rules.mobility_region:
            area &= rules.mobility_region[letter][side]
        if letter == self.game.pawn:
            if not rules.promotion_zone_pawn_drops:
                area -= rules.promotion_region[side]
            if not rules.first_rank_pawn_drops:
                first = 0 if side == 0 else self.game.ranks - 1
                area = frozenset(at for at in area if at[1] != first)
        if rules.sittuyin_rook_drop and self.game.betza[letter] == "R":
            first = 0 if side == 0 else self.game.ranks - 1
            area = frozenset(at for at in area if at[1] == first)
        if letter in rules.drop_no_doubled[side]:
            sign = letter if side == 0 else letter.lower()
            files = [at[0] for at, other in self.data.board.items() if other == sign]
            area = frozenset(at for at in area if files.count(at[0]) < rules.drop_no_doubled_count)
        return area

    def is_later_move(self) -> bool:
        """Return whether the next move is not the first of its turn."""
        data, game = self.data, self.game
        length = game.turn_length(data.side, data.number)
        return game.has_long_turns() and data.moves_left < length

    def marked_piece(self, mark: Square) -> Square:
        """Return the square of the own piece that an earlier move of the turn left a mark for."""
        beside = [at for at in self.data.en_passant if at in self.data.board]
        if beside and not self.game.has_many_marks():
            return beside[0]
        step, at = (1 if self.data.side == 0 else -1), mark
        while self.inside(at) and at not in self.data.board:
            at = (at[0], at[1] + step)
        return at

    def victim(self, target: Square) -> Square:
        """Return the square of the piece that can be taken en passant on a square."""
        for at in self.data.en_passant:
            if at in self.data.board:
                return at
        step = -1 if self.data.side == 0 else 1
        for file, rank in (target, *self.data.en_passant):
            at = (file, rank)
            while self.inside(at):
                if at in self.data.board:
                    return at
                at = (at[0], at[1] + step)
        raise ValueError("nothing can be taken en passant")
