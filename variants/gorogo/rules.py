"""GoRoGo's Rules: text in and out around the kernels."""

from __future__ import annotations

from ryugi_engine.abi import H_FRAME, H_FRAME_WORDS, H_MOVES, Block
from ryugi_engine.drawing import Drawing, Ink
from ryugi_engine.game import Outcome
from ryugi_engine.notation import Board, squares_of
from variants.gorogo import entries, picture
from variants.gorogo import layout as L
from variants.gorogo.prover import GoRoGoProver
from variants.gorogo.text import SIZE, PositionData, format_text, move_name, normal_name, parse_text


def _points(board: Board, letter: str) -> int:
    return sum(1 << rank * SIZE + file for (file, rank), piece in board.items() if piece == letter)


class GoRoGoRules:
    """See :class:`ryugi_engine.game.Rules`."""

    kernels = entries.KERNELS

    def new_state(self, text: str) -> Block:
        data = parse_text(text)
        state = Block(L.STATE_WORDS)
        words = state.words
        words[H_FRAME] = L.FRAMES
        words[H_FRAME_WORDS] = L.FRAME
        words[H_MOVES] = 2 * L.MOVES
        frame = words[L.FRAMES : L.FRAMES + L.FRAME]
        for side, letter in enumerate("Ss"):
            frame[L.STONES + side] = _points(data.board, letter)
            frame[L.HANDS + side] = data.stones[side] | data.henges[side] << 8
        frame[L.HENGES] = _points(data.board, "H")
        frame[L.SIDE] = data.side
        frame[L.NUMBER] = data.number
        entries.refresh(state.address)
        return state

    def data(self, state: Block) -> PositionData:
        """The current position as plain data."""
        f = int(state.words[H_FRAME])
        frame = [int(word) for word in state.words[f : f + L.FRAME]]
        sets = {"S": frame[L.STONES], "s": frame[L.STONES + 1], "H": frame[L.HENGES]}
        board = {
            (point % SIZE, point // SIZE): letter
            for letter, points in sets.items()
            for point in range(SIZE * SIZE)
            if points >> point & 1
        }
        hands = frame[L.HANDS : L.HANDS + 2]
        return PositionData(
            board,
            stones=[hand & 255 for hand in hands],
            henges=[hand >> 8 for hand in hands],
            side=frame[L.SIDE],
            number=frame[L.NUMBER],
        )

    def text(self, state: Block) -> str:
        return format_text(self.data(state))

    def move_text(self, state: Block, move: int) -> str:
        point = move & 63
        return move_name("-SH"[move >> 6], (point % SIZE, point // SIZE))

    def normal_move(self, state: Block, text: str) -> str:
        return normal_name(text)

    def objection(self, state: Block, text: str) -> str:
        board = self.data(state).board
        if not board:
            return "the first turn places a Henge"
        if any(at in board for at in squares_of(text.lower())):
            return "the point is taken"
        stone = text[:1].upper() == "S"
        return "the stone would have no empty neighbour" if stone else "no such turn"

    def outcome(self, state: Block, has_moves: bool) -> Outcome | None:
        data = self.data(state)
        if sum(data.stones) + sum(data.henges) == 0:
            white, black = data.captured
            return Outcome("0-1" if black > white else "1-0", "more captured stones")
        if not has_moves:
            return Outcome("0-1" if data.side == 0 else "1-0", "no legal move")
        return None

    def claim(self, state: Block) -> Outcome | None:
        return None

    def room(self, state: Block) -> int:
        return 1  # a game has 25 turns, the state has room for more

    def compact(self, state: Block) -> int:
        raise AssertionError("there is always room")

    def placer(self, state: Block) -> None:
        return None

    def prover(self, megabytes: int) -> GoRoGoProver:
        return GoRoGoProver(megabytes)

    def board_text(
        self, state: Block, last_move: str, outcome: Outcome | None, ink: Ink, lines: int
    ) -> str:
        return picture.board_text(self.data(state), outcome, squares_of(last_move), ink)

    def draw(self, state: Block, last_move: str, outcome: Outcome | None) -> Drawing:
        return picture.draw(self.data(state), outcome, squares_of(last_move))
