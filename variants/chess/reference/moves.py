"""Making a move in the reference rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from variants.chess.definition.definition import Move, Square
from variants.chess.notation.text import PositionData
from variants.chess.reference.board import NEIGHBOURS, WALL, Action, Board, opposite, owner
from variants.chess.reference.counting import counted_after


class Maker:
    """A move that is being made: the parts of the position that change."""

    def __init__(self, old: Board, action: Action) -> None:
        self.old, self.action = old, action
        self.game, self.rules = old.game, old.game.rules
        data = old.data
        self.side = data.side
        self.board = dict(data.board)
        self.hands = dict(data.hands)
        self.castling, self.gates = data.castling, set(data.gates)
        self.clock = data.clock + 1
        self.captured = False

    def hold(self, sign: str, change: int) -> None:
        self.hands[sign] = self.hands.get(sign, 0) + change

    def leave(self, squares: Iterable[Square]) -> None:
        """Remove the castling and gating rights of squares that were left or captured on."""
        gone = set(squares)
        lost = {way.right for way in self.game.ways if gone & {way.king_from, way.rook_from}}
        self.castling = "".join(right for right in self.castling if right not in lost)
        self.gates -= gone

    def capture(self, at: Square) -> None:
        sign = self.board.pop(at)
        kind = self.old.pieces.kinds[sign.upper()]
        if self.rules.captures_to_hand and not self.rules.free_drops and kind.held_as:
            self.hold(kind.held_as.lower() if owner(sign) == 0 else kind.held_as, 1)
        self.clock = 0

    def data(self) -> PositionData:
        """Return the position after the move; the remaining checks are not updated yet."""
        action, data = self.action, self.old.data
        en_passant: frozenset[Square] = frozenset()
        if action.kind == "drop":
            self._drop()
        elif action.kind == "castle":
            self._castle()
        elif action.kind != "pass":
            self._move()
            en_passant = self._marks()
        if self.rules.flip_enclosed_pieces != "none" and action.kind != "pass":
            self._flip()
        self._beside()
        left = data.moves_left - 1 if self.game.has_long_turns() else 0
        if left > 0 and self.rules.check_ends_turn and self._gives_check():
            left = 0
        if self.old.is_later_move():
            en_passant |= self._earlier_marks()
        side = self.side if left > 0 else 1 - self.side
        number = data.number + (self.side if side != self.side else 0)
        if left <= 0 and self.game.has_long_turns():
            left = self.game.turn_length(side, number)
        after = replace(
            data, board=self.board, hands=self.hands, side=side, castling=self.castling,
            gates=frozenset(self.gates), en_passant=en_passant, clock=self.clock, moves_left=left,
            number=number, lion=self._lion(),
        )  # fmt: skip
        after.counted, after.count_limit = counted_after(self.old, after)
        return after

    def _lion(self) -> Square | None:
        """Return where a piece that is no lion has captured one, at last if it captured two."""
        action, lions = self.action, self.rules.lion_types
        if action.kind in ("drop", "castle", "pass"):
            return None
        old = self.old.data.board
        if self.old.letter(old[action.origin]) in lions[self.side]:
            return None
        for at in (action.target, action.victim):
            sign = old.get(at, WALL) if at not in (None, action.origin) else WALL
            if owner(sign) == 1 - self.side and self.old.letter(sign) in lions[1 - self.side]:
                return at
        return None

    def _earlier_marks(self) -> frozenset[Square]:
        """Return the marks of the turn's earlier moves, but for those of a piece that moves on and
        those on squares that one comes to."""
        action, marks = self.action, self.old.data.en_passant
        own = {at for at in marks if self.old.marked_piece(at) == action.origin}
        return marks - own - {action.target, action.origin}

    def _gives_check(self) -> bool:
        after = self.old.on(self.board)
        king = after.king(1 - self.side)
        return king is not None and after.attacked(king, self.side)

    def count_check(self, after: Board) -> None:
        """Count a check that the move has given."""
        king = after.king(1 - self.side)
        if self.rules.check_counting and king is not None and after.attacked(king, self.side):
            checks = list(after.data.checks)
            checks[self.side] = max(checks[self.side] - 1, 0)
            after.data.checks = (checks[0], checks[1])

    def _drop(self) -> None:
        action = self.action
        if not self.rules.free_drops:
            self.hold(action.sign.strip("+"), -1)
        self.board[action.target] = action.sign
        self.clock = 0
        if self.rules.castling_dropped_piece:
            for way in self.game.ways:
                if action.target in (way.king_from, way.rook_from):
                    self._gain(way.right, way.king_from, way.rook_from)

    def _gain(self, right: str, king: Square, rook: Square) -> None:
        own = [self.board.get(at, WALL) for at in (king, rook)]
        if right.islower() != bool(self.side) or any(owner(sign) != self.side for sign in own):
            return
        partners = self.rules.castling_rook_pieces[self.side]
        if own[0].upper() == self.game.royal and own[1].upper() in partners:
            self.castling = "".join(r for r in "KQkq" if r in self.castling or r == right)

    def _castle(self) -> None:
        way = self.action.way
        assert way is not None
        king, rook = self.board.pop(way.king_from), self.board.pop(way.rook_from)
        self.board[self._landing(way.king_to)], self.board[self._landing(way.rook_to)] = king, rook
        if self.rules.opposite_castling:
            kingside = way.king_to[0] > way.king_from[0]
            lost = ("k" if kingside else "q") if self.side == 0 else ("K" if kingside else "Q")
            self.castling = self.castling.replace(lost, "")
        self.leave((way.king_from, way.rook_from))

    def _landing(self, at: Square) -> Square:
        """Return where a piece is after a move to a square: on the other of two boards."""
        return self.game.other_board(at) if self.rules.alice_boards else at

    def _move(self) -> None:
        action = self.action
        if action.kind == "en passant":
            victim = self.old.victim(action.target)
            self.capture(victim)
            self.captured = True
            self.leave((victim,))
        taken = [action.victim, action.target] if action.kind != "en passant" else []
        for at in taken:
            if at is not None and at != action.origin and at in self.board:
                self._take(at)
        sign = self.board.pop(action.origin)
        self.board[self._landing(action.target)] = action.sign
        self.leave((action.origin, action.target))
        letter = self.old.letter(sign)
        if action.kind == "promotion" or (
            action.kind == "becomes" and not self.rules.piece_demotion
        ):
            self.clock = 0
        back = any(m.quiet and m.dy < 0 and not m.initial for m in self.game.pieces[letter].moves)
        if letter in self.rules.n_move_rule_types[self.side] and not back:
            if action.origin[1] != action.target[1]:
                self.clock = 0

    def _take(self, at: Square) -> None:
        """Capture a piece; one's own goes into no hand."""
        if owner(self.board[at]) == self.side:
            del self.board[at]
            self.clock = 0
        else:
            self.capture(at)
        self.captured = True
        self.leave((at,))

    def _marks(self) -> frozenset[Square]:
        """Return where the piece that has just moved can be taken en passant, and its own square
        if that is not straight after it."""
        action = self.action
        if action.kind != "move" or self.captured:
            return frozenset()
        at, to = action.origin, action.target
        letter = self.old.letter(self.old.data.board[at])
        for move in self._moves(letter, initial=False):
            steps = [(at[0] + n * move.dx, at[1] + n * move.dy) for n in range(1, move.steps + 1)]
            if move.quiet and to in steps:
                return frozenset()
        squares: set[Square] = set()
        for _, move, start in self.old.pieces.moves(letter, self.side):
            if not move.passes or (start is not None and at not in start):
                continue
            if move.path and (at[0] + move.dx, at[1] + move.dy) == to:
                squares |= {(at[0] + x, at[1] + y) for x, y in move.path}
            elif not move.path:
                line = [(at[0] + n * move.dx, at[1] + n * move.dy) for n in range(1, 16)]
                if to in line[: move.steps]:
                    squares |= set(line[: line.index(to)])
        squares &= self.rules.en_passant_region[1 - self.side]
        if any(square[0] != to[0] for square in squares):
            squares.add(to)
        return frozenset(squares)

    def _moves(self, letter: str, *, initial: bool) -> list[Move]:
        """Return a piece's moves as they go on the board."""
        moves = [m for m in self.game.pieces[letter].moves if m.initial == initial and not m.legs]
        return [opposite(m) for m in moves] if self.side else moves

    def _flip(self) -> None:
        target, other = self.action.target, 1 - self.side
        near = [(target[0] + x, target[1] + y) for x, y in NEIGHBOURS]
        flipped: set[Square] = set()
        if self.rules.flip_enclosed_pieces == "reversi":
            for step in NEIGHBOURS:
                flipped |= set(self.old.on(self.board).row(target, step))
        else:
            friends = any(owner(self.board.get(at, WALL)) == self.side for at in near)
            always = self.rules.flip_enclosed_pieces == "ataxx" or self.action.kind == "move"
            if always or friends:
                flipped = {at for at in near if owner(self.board.get(at, WALL)) == other}
        for at in flipped:
            self.board[at] = self.board[at].swapcase()

    def _beside(self) -> None:
        """Apply the move's further effects: gate, blast, petrify, wall."""
        action, rules = self.action, self.rules
        if action.gate:
            self.hold(action.gate, -1)
            self.board[action.gate_at] = action.gate
        if rules.seirawan_gating and not rules.captures_to_hand:
            held = [s for s, n in self.hands.items() if n and owner(s) == self.side]
            if not held:
                self.gates = {at for at in self.gates if owner(self.board[at]) != self.side}
        if action.wall is not None and rules.walling_rule == "duck":
            for at in [at for at, sign in self.board.items() if sign == WALL]:
                del self.board[at]
        if self.captured and (rules.blast_on_capture or rules.makes_stones()):
            self._after_capture(action.target)
        if action.wall is not None:
            self.board[action.wall] = WALL
        if rules.cambodian_moves:
            self._end_leap()

    def _end_leap(self) -> None:
        """End the right of the enemy's king to leap if a rook has come to its file or rank."""
        target, king = self.action.target, self.old.king(1 - self.side)
        letter = self.old.letter(self.board.get(target, WALL)) if target in self.board else ""
        if king is not None and self.game.betza.get(letter) == "R":
            if king[0] == target[0] or king[1] == target[1]:
                self.gates.discard(king)

    def _after_capture(self, target: Square) -> None:
        rules = self.rules
        stones = rules.petrify_on_capture_types[self.side]
        petrifies = self.old.letter(self.board[target]) in stones
        if rules.blast_on_capture:
            near = [(target[0] + x, target[1] + y) for x, y in NEIGHBOURS]
            for at in [target, *near]:
                sign = self.board.get(at, WALL)
                if sign == WALL:
                    continue
                letter = self.old.letter(sign)
                immune = letter in rules.blast_immune_types[0]
                if not immune and (at == target or letter != self.game.pawn):
                    self.capture(at)
                    self.leave((at,))
                    if rules.petrify_blast_pieces and at != target:
                        self.board[at] = WALL
        elif self.old.letter(self.old.data.board[self.action.origin]) in stones:  # unpromoted
            self.capture(target)
        if petrifies and target not in self.board:
            self.board[target] = WALL
