"""Why a move is illegal, in a few words, by the reference rules."""

from __future__ import annotations

import re

from ryugi_engine.games.game import PASS
from ryugi_engine.games.notation import square_name
from variants.chess.definition.definition import Square, Way
from variants.chess.reference.board import WALL, Action, owner
from variants.chess.reference.position import Reference
from variants.chess.reference.results import Judge

_MOVE = re.compile(r"([a-z])(\d{1,2})([a-z])(\d{1,2}).*")
_DROP = re.compile(r"(\+?[a-z])@([a-z])(\d{1,2}).*")
_SAN = re.compile(r"([A-Z]?)[a-p]?\d?x?([a-z])(\d{1,2}).*")
_NONE = "no such move"
#: Reasons of single pieces, the most telling first, where a text names only letter and target.
_TELLING = (
    "the king is in check", "the king would be in check", "a piece is in between",
    "its own side's piece is there",
)  # fmt: skip


def _square(file: str, rank: str) -> Square:
    return ord(file) - ord("a"), int(rank) - 1


class Objections(Reference):
    """A position that says why a move is illegal."""

    def objection(self, text: str) -> str:
        """Return why a move is illegal, as a short phrase; its text is the engine's, SAN or none.

        Squares come first: a text that begins with two is a move between them.
        """
        small = text.lower()
        if Judge(self).ended() is not None:
            return "the game is over"
        if small == PASS:
            return "a side must move here"
        if drop := _DROP.fullmatch(small):
            return self._drop_objection(drop[1].upper(), _square(drop[2], drop[3]))
        if move := _MOVE.fullmatch(small):
            return self._move_objection(small, _square(move[1], move[2]), _square(move[3], move[4]))
        castling = re.fullmatch("[o0]-[o0](-[o0])?", small)
        if castling is not None:
            wanted = ("Qq" if castling[1] else "Kk")[self.data.side]
            ways = [way for way in self.game.ways if way.right == wanted]
            return self._castling_objection(ways[0]) if ways else _NONE
        if san := _SAN.fullmatch(text):
            return self._san_objection(san[1] or self.game.pawn, _square(san[2], san[3]))
        return _NONE

    # ---- drops and castling -------------------------------------------------------------------

    def _drop_objection(self, sign: str, to: Square) -> str:
        rules, letter = self.game.rules, sign.strip("+")
        own = letter if self.data.side == 0 else letter.lower()
        if not rules.piece_drops:
            return "no piece is dropped in this game"
        if not rules.free_drops and not self.data.hands.get(own):
            return f"no {letter} in hand"
        if not self.inside(to):
            return "there is no such square"
        if to in self.data.board:
            return "the square is taken"
        action = next((a for a in self._drops() if a.target == to and a.sign.upper() == sign), None)
        if action is not None:
            return self._refusal(action)
        files = [at[0] for at, other in self.data.board.items() if other == own]
        doubled = letter in rules.drop_no_doubled[self.data.side]
        if doubled and files.count(to[0]) >= rules.drop_no_doubled_count:
            return "the file has enough of them"
        return "it may not be dropped there"

    def _way(self, text: str, at: Square, to: Square) -> Way | None:
        """Return the way to castle that a text means, if the king and its partner stand there."""
        for way in self.game.ways:
            own = way.right.islower() == bool(self.data.side)
            meant = (at, to) == way[1:3] or text == self.game.castling_texts[way]
            king = self.data.board.get(way.king_from, WALL)
            if own and meant and king != WALL and self.letter(king) == self.game.royal:
                return way
        return None

    def _castling_objection(self, way: Way) -> str:
        if way.right not in self.data.castling:
            return "the right to castle there is lost"
        action = next((a for a in self._castling() if a.way == way), None)
        if action is None:
            return "a piece is in between"
        if Judge(self).in_check():
            return "the king is in check"
        return "the king would pass an attacked square"

    # ---- moves --------------------------------------------------------------------------------

    def _san_objection(self, letter: str, to: Square) -> str:
        board = self.data.board
        own = [at for at in self.own(self.data.side) if self.letter(board[at]) == letter]
        reasons = [self._move_objection(square_name(at) + square_name(to), at, to) for at in own]
        telling = [reason for reason in _TELLING if reason in reasons]
        return [*telling, *reasons, "no such piece"][0]

    def _move_objection(self, text: str, at: Square, to: Square) -> str:
        if not (self.inside(at) and self.inside(to)):
            return "there is no such square"
        there = self.data.board.get(at, "")
        if not there or there == WALL:
            return "no piece stands there"
        if owner(there) != self.data.side:
            return "the piece is the other side's"
        judge, pseudo = Judge(self), self._pseudo()
        found = [a for a in pseudo if (a.origin, a.target) == (at, to) and a.kind != "drop"]
        if legal := [action for action in judge.filter(pseudo) if action in found]:
            written = self.spell(legal[0])
            if not written.startswith(text):
                promotes = legal[0].kind in ("promotion", "becomes")
                return "it does not promote so" if promotes else _NONE
            return f"more is missing, as in {written}"
        if way := self._way(text, at, to):
            return self._castling_objection(way)
        return self._refusal(found[0]) if found else self._shape_objection(at, to)

    def _refusal(self, action: Action) -> str:
        """Return why a pseudo-legal move is illegal."""
        judge, rules = Judge(self), self.game.rules
        if not judge.is_legal(action):
            board = {**self.data.board, action.target: action.sign}
            if action.kind != "drop":
                board.pop(action.origin)
                board[action.target] = action.sign
            after = self.on(board)
            if judge.in_check():
                return "the king is in check"
            if after.in_check(self.data.side) or rules.extinction_pseudo_royal:
                return "the king would be in check"
            if rules.flying_general and judge.faces(after):
                return "the kings would face one another"
            if not rules.checking and self.made(action).in_check(1 - self.data.side):
                return "it may not give check"
            if action.kind == "drop":
                return "it may not be dropped there"
            return "it may not go there"
        if rules.must_drop and action.kind != "drop":
            return "a piece must be dropped"
        return "a piece must be captured" if rules.must_capture else _NONE

    def _shape_objection(self, at: Square, to: Square) -> str:
        """Return why a piece does not go to a square by its moves."""
        board, sign = self.data.board, self.data.board[at]
        if self.game.rules.alice_boards and self.game.other_board(to) in board:
            return "its square on the other board is taken"
        area = self.game.rules.mobility_region.get(self.letter(sign))
        if area is not None and to not in area[self.data.side]:
            return "it may not leave its part of the board"
        goes, takes = self._reaches(at, to), self._reaches(at, to, board.get(to, sign.swapcase()))
        there = board.get(to, "")
        if (goes or takes) and there == WALL:
            return "the square is taken"
        if (goes or takes) and there and owner(there) == self.data.side:
            return "its own side's piece is there"
        if takes if there else goes:
            return "a piece is in between"
        if goes or takes:
            return "it does not capture so" if goes else "it goes there only to capture"
        moves = [move for _, move, _ in self.pieces.moves(self.letter(sign), self.data.side)]
        steps = {(move.dx * n, move.dy * n) for move in moves if move.hop for n in range(2, 16)}
        if (to[0] - at[0], to[1] - at[1]) in steps:
            return "it must leap over a piece"
        return "the piece does not move so"

    def _reaches(self, at: Square, to: Square, other: str = "") -> bool:
        """Return whether the piece on a square goes to another, or takes ``other`` there.

        Nothing else is on the board.
        """
        side = self.data.side
        there = {to: other if owner(other) == 1 - side else other.swapcase()} if other else {}
        alone = self.on({**there, at: self.data.board[at]})
        moves = [(end, move.capture if other else move.quiet) for end, move in alone.reach(at)]
        moves += [(end, True) for end, _, _ in alone.by_legs(at)]
        return (to, True) in moves
