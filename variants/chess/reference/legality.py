"""Legality in the reference rules: which pseudo-legal moves the rules allow."""

from __future__ import annotations

from variants.chess.definition.definition import Square, Way
from variants.chess.reference.board import WALL, Action, Board


def _touch(a: Square, b: Square) -> bool:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1


class Legality:
    """Tests the legality of the side to move's pseudo-legal moves."""

    def __init__(self, position: Board) -> None:
        self.position = position
        self.game, self.rules = position.game, position.game.rules
        self.side = position.data.side

    # ---- kings --------------------------------------------------------------------------------

    def faces(self, position: Board) -> bool:
        """Return whether the kings see each other along a file or rank."""
        white, black = position.king(0), position.king(1)
        if white is None or black is None:
            return False
        a, b = sorted([white, black])
        if a[0] == b[0]:
            between = {(a[0], rank) for rank in range(a[1] + 1, b[1])}
        elif a[1] == b[1]:
            between = {(file, a[1]) for file in range(a[0] + 1, b[0])}
        else:
            return False
        return not between & position.data.board.keys()

    def pseudo_royals(self, side: int) -> list[Square]:
        """Return the squares of a side's pseudo-royal pieces."""
        position, limit = self.position, self.rules.extinction_piece_count + 1
        types = self.rules.extinction_piece_types[side]
        return [
            at
            for at in position.own(side)
            if position.letter(position.data.board[at]) in types
            and position.count(side, position.letter(position.data.board[at])) <= limit
        ]

    def immune(self, at: Square) -> bool:
        """Return whether taking on a square would blast a pseudo-royal piece of the taker."""
        theirs = self.pseudo_royals(1 - self.side)
        return self.rules.blast_on_capture and any(_touch(at, other) for other in theirs)

    def _pseudo_royals_allow(self, action: Action, after: Board) -> bool:
        position, side = self.position, self.side
        own, theirs = self.pseudo_royals(side), self.pseudo_royals(1 - side)
        types = self.rules.extinction_piece_types[side]
        if action.way is not None and action.origin in own:
            step = 1 if action.target[0] > action.origin[0] else -1
            board = dict(position.data.board)
            king = board.pop(action.origin)
            for file in range(action.origin[0], action.target[0], step):
                at = (file, action.origin[1])
                tried = position.on({**board, at: king})
                if not self.immune(at) and tried.attacked(at, 1 - side):
                    return False
        new = position.letter(action.sign)
        if action.kind == "promotion" and new in types:
            if position.count(side, new) > self.rules.extinction_piece_count:
                board = position.data.board
                own = [at for at in own if position.letter(board[at]) != new]
            else:
                own = [*own, action.origin]
        if action.kind == "drop" and new in types:
            own = [*own, action.target]
        moved = action.kind != "drop"
        own = [action.target if moved and at == action.origin else at for at in own]
        alive = set(after.own(side))
        if any(at not in alive for at in own):
            return False
        if all(at in after.own(1 - side) for at in theirs):
            stone = self.rules.petrify_on_capture_types[1 - side]
            lost = stone & self.rules.extinction_piece_types[1 - side]  # if they took
            for at in own:
                takers = (after.letter(after.data.board[a]) for a in after.attackers(at, 1 - side))
                if not self.immune(at) and any(letter not in lost for letter in takers):
                    return False
        return not (self.rules.duple_check and self.all_attacked(after, side))

    def all_attacked(self, position: Board, side: int) -> bool:
        types = self.rules.extinction_piece_types[side]
        royal = [
            at for at in position.own(side) if position.letter(position.data.board[at]) in types
        ]
        return bool(royal) and all(
            not self.immune(at) and position.attacked(at, 1 - side) for at in royal
        )

    def in_check(self) -> bool:
        """Return whether the side to move is in check: its king or a pseudo-royal piece."""
        position, side = self.position, self.side
        if position.in_check(side):
            return True
        if not self.rules.extinction_pseudo_royal:
            return False
        own = self.pseudo_royals(side)
        if any(not self.immune(at) and position.attacked(at, 1 - side) for at in own):
            return True
        return self.rules.duple_check and self.all_attacked(position, side)

    # ---- legality -----------------------------------------------------------------------------

    def _way_is_safe(self, action: Action) -> bool:
        """Return whether castling leads no king out of, over or into a square that is attacked."""
        position, way = self.position, action.way
        assert way is not None
        if position.letter(action.sign) == self.game.royal and not self._crosses_safely(way):
            return False
        board = dict(position.data.board)
        king, rook = board.pop(way.king_from), board.pop(way.rook_from)
        board |= {way.king_to: king, way.rook_to: rook}
        after = position.on(board)
        if self.rules.flying_general and self.faces(after):
            return False
        return not after.in_check(self.side)

    def _crosses_safely(self, way: Way) -> bool:
        """Return whether a king is attacked neither where it stands nor on its way."""
        position, side = self.position, self.side
        if position.in_check(side):
            return False
        sign = position.data.board[way.king_from]
        step = 1 if way.king_to[0] > way.king_from[0] else -1
        for file in range(way.king_from[0] + step, way.king_to[0] + step, step):
            at = (file, way.king_from[1])
            # it stays on its own square while the others are looked at
            if position.on({**position.data.board, at: sign}).attacked(at, 1 - side):
                return False
            if self.rules.flying_general:
                board = dict(position.data.board)
                del board[way.king_from]
                board[at] = sign
                if self.faces(position.on(board)):
                    return False
        return True

    def _both_boards_allow(self, action: Action) -> bool:
        """Return whether a king is safe after a move on its own board, and after the passage."""
        position, side = self.position, self.side
        if action.way is not None and not self._crosses_safely(action.way):
            return False
        if action.way is None and action.origin == position.king(side):
            board = dict(position.data.board)
            board[action.target] = board.pop(action.origin)
            if position.on(board).in_check(side):
                return False
        return not position.made(action).in_check(side)

    def _kings_allow(self, action: Action) -> bool:
        position, side = self.position, self.side
        if self.rules.alice_boards:
            return self._both_boards_allow(action)
        if action.kind == "castle":
            return self._way_is_safe(action)
        board = dict(position.data.board)
        if action.kind == "en passant":
            board.pop(position.victim(action.target))
        if action.victim is not None and action.victim != action.origin:
            board.pop(action.victim)
        if action.kind != "drop":
            board.pop(action.origin)
        board[action.target] = position.data.board.get(action.origin, action.sign)
        if action.kind == "drop":
            board[action.target] = action.sign
        after = position.on(board)
        faced = self.rules.bikjang_rule and self.faces(position)
        if action.kind == "pass" and faced:
            return True
        if after.in_check(side):
            return False
        theirs = position.king(1 - side)
        gone = theirs is not None and theirs == action.target
        return not ((self.rules.flying_general or faced) and not gone and self.faces(after))

    def rules_allow(self, action: Action) -> bool:
        """Return whether the rules about single moves allow one."""
        position, rules, side = self.position, self.rules, self.side
        letter = position.letter(
            action.sign if action.kind == "drop" else position.data.board[action.origin]
        )
        if rules.immobility_illegal and action.kind in ("drop", "move"):
            new = position.letter(action.sign) if action.sign[0] != "+" else letter
            if not self.ever_moves(new, action.target):
                return False
        if rules.drop_opposite_colored_bishop and action.kind == "drop":
            if not self._bishops_fit(letter, action.target):
                return False
        there = position.data.board.get(action.target)
        captures = there is not None and action.kind in ("move", "becomes", "promotion")
        if captures and letter in rules.mutually_immune_types[side]:
            if position.letter(there or "") == letter:
                return False
        if any(rules.lion_types) and not self._lions_allow(action, letter):
            return False
        if rules.makpong_rule and letter == self.game.royal and position.in_check(side):
            checkers = [
                at for at in position.own(1 - side)
                if any(to == action.origin and m.capture for to, m in position.reach(at))
            ]  # fmt: skip
            return checkers == [action.target]
        return True

    def _lions_allow(self, action: Action, letter: str) -> bool:
        """Return whether the rules about trading lions allow a move of a piece."""
        position, rules, them = self.position, self.rules, 1 - self.side
        board, at, to = position.data.board, action.origin, action.target
        taken = {
            square: position.letter(board[square])
            for square in (action.victim, to)
            if square not in (None, at) and square in board
        }
        lions = {square for square in taken if taken[square] in rules.lion_types[them]}
        if letter not in rules.lion_types[self.side]:
            return position.data.lion is None or lions <= {position.data.lion}
        if to not in lions or max(abs(to[0] - at[0]), abs(to[1] - at[1])) < 2:
            return True
        way = [square for square in taken if square != to]
        if any(taken[square] not in rules.lion_bait_types[them] for square in way):
            return True
        # what was captured on the way still guards, as on Lishogi, but is in nobody's way
        if any(square in way for square in position.attackers(to, them)):
            return False
        after = {square: sign for square, sign in board.items() if square not in (at, *way)}
        return not position.on({**after, to: board[at]}).attacked(to, them)

    def ever_moves(self, letter: str, at: Square) -> bool:
        """Return whether a piece of the side has a move on an empty board."""
        forward = 1 if self.side == 0 else -1
        return any(
            move.quiet and not move.initial
            and self.position.inside((at[0] + forward * move.dx, at[1] + forward * move.dy))
            for move in self.game.pieces[letter].moves
        )  # fmt: skip

    def _bishops_fit(self, letter: str, target: Square) -> bool:
        position, side = self.position, self.side
        bishop = next((p for p, text in self.game.betza.items() if text == "B"), "")
        sign = bishop if side == 0 else bishop.lower()
        board = position.data.board
        number = position.count(side, bishop) + position.data.hands.get(sign, 0)
        dark = sum(target) % 2
        if letter == bishop:
            same = sum(s == sign and sum(at) % 2 == dark for at, s in board.items())
            return same + 1 <= (number + 1) // 2
        free = [
            at for at in position.drop_region(bishop) if at not in board and at != target
        ] + [at for at, s in board.items() if s == sign]  # fmt: skip
        return all(sum(sum(at) % 2 == c for at in free) >= number // 2 for c in (0, 1))

    def is_legal(self, action: Action) -> bool:
        rules, position = self.rules, self.position
        if not self.rules_allow(action) or not self._kings_allow(action):
            return False
        silent = not rules.checking or (not rules.drop_checks and action.kind == "drop")
        silent = silent or (rules.sittuyin_promotion and action.kind == "promotion")
        if silent and position.made(action).in_check(1 - self.side):
            return False
        if rules.extinction_pseudo_royal:
            after = position.made(action)
            if (
                rules.blast_on_capture and rules.makes_stones()
            ):  # the walls that it leaves shield nothing yet
                walls = {at for at, sign in position.data.board.items() if sign == WALL}
                board = after.data.board.items()
                after = after.on({at: s for at, s in board if s != WALL or at in walls})
            return self._pseudo_royals_allow(action, after)
        return True

    def filter(self, actions: list[Action]) -> list[Action]:
        """Return those of the pseudo-legal moves that are legal."""
        rules, side, position = self.rules, self.side, self.position
        legal = [action for action in actions if self.is_legal(action)]
        if rules.must_capture:
            legal = [a for a in legal if self._takes(a)] or legal
        if rules.must_drop:
            wanted = rules.must_drop_type[side]
            signs = [p if side == 0 else p.lower() for p in wanted]
            if any(position.data.hands.get(sign, 0) for sign in signs):
                legal = [a for a in legal if a.kind != "drop" or a.sign.strip("+") in signs]
                legal = [a for a in legal if a.kind == "drop"] or legal
        if rules.pass_on_stalemate[side]:
            legal = [a for a in legal if a.kind != "pass"] or legal
        return legal

    def _takes(self, action: Action) -> bool:
        if action.kind == "en passant":
            return True
        if action.victim is not None:
            return action.victim != action.origin or action.target != action.origin
        moves = action.kind in ("move", "becomes", "promotion")
        return moves and action.target in self.position.data.board
