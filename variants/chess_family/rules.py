"""The chess family's Rules: text in and out around the kernels."""

from __future__ import annotations

from ryugi_engine.abi import H_FRAME, H_FRAME_WORDS, H_MOVES, H_SIDE, Block
from ryugi_engine.drawing import Drawing, Ink
from ryugi_engine.game import Outcome, standing
from ryugi_engine.notation import square_name, squares_of
from variants.chess_family import entries, fen, picture, tables
from variants.chess_family import layout as L
from variants.chess_family.definition import Definition

_RIGHTS = "KQkq"
#: Plies that a search may add to a game.
_SEARCH_ROOM = 512


class ChessRules:
    """One chess-like game, see :class:`ryugi_engine.game.Rules`."""

    kernels = entries.KERNELS

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self._tables = tables.build(definition)
        self._codes = tables.piece_codes(definition)
        self._letters = {code: letter for letter, code in self._codes.items()}
        self._move_texts: dict[int, str] = {}

    def new_state(self, text: str) -> Block:
        data = fen.parse_fen(self.definition, text)
        state = Block(L.STATE_WORDS)
        words = state.words
        words[L.TABLES] = self._tables.address
        words[H_FRAME] = L.FRAMES
        words[H_FRAME_WORDS] = L.FRAME
        words[H_MOVES] = 2 * L.MOVES
        mailbox = words[L.MAILBOX : L.MAILBOX + 16].view("uint8")
        for at, letter in data.board.items():
            mailbox[tables.square_index(at)] = self._codes[letter]
        frame = words[L.FRAMES : L.FRAMES + L.FRAME]
        target = data.en_passant
        frame[L.EN_PASSANT] = -1 if target is None else tables.square_index(target)
        frame[L.CASTLING] = sum(1 << _RIGHTS.index(letter) for letter in data.castling)
        frame[L.SIDE] = int(not data.white_to_move)
        frame[L.CLOCK] = data.clock
        frame[L.FULLMOVE] = data.fullmove
        entries.refresh(state.address)
        return state

    def _frame(self, state: Block) -> int:
        return int(state.words[H_FRAME])

    def _data(self, state: Block) -> fen.PositionData:
        f = self._frame(state)
        words = state.words
        mailbox = words[L.MAILBOX : L.MAILBOX + 16].view("uint8")
        board = {
            (square & 15, square >> 4): self._letters[int(code)]
            for square, code in enumerate(mailbox)
            if code
        }
        rights = int(words[f + L.CASTLING])
        target = int(words[f + L.EN_PASSANT])
        return fen.PositionData(
            board=board,
            white_to_move=int(words[f + L.SIDE]) == 0,
            castling="".join(c for bit, c in enumerate(_RIGHTS) if rights >> bit & 1),
            en_passant=None if target < 0 else (target & 15, target >> 4),
            clock=int(words[f + L.CLOCK]),
            fullmove=int(words[f + L.FULLMOVE]),
        )

    def text(self, state: Block) -> str:
        return fen.format_fen(self.definition, self._data(state))

    def move_text(self, state: Block, move: int) -> str:
        text = self._move_texts.get(move)
        if text is None:
            text = self._move_texts[move] = self._spell(move)
        return text

    def _spell(self, move: int) -> str:
        squares = (move & 127, move >> 7 & 127)
        text = "".join(square_name((s & 15, s >> 4)) for s in squares)
        if move >> 14 & 7 == L.PROMOTION:
            text += self._letters[move >> 17].lower()
        return text

    def normal_move(self, state: Block, text: str) -> str:
        text = text.lower().replace("=", "")
        white = int(state.words[H_SIDE]) == 0
        castles = {"o-o": "K", "0-0": "K", "o-o-o": "Q", "0-0-0": "Q"}
        side = castles.get(text)
        if side is not None:
            ways = self.definition.castling.get(side if white else side.lower())
            return (
                text
                if not ways
                else "".join(map(square_name, (ways[0].king_from, ways[0].king_to)))
            )
        # the king onto its own rook, as GUIs for shuffled games write it
        mailbox = state.words[L.MAILBOX : L.MAILBOX + 16].view("uint8")
        for right in "KQ" if white else "kq":
            for way in self.definition.castling.get(right, ())[:1]:
                takes_rook = square_name(way.king_from) + square_name(way.rook_from)
                stands = self._letters.get(int(mailbox[tables.square_index(way.rook_from)]), "")
                if text == takes_rook and stands and stands.isupper() == white:
                    return square_name(way.king_from) + square_name(way.king_to)
        return text

    def objection(self, state: Block, text: str) -> str:
        f = self._frame(state)
        if state.words[f + L.CHECKED]:
            return "the king is in check"
        rights = "KQ" if state.words[f + L.SIDE] == 0 else "kq"
        for way in (way for right in rights for way in self.definition.castling.get(right, ())):
            if text.lower() == square_name(way.king_from) + square_name(way.king_to):
                return "no right to castle there, a piece between, or an attack on the king's way"
        return "no such move"

    def outcome(self, state: Block, has_moves: bool) -> Outcome | None:
        f = self._frame(state)
        words = state.words
        if not has_moves:
            if words[f + L.CHECKED]:
                return Outcome("0-1" if words[f + L.SIDE] == 0 else "1-0", "checkmate")
            return Outcome("1/2-1/2", "stalemate")
        if entries.dead(state.address):
            return Outcome("1/2-1/2", "dead position")
        if words[f + L.CLOCK] >= 2 * self.definition.draw_moves:
            return Outcome("1/2-1/2", f"{self.definition.draw_moves}-move rule")
        times = self.definition.draw_repetition
        if entries.repetition_count(state.address) >= times:
            return Outcome("1/2-1/2", _repetition(times))
        return None

    def claim(self, state: Block) -> Outcome | None:
        f = self._frame(state)
        if state.words[f + L.CLOCK] >= 2 * self.definition.claim_moves:
            return Outcome("1/2-1/2", f"{self.definition.claim_moves}-move rule", claimed=True)
        times = self.definition.claim_repetition
        if entries.repetition_count(state.address) >= times:
            return Outcome("1/2-1/2", _repetition(times), claimed=True)
        return None

    def room(self, state: Block) -> int:
        return (L.MOVES - self._frame(state)) // L.FRAME - _SEARCH_ROOM

    def compact(self, state: Block) -> int:
        words = state.words
        f = self._frame(state)
        keep = min(
            int(words[f + L.NULL_DISTANCE]), int(words[f + L.CLOCK]), 2 * self.definition.draw_moves
        )
        first = f - keep * L.FRAME
        words[L.FRAMES : L.FRAMES + (keep + 1) * L.FRAME] = words[first : f + L.FRAME].copy()
        words[H_FRAME] = L.FRAMES + keep * L.FRAME
        return keep

    def placer(self, state: Block) -> None:
        return None

    def prover(self, megabytes: int) -> None:
        return None

    def board_text(
        self, state: Block, last_move: str, outcome: Outcome | None, ink: Ink, lines: int
    ) -> str:
        board = self._data(state).board
        return picture.board_text(self.definition, board, squares_of(last_move), ink)

    def draw(self, state: Block, last_move: str, outcome: Outcome | None) -> Drawing:
        said = standing(int(state.words[H_SIDE]), outcome)
        board = self._data(state).board
        return picture.draw(self.definition, board, squares_of(last_move), said)


def _repetition(times: int) -> str:
    names = {2: "twofold", 3: "threefold", 4: "fourfold", 5: "fivefold"}
    return f"{names.get(times, f'{times}-fold')} repetition"
