"""Results in the reference rules."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from variants.chess.notation.text import format_text
from variants.chess.reference.bare_kings import bared
from variants.chess.reference.board import Board
from variants.chess.reference.dead import is_dead
from variants.chess.reference.legality import Legality
from variants.chess.reference.repeating import (
    goes_back_and_forth,
    perpetual_attacks,
    perpetual_chases,
    perpetual_checks,
    uncounted_plies,
)

_OPPOSITE = {"win": "loss", "loss": "win", "draw": "draw"}
_JANGGI = {"R": 13, "pR": 7, "nN": 5, "nZ": 3, "W": 3}


class Judge(Legality):
    """Results of a position by the rules, for the side to move."""

    #: Why a repetition is a win or a loss, where a rule about the moves says so.
    repeats = ""

    def ended(self) -> str | None:
        """Return the result if a rule has ended the game: win, loss or draw; else None."""
        position, rules, side = self.position, self.rules, self.side
        if rules.extinction_value != "none":
            if not rules.extinction_pseudo_royal or rules.blast_on_capture:
                for loser in (1 - side, side):
                    if self._extinct(loser):
                        value = rules.extinction_value
                        return value if loser == side else _OPPOSITE[value]
        if rules.bare_king_rule:
            by_kings = bared(self.position)
            if by_kings is not None:
                return by_kings
        if any(rules.flag_region):
            by_flag = self._flags()
            if by_flag is not None:
                return by_flag
        if rules.castling_wins:
            by_castling = self._castled()
            if by_castling is not None:
                return by_castling
        if rules.check_counting and position.data.checks[1 - side] == 0:
            return "loss"
        if self._connected(1 - side):
            return _OPPOSITE[rules.connect_value]
        if self._is_over():
            return "draw" if rules.material_counting == "none" else self.material()
        return None

    def _extinct(self, side: int) -> bool:
        position, rules = self.position, self.rules
        types = rules.extinction_piece_types[side]
        claimed = int(rules.extinction_claim and side == self.side)

        def number(of: int, letters: Collection[str]) -> int:
            signs = [letter if of == 0 else letter.lower() for letter in letters]
            held = sum(position.data.hands.get(sign, 0) for sign in signs)
            return held + sum(position.count(of, letter) for letter in letters)

        groups: list[Collection[str]] = [self.game.pieces] if "*" in types else list(types)
        return any(
            number(side, group) <= rules.extinction_piece_count
            and number(1 - side, group) >= rules.extinction_opponent_piece_count + claimed
            for group in groups
        )

    def _flag_reached(self, side: int) -> bool:
        position, rules = self.position, self.rules
        region, board = rules.flag_region[side], position.data.board
        there = [
            at for at in position.own(side)
            if at in region and position.letter(board[at]) in rules.flag_piece[side]
        ]  # fmt: skip
        if not there:
            return False
        if len(there) < rules.flag_piece_count:
            if not rules.flag_piece_blocked_win or region - board.keys():
                return False
        looks = rules.flag_piece_safe and (not rules.flag_move or side == 1 - self.side)
        if looks and len(there) <= rules.flag_piece_count:
            return not any(position.attacked(at, 1 - side) for at in there)
        return True

    def _flags(self) -> str | None:
        rules, side = self.rules, self.side
        royal = bool(self.game.royal) and rules.flag_piece[0] == {self.game.royal}
        extra = rules.flag_move or rules.flag_piece_safe
        if extra and self._flag_reached(side):
            both = (rules.flag_move and side == 0 and royal) or not rules.flag_move
            return "draw" if both and self._flag_reached(1 - side) else "win"
        if not rules.flag_move or rules.flag_piece_safe or royal:
            if self._flag_reached(1 - side):
                if rules.flag_move and royal and side == 1 and self._king_can_draw():
                    return None
                return "loss"
        return None

    def _castled(self) -> str | None:
        """Return the result where castling wins, and losing the rights to it loses."""
        position, side = self.position, self.side
        action = position.action
        if action is not None and action.way is not None:
            if action.way.right in self.rules.castling_wins:
                return "loss"
        for of in (1 - side, side):
            wanted = {right for right in self.rules.castling_wins if right.islower() == bool(of)}
            if wanted and not wanted & set(position.data.castling):
                return "loss" if of == side else "win"
        return None

    def _king_can_draw(self) -> bool:
        position = self.position
        king = position.king(1)
        if king is None or position.in_check(1):
            return False
        return any(
            action.target in self.rules.flag_region[1] and self.is_legal(action)
            for action in position.piece_actions(king)
        )

    def _connected(self, side: int) -> bool:
        position, rules = self.position, self.rules
        types, board = rules.connect_piece_types[side], position.data.board
        own = {at for at in position.own(side) if position.letter(board[at]) in types}
        steps = [(1, 0)] * rules.connect_horizontal + [(0, 1)] * rules.connect_vertical
        steps += [(1, 1), (1, -1)] * rules.connect_diagonal
        for at in own:
            for x, y in steps:
                line = [(at[0] + n * x, at[1] + n * y) for n in range(16)]
                if rules.connect_n and all(to in own for to in line[: rules.connect_n]):
                    return True
                if rules.collinear_n and sum(to in own for to in line) >= rules.collinear_n:
                    return True
            size = rules.connect_nxn
            block = [(at[0] + i, at[1] + j) for i in range(size) for j in range(size)]
            if size and all(to in own for to in block):
                return True
        first, last = rules.connect_region1[side], rules.connect_region2[side]
        found, new = set(own & first), list(own & first)
        both = [*steps, *((-x, -y) for x, y in steps)]
        moved = False
        while first and last and new:
            at = new.pop()
            if at in last and moved:
                return True
            moved = True
            for x, y in both:
                to = (at[0] + x, at[1] + y)
                if to in own and to not in found:
                    found.add(to)
                    new.append(to)
        return False

    def _is_over(self) -> bool:
        position, rules = self.position, self.rules
        before = position.before
        if before is not None and position.action is not None:
            if rules.bikjang_rule and self.faces(position) and self.faces(before):
                return True
            passed = position.action.kind == "pass" and before.action is not None
            if passed and before.action is not None and before.action.kind == "pass":
                if not rules.wall_or_move:
                    return True
        board = position.data.board
        return rules.adjudicate_full_board and all(at in board for at in self.game.on_board())

    def material(self) -> str:
        """Return the result by material."""
        position, rule = self.position, self.rules.material_counting
        white = 1 if rule == "whitedrawodds" else -1
        if rule == "unweighted":
            white = len(position.own(0)) - len(position.own(1))
            if white == 0:
                return "draw"
        elif rule == "janggi":
            white = -1
            for letter, text in self.game.betza.items():
                points = 2 if letter == self.game.soldier else _JANGGI.get(text, 0)
                white += points * (position.count(0, letter) - position.count(1, letter))
        return "win" if (white > 0) == (self.side == 0) else "loss"

    def _without_moves(self) -> str:
        """Return the result of a side that cannot move: checkmate or stalemate."""
        position, rules, side = self.position, self.rules, self.side
        if self.in_check():
            if rules.shatar_mate_rule:
                return self._mate_in_shatar()
            return "win" if self._mated_by_pawn_drop() else rules.checkmate_value
        value = rules.stalemate_value
        if rules.stalemate_piece_count:
            difference = len(position.own(side)) - len(position.own(1 - side))
            value = "draw" if difference == 0 else value if difference < 0 else _OPPOSITE[value]
        if value == "draw" and rules.material_counting != "none":
            value = self.material()
        return value

    def _mate_in_shatar(self) -> str:
        """Return the result of a mate: by the pieces that gave the checks one after the other."""
        at: Board | None = self.position
        checkers = self._checkers(self.position)
        if checkers <= {"N"}:
            return "win"
        while at is not None and (checkers := self._checkers(at)):
            if checkers & {"N", "R", "RF"}:
                return self.rules.checkmate_value
            at = None if at.before is None else at.before.before
        return "draw"

    def _checkers(self, position: Board) -> set[str]:
        """Return the moves of the pieces that give check to the side to move, as texts."""
        king, board = position.king(self.side), position.data.board
        by = [] if king is None else position.attackers(king, 1 - self.side)
        return {self.game.betza[position.letter(board[at])] for at in by}

    def _need_not_promote(self) -> bool:
        """Return whether a side with a king and a pawn has moves, and all are promotions."""
        position, pawns = self.position, self.rules.promotion_pawn_types[self.side]
        own = [position.letter(position.data.board[at]) for at in position.own(self.side)]
        if len(own) != 2 or not pawns & set(own) or self.in_check():
            return False
        moves = position.legal_moves().values()
        actions = [after.action for after in moves]
        return bool(actions) and all(a is not None and a.kind == "promotion" for a in actions)

    def _mated_by_pawn_drop(self) -> bool:
        """Return whether the drop of a pawn mates where that is forbidden."""
        position, side = self.position, self.side
        if not self.rules.shogi_pawn_drop_mate_illegal:
            return False
        if position.action is None or position.action.kind != "drop":
            return False
        king, pawns = position.king(side), self.game.shogi_pawns()
        checkers = [] if king is None else list(position.attackers(king, 1 - side))
        board = position.data.board
        return bool(checkers) and all(position.letter(board[at]) in pawns for at in checkers)

    def _repeated(self) -> str | None:
        """Return the result by repetition, None if the game goes on."""
        rules, times = self.rules, 1
        if not rules.n_fold_rule:
            return None
        limit = rules.n_fold_limit or rules.n_fold_rule
        now = self.position
        if rules.move_repetition_illegal and goes_back_and_forth(now):
            self.repeats = "repeated moves"
            return "win"
        wanted, at, back = _core(now), now, 0
        while at.before is not None and (rules.captures_to_hand or at.data.clock > 0):
            at, back = at.before, back + 1
            if (back % 2 == 0 or self.game.has_long_turns()) and back >= 4 and _core(at) == wanted:
                times += 1
                if times >= limit:
                    return self._fold_value(back)
        return None

    def _fold_value(self, back: int) -> str:
        rules, now = self.rules, self.position
        found = {
            "perpetual check": perpetual_checks(now, back),
            "perpetual chase": perpetual_chases(now, back),
            "perpetual attack": perpetual_attacks(now, back),
        }
        for reason, faults in found.items():
            if faults[0] != faults[1]:
                self.repeats = reason
                return "win" if faults[0] else "loss"
            if faults[0]:
                break
        value = rules.n_fold_value
        if rules.n_fold_value_absolute and self.side == 1:
            value = _OPPOSITE[value]
        if value == "draw" and rules.material_counting != "none":
            value = self.material()
        return value

    def _reason(self, value: str) -> str:
        """Return why the game is over although there may be moves."""
        rules, data = self.rules, self.position.data
        gone = self._extinct(0) or self._extinct(1)
        draws = value == "draw" and not (rules.extinction_value == "draw" and gone)
        reasons = {
            "bare king": rules.bare_king_rule and not gone and bared(self.position) is not None,
            "checks given": rules.check_counting and data.checks[1 - self.side] == 0,
            "castling decides": rules.castling_wins and value != "draw",
            "counting rule": value == "draw" and self._is_counted_out(),
            f"{self._move_limit()}-move rule": value == "draw" and self._move_rule(),
            "goal reached": any(rules.flag_region) and value != "draw",
            "no pieces left of a kind": rules.extinction_value != "none"
            and not (draws or (rules.bare_king_rule and not gone)),
            "row completed": value != "draw"
            and (rules.connect_n or rules.connect_nxn or rules.collinear_n),
        }
        if rules.n_fold_rule and self._plies() >= 4:
            times = rules.n_fold_limit or rules.n_fold_rule
            reasons[self.repeats] = bool(self.repeats)
            names = {2: "twofold", 3: "threefold", 4: "fourfold", 5: "fivefold"}
            reasons[f"{names.get(times, f'{times}-fold')} repetition"] = True
        return next((reason for reason, holds in reasons.items() if holds), "normal")

    def _plies(self) -> int:
        """Return how many moves led here from the position that was set up."""
        at, plies = self.position.before, 0
        while at is not None:
            at, plies = at.before, plies + 1
        return plies

    def _move_limit(self) -> int:
        return self.rules.n_move_limit or self.rules.n_move_rule

    def _move_rule(self) -> bool:
        clock, limit = self.position.data.clock, 2 * self._move_limit()
        if not self.rules.n_move_rule or clock < limit:
            return False
        return clock - uncounted_plies(self.position) >= limit

    def _is_counted_out(self) -> bool:
        data = self.position.data
        return 0 < data.count_limit < data.counted

    def result(self) -> tuple[str, str] | None:
        """Return (result, reason) of a finished game, else None."""
        value = self.ended()
        if value is None and is_dead(self.position):
            return "1/2-1/2", "dead position" if self.position.legal_moves() else "stalemate"
        if value is None and self.rules.sittuyin_promotion and self._need_not_promote():
            return "1/2-1/2", "stalemate"
        if value is None:
            value = self._repeated()
        if value is None and self._move_rule():
            if not self.in_check() or self.position.legal_moves():
                value = "draw" if self.rules.material_counting == "none" else self.material()
        if value is None and self._is_counted_out():
            if not self.in_check() or self.position.legal_moves():
                value = "draw"
        if value is not None:
            reason = self._reason(value)
        elif self.position.legal_moves():
            return None
        else:
            value = self._without_moves()
            reason = "checkmate" if self.in_check() else "stalemate"
        if value == "draw":
            return "1/2-1/2", reason
        return ("1-0" if (value == "win") == (self.side == 0) else "0-1"), reason


def _core(position: Board) -> str:
    """Return what makes two positions the same."""
    words = format_text(position.game, replace(position.data, count_limit=0)).split()
    return " ".join(words[:-2])
