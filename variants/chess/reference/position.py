"""The reference rules of chess-like games: slow and simple, with dictionaries and sets.

The kernels are checked against them. A move is made on a copy, and the copy is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from ryugi_engine.errors import GameError
from ryugi_engine.games.notation import square_name
from variants.chess.definition.definition import Definition, Square
from variants.chess.notation.text import PositionData, at_position, format_text, parse_text
from variants.chess.reference.board import NEIGHBOURS, WALL, Action, Board, opposite, owner
from variants.chess.reference.moves import Maker
from variants.chess.reference.results import Judge


class Reference(Board):
    """A position, see :class:`ryugi_engine.games.game.Reference`."""

    _legal: dict[str, Reference] | None = None

    @classmethod
    def parse(cls, game: Definition, text: str) -> Reference:
        """Return the position of a text; PositionError if it is wrong."""
        return cls.of(game, parse_text(game, text))

    @classmethod
    def of(cls, game: Definition, data: PositionData) -> Reference:
        """Return the position of parsed data."""
        position = cls(at_position(game, data), data)
        position.forget_void_en_passant()
        return position

    def text(self) -> str:
        return format_text(self.game, self.data)

    # ---- pseudo-legal moves -------------------------------------------------------------------

    def _arrivals(self, at: Square, to: Square, victim: Square | None = None) -> Iterator[Action]:
        """Yield a move with all promotions that it may have."""
        rules, side = self.game.rules, self.data.side
        sign = self.data.board[at]
        letter = self.letter(sign)
        capture = victim is not None or to in self.data.board
        into, out_of = to in rules.promotion_region[side], at in rules.promotion_region[side]
        stays = True
        if letter in rules.promotion_pawn_types[side] and into and not rules.sittuyin_promotion:
            stays = not rules.mandatory_pawn_promotion
            for piece in rules.promotion[side]:
                limit = rules.promotion_limit.get(piece, 0)
                if not limit or self.count(side, piece) < limit:
                    new = piece + "~" if piece + "~" in self.pieces.kinds else piece
                    new = new if side == 0 else new.lower()
                    yield Action("promotion", at, to, new, victim=victim)
        if (into or out_of) and self._may_turn(letter, at, to, capture):
            for becomes in self._becomes(sign):
                stays = stays and not rules.mandatory_piece_promotion
                yield Action("becomes", at, to, becomes, victim=victim)
        if stays:
            yield Action("move", at, to, sign, victim=victim)

    def _may_turn(self, letter: str, at: Square, to: Square, capture: bool) -> bool:
        """Return whether a piece that moves to or from where pieces promote may turn over."""
        rules, side = self.game.rules, self.data.side
        if rules.piece_promotion_on_entry and at in rules.promotion_region[side] and not capture:
            return to in rules.promotion_region[side] and not Judge(self).ever_moves(letter, to)
        return capture or not rules.piece_promotion_on_capture

    def _becomes(self, sign: str) -> Iterator[str]:
        """Yield the signs that a piece promotes to, or is demoted to."""
        rules, letter, side = self.game.rules, self.letter(sign), owner(sign)
        becomes = rules.promoted_piece_type.get(letter, "")
        limit = rules.promotion_limit.get(becomes, 0)
        if becomes and (not limit or self.count(side, becomes) < limit):
            yield "+" + (letter if side == 0 else letter.lower())
        if sign[0] == "+" and rules.piece_demotion:
            yield sign[1:]

    def piece_actions(self, at: Square) -> Iterator[Action]:
        board, side = self.data.board, self.data.side
        letter = self.letter(board[at])
        takers = self.game.rules.en_passant_types[side]
        for to, move in self.reach(at):
            there = board.get(to)
            if there is None:
                if move.quiet:
                    yield from self._arrivals(at, to)
                elif letter in takers and self.game.pieces[letter].takes_en_passant(move):
                    if self._may_take_en_passant(to):
                        yield Action("en passant", at, to, board[at])
            elif move.capture and owner(there) == 1 - side:
                if not (self.is_cannon(at) and self.is_cannon(to)):
                    yield from self._arrivals(at, to)
        for to, victim, _ in self.by_legs(at):
            if victim is None and to != at:
                yield from self._arrivals(at, to)
            elif victim is None:
                yield Action("move", at, at, board[at], victim=at)
            else:
                yield from self._arrivals(at, to, victim)

        if self.game.rules.cambodian_moves and at in self.data.gates:
            yield from self._first_leaps(at)

    def _first_leaps(self, at: Square) -> Iterator[Action]:
        """Yield the leaps of Cambodian chess of a piece that has not moved."""
        board, side = self.data.board, self.data.side
        letter, up = self.letter(board[at]), 1 if side == 0 else -1
        leaps: list[Square] = []
        if letter == self.game.royal:
            leaps = [] if self.in_check(side) else [(2, up), (-2, up)]
        elif self.game.betza[letter] == "F":
            leaps = [(0, 2 * up)]
        for x, y in leaps:
            to = (at[0] + x, at[1] + y)
            if self.inside(to) and to not in board:
                yield Action("move", at, to, board[at])

    def _resting_promotions(self) -> Iterator[Action]:
        """Yield the promotions of Sittuyin: where a pawn stands, or one quiet move away."""
        rules, side, board = self.game.rules, self.data.side, self.data.board
        pawns = [at for at in self.own(side) if self.letter(board[at])
                 in rules.promotion_pawn_types[side]]  # fmt: skip
        for at in pawns:
            if len(pawns) > 1 and at not in rules.promotion_region[side]:
                continue
            for piece in rules.promotion[side]:
                if 0 < rules.promotion_limit.get(piece, 0) <= self.count(side, piece):
                    continue
                sign = piece if side == 0 else piece.lower()
                there = self.on({**board, at: sign})
                ends = {to for to, move in there.reach(at) if move.capture and to not in board}
                for to in {at, *ends}:
                    others = {square: other for square, other in board.items() if square != at}
                    after = self.on({**others, to: sign})
                    taken = (end for end, move in after.reach(to) if move.capture)
                    if not any(owner(board.get(end, WALL)) == 1 - side for end in taken):
                        yield Action("promotion", at, to, sign)

    def _may_take_en_passant(self, to: Square) -> bool:
        """Return whether an enemy's piece can be taken en passant on a square."""
        if to not in self.data.en_passant:
            return False
        return not self.is_later_move()

    def _drops(self) -> Iterator[Action]:
        rules, side = self.game.rules, self.data.side
        if not rules.piece_drops:
            return
        for letter in self.game.letters:
            sign = letter if side == 0 else letter.lower()
            if not rules.free_drops and not self.data.hands.get(sign):
                continue
            if letter == self.game.royal and self.king(side) is not None:
                continue  # a side has one
            for at in sorted(self.drop_region(letter)):
                if at in self.data.board or not self._may_enclose(at):
                    continue
                yield Action("drop", at, at, sign)
                if rules.drop_promoted and letter in rules.promoted_piece_type:
                    yield Action("drop", at, at, "+" + sign)

    def _may_enclose(self, at: Square) -> bool:
        """Return whether the rule about enclosing drops allows a square."""
        rules, board = self.game.rules, self.data.board
        if rules.enclosing_drop == "none":
            return True
        if any(square not in board for square in rules.enclosing_drop_start[0]):
            return at in rules.enclosing_drop_start[0]
        near = [(at[0] + x, at[1] + y) for x, y in NEIGHBOURS]
        if rules.enclosing_drop == "reversi":
            # as in Fairy-Stockfish, a row may lead through walls, and another neighbour is enough
            beside = any(owner(board.get(to, WALL)) == 1 - self.data.side for to in near)
            return beside and any(self.row(at, step, through_walls=True) for step in NEIGHBOURS)
        if rules.enclosing_drop in ("ataxx", "quadwrangle"):
            return any(owner(board.get(to, WALL)) == self.data.side for to in near)
        orthogonal = [to for to in near if to[0] == at[0] or to[1] == at[1]]
        if rules.enclosing_drop == "snort":
            return all(owner(board.get(to, WALL)) != 1 - self.data.side for to in orthogonal)
        if rules.enclosing_drop == "top":
            below = (at[0], at[1] - 1)
            return not self.inside(below) or below in board
        return any(at in self._ends_of_slides(*at, along_file=way) for way in (False, True))

    def _ends_of_slides(self, file: int, rank: int, *, along_file: bool) -> set[Square]:
        """Return where pieces stop that come in along a file or rank, from both of its ends.

        Those that come from the top or the right stop at the first empty square from the other
        end, as in Fairy-Stockfish.
        """
        own = (0, file) if along_file else (1, rank)
        line = [at for at in self.game.on_board() if at[own[0]] == own[1]]
        empty = [at for at in line if at not in self.data.board]
        found = set()
        if line[0] in empty:
            run = [at for number, at in enumerate(line) if empty[number : number + 1] == [at]]
            found.add(run[-1])
        if line[-1] in empty:
            found.add(empty[0])
        return found

    def _castling(self) -> Iterator[Action]:
        board = self.data.board
        for way in self.game.ways:
            if way.right not in self.data.castling or way.right.islower() != bool(self.data.side):
                continue
            files = [at[0] for at in way[1:]]
            between = {(file, way.king_from[1]) for file in range(min(files), max(files) + 1)}
            if not (between - {way.king_from, way.rook_from}) & board.keys():
                yield Action("castle", way.king_from, way.king_to, board[way.king_from], way)

    def _pseudo(self) -> list[Action]:
        side, rules = self.data.side, self.game.rules
        found: dict[Action, None] = {}
        for at in self.own(side):
            found |= dict.fromkeys(self.piece_actions(at))
        found |= dict.fromkeys(self._drops())
        found |= dict.fromkeys(self._castling())
        if rules.sittuyin_promotion:
            found |= dict.fromkeys(self._resting_promotions())
        if rules.alice_boards:
            found = {action: None for action in found if self._is_other_free(action)}
        own = sorted(self.own(side), key=lambda at: (at[1], at[0]))
        if own and (rules.passing[side] or rules.pass_on_stalemate[side] or rules.wall_or_move):
            at = (not rules.wall_or_move and self.king(side)) or own[0]
            found[Action("pass", at, at, self.data.board[at])] = None
        actions = list(found)
        if rules.walling_rule != "none":
            actions = [walled for action in actions for walled in self._walled(action)]
        return actions

    def _is_other_free(self, action: Action) -> bool:
        """Return whether a move's squares on the other board are empty."""
        ends = [action.target] if action.way is None else [action.target, action.way.rook_to]
        return not {self.game.other_board(at) for at in ends} & self.data.board.keys()

    def pseudo_legal(self) -> int:
        """Return the number of moves, those that leave a king in check among them."""
        return sum(1 for action in self._pseudo() for _ in self._gated(action))

    def _walled(self, action: Action) -> Iterator[Action]:
        """Yield a move with every wall that may be placed after it."""
        game, rules = self.game, self.game.rules
        origin, target = action.origin, action.target
        moves = origin != target
        arrows = self._arrows(action) if rules.walling_rule == "arrow" else set()
        if rules.wall_or_move and moves:
            yield action
            return
        board = dict(self.data.board)
        if moves:
            del board[origin]
        if action.kind == "en passant":
            board.pop(self.victim(action.target), None)
        board[target] = action.sign
        if action.way is not None:
            board.pop(action.way.rook_from, None)
            board[action.way.rook_to] = WALL
        for at in sorted(game.on_board(), key=lambda at: (at[1], at[0])):
            if at in board or at not in rules.walling_region[self.data.side]:
                continue
            if rules.walling_rule == "past" and at != origin:
                continue
            if rules.walling_rule == "edge" and not self._edge(at):
                continue
            if rules.walling_rule == "arrow" and at not in arrows:
                continue
            yield action._replace(wall=at)

    def _arrows(self, action: Action) -> set[Square]:
        """Return where the moved piece, as it was, has quiet moves from where it stands now.

        Those that it does not always have are left out, and so are zones. As in Fairy-Stockfish a
        piece taken en passant is still there, and castling counts from where the partner stood.
        """
        board = dict(self.data.board)
        sign = action.sign
        if action.origin != action.target:
            sign = board.pop(action.origin)
        start = action.target if action.way is None else action.way.rook_from
        position, letter, side = self.on(board), self.letter(sign), self.data.side
        return {
            to
            for move in self.game.pieces[letter].moves
            if move.quiet and not move.initial and not move.legs
            for to in position.path(opposite(move) if side else move, start)
        }

    def _edge(self, at: Square) -> bool:
        beside = [(at[0] + x, at[1] + y) for x, y in NEIGHBOURS if not x or not y]
        return any(not self.inside(to) or self.data.board.get(to) == WALL for to in beside)

    # ---- legality -----------------------------------------------------------------------------

    def legal_moves(self) -> dict[str, Reference]:
        if self._legal is None:
            judge = Judge(self)
            found = [] if judge.ended() is not None else judge.filter(self._pseudo())
            gated = [some for action in found for some in self._gated(action)]
            self._legal = {}
            for action in gated:
                text = self.spell(action)
                if text in self._legal:
                    raise GameError(f"two moves are {text} in {self.text()}")
                self._legal[text] = self.made(action)
        return self._legal

    def _gated(self, action: Action) -> Iterator[Action]:
        """Yield a move, and it with every piece that it may gate."""
        yield action
        rules, side = self.game.rules, self.data.side
        if not rules.seirawan_gating or action.kind not in ("move", "castle", "en passant"):
            return
        way = action.way
        homes = [action.origin] if way is None else [action.origin, way.rook_from]
        for home in homes:
            if home not in self.data.gates or self.data.gates.isdisjoint({action.origin}):
                continue
            if way is not None and home in (way.king_to, way.rook_to):
                continue
            for letter in self.game.pieces:
                sign = letter if side == 0 else letter.lower()
                if letter == self.game.royal and self.king(side) is not None:
                    continue  # a side has one
                if self.data.hands.get(sign) and home in self.drop_region(letter):
                    yield action._replace(gate=sign, gate_at=home)

    def spell(self, action: Action) -> str:
        """Return the text of a move (an Action)."""
        origin, target = square_name(action.origin), square_name(action.target)
        text = origin + target if action.way is None else self.game.castling_texts[action.way]
        if action.victim is not None and action.victim != action.origin:
            at = square_name(action.victim)
            text = f"{origin}{at},{at}{target}"
        if action.kind == "drop":
            text = f"{action.sign.upper()}@{target}"
        elif action.kind == "promotion":
            text += action.sign[0].lower()
        elif action.kind == "becomes":
            text += "+" if action.sign[0] == "+" else "-"
        elif action.gate:
            if action.way is not None and action.gate_at == action.way.rook_from:
                text = square_name(action.gate_at) + origin
            text += action.gate.lower()
        end = target if action.way is None else text.removeprefix(origin)
        return text if action.wall is None else f"{text},{end}{square_name(action.wall)}"

    # ---- making a move ------------------------------------------------------------------------

    def made(self, action: Action) -> Reference:
        """Return the position after a move."""
        maker = Maker(self, action)
        after = Reference(self.game, maker.data(), self, action)
        maker.count_check(after)
        after.forget_void_en_passant()
        return after

    def forget_void_en_passant(self) -> None:
        """Clear en passant squares without a legal en passant capture, at the turn's beginning."""
        data, game = self.data, self.game
        if not data.en_passant:
            return
        if self.is_later_move():
            return
        judge, taken = Judge(self), set()
        takers = game.rules.en_passant_types[data.side]
        own = [at for at in self.own(data.side) if self.letter(data.board[at]) in takers]
        if any(action.kind == "en passant" for at in own for action in self.piece_actions(at)):
            if judge.ended() is None:
                legal = judge.filter(self._pseudo())
                taken = {action.target for action in legal if action.kind == "en passant"}
        victims = {at for at in data.en_passant if at in data.board}
        beside = {at for at in victims if any(square[0] != at[0] for square in taken)}
        data.en_passant = frozenset(taken | beside)

    def result(self) -> tuple[str, str] | None:
        return Judge(self).result()
