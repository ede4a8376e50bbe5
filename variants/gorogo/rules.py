"""GoRoGo's Rules: positions and moves as text, results, and the prover."""

from __future__ import annotations

from ryugi_engine.games.drawing import Drawing, Ink, disc
from ryugi_engine.games.game import MoveParts, Outcome
from ryugi_engine.games.notation import Board, squares_of
from ryugi_engine.games.rules import BaseRules
from ryugi_engine.kernel.block import Block
from variants.gorogo import entries, picture
from variants.gorogo import layout as L
from variants.gorogo.editor import GoRoGoEditor
from variants.gorogo.prover import GoRoGoProver
from variants.gorogo.text import SIZE, PositionData, format_text, move_name, normal_name, parse_text
from variants.gorogo.turns import ONE_HENGE, ONE_KIND


def _points(board: Board, letter: str) -> int:
    return sum(1 << rank * SIZE + file for (file, rank), piece in board.items() if piece == letter)


class GoRoGoRules(BaseRules):
    """See :class:`ryugi_engine.games.game.Rules`."""

    kernels = entries.KERNELS
    layout, frame = L.STATE, L.FRAME

    def new_state(self, text: str) -> Block:
        data = parse_text(text)
        state = self.new_block()
        frame = self.current(state)
        for side, letter in enumerate("Ss"):
            frame["stones"][side] = _points(data.board, letter)
            frame["hands"][side] = data.henges[side] * ONE_HENGE + data.stones[side]
        frame["henges"] = _points(data.board, "H")
        frame["side"] = data.side
        frame["number"] = data.number
        entries.refresh(state.address)
        return state

    def data(self, state: Block) -> PositionData:
        """Return the current position as plain data."""
        frame = self.current(state)
        white, black = frame["stones"].tolist()
        sets = {"S": white, "s": black, "H": int(frame["henges"])}
        board = {
            (point % SIZE, point // SIZE): letter
            for letter, points in sets.items()
            for point in range(SIZE * SIZE)
            if points >> point & 1
        }
        hands = [divmod(hand, ONE_HENGE) for hand in frame["hands"].tolist()]
        return PositionData(
            board,
            stones=[stones for _henges, stones in hands],
            henges=[henges for henges, _stones in hands],
            side=int(frame["side"]),
            number=int(frame["number"]),
        )

    def text(self, state: Block) -> str:
        return format_text(self.data(state))

    def move_text(self, state: Block, move: int) -> str:
        kind, point = divmod(move, ONE_KIND)
        return move_name("-SH"[kind], (point % SIZE, point // SIZE))

    def move_parts(self) -> MoveParts:
        return MoveParts((), "SH")

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

    def capacity(self, state: Block) -> int:
        return 1  # a game has 25 turns, which no search goes beyond

    def figure(self, letter: str) -> str:
        return picture.HENGE if letter.upper() == "H" else disc(int(letter.islower()), "")

    def editor(self, text: str) -> GoRoGoEditor:
        return GoRoGoEditor(self.game, self.places(), self.figure, text)

    def prover(self, megabytes: float) -> GoRoGoProver:
        return GoRoGoProver(megabytes)

    def board_text(
        self, state: Block, last_move: str, outcome: Outcome | None, ink: Ink, lines: int
    ) -> str:
        return picture.board_text(self.data(state), outcome, squares_of(last_move), ink)

    def draw(
        self, state: Block, last_move: str, outcome: Outcome | None, hands: bool = True
    ) -> Drawing:
        return picture.draw(self.data(state), outcome, squares_of(last_move), hands)
