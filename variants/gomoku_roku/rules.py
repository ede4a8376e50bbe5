"""Gomoku Roku's Rules: text in and out around the kernels."""

from __future__ import annotations

from ryugi_engine.abi import H_FRAME, H_FRAME_WORDS, H_MOVES, Block
from ryugi_engine.drawing import Drawing, Ink
from ryugi_engine.game import PASS, Outcome
from ryugi_engine.notation import squares_of
from variants.gomoku_roku import entries, picture, tables
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.board import CIRCLES, TRACK
from variants.gomoku_roku.definition import Definition
from variants.gomoku_roku.prover import GomokuRokuProver
from variants.gomoku_roku.text import (
    PLAY,
    PositionData,
    ended_by,
    format_text,
    move_name,
    normal_name,
    parse_text,
)

#: Plies that a search may add to a game.
_SEARCH_ROOM = 130


class GomokuRokuRules:
    """One rule set, see :class:`ryugi_engine.game.Rules`."""

    kernels = entries.KERNELS

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self._tables = tables.build(definition)
        self._pairs = [circles for _set, _first, _last, circles in tables.pairs()]

    def new_state(self, text: str) -> Block:
        data = parse_text(self.definition, text)
        state = Block(L.STATE_WORDS)
        words = state.words
        words[L.TABLES] = self._tables.address
        words[H_FRAME] = L.FRAMES
        words[H_FRAME_WORDS] = L.FRAME
        words[H_MOVES] = 2 * L.MOVES
        frame = words[L.FRAMES : L.FRAMES + L.FRAME]
        removals = data.removals(self.definition)
        for side in range(2):
            frame[L.STONES + side] = tables.circles_set(data.stones[side])
            frame[L.TRACK + side] = data.track[side]
            frame[L.HANDS + side] = data.hands[side]
            frame[L.REMOVALS + side] = removals[side]
        frame[L.SIDE] = data.side
        frame[L.PHASE] = data.phase
        ended = ended_by(self.definition, data) if data.phase == PLAY else None
        frame[L.WINNER] = 0 if ended is None else ended[0] + 1
        entries.refresh(state.address)
        return state

    def data(self, state: Block) -> PositionData:
        """The current position as plain data."""
        f = int(state.words[H_FRAME])
        frame = [int(word) for word in state.words[f : f + L.FRAME]]

        def circles(points: int) -> set[tuple[int, int]]:
            return {at for circle, at in enumerate(CIRCLES) if points >> circle & 1}

        return PositionData(
            stones=(circles(frame[L.STONES]), circles(frame[L.STONES + 1])),
            track=frame[L.TRACK : L.TRACK + 2],
            hands=frame[L.HANDS : L.HANDS + 2],
            side=frame[L.SIDE],
            phase=frame[L.PHASE],
        )

    def text(self, state: Block) -> str:
        return format_text(self.data(state))

    def move_text(self, state: Block, move: int) -> str:
        kind = move >> 8 & 15
        if kind == L.PASSED:
            return PASS
        if kind == L.TRACK_STONE:
            return move_name(TRACK[move & 255])
        pair = (move >> 12) - 1
        return move_name(CIRCLES[move & 255], self._pairs[pair] if pair >= 0 else ())

    def normal_move(self, state: Block, text: str) -> str:
        return normal_name(text)

    def objection(self, state: Block, text: str) -> str:
        data = self.data(state)
        taken = data.stones[0] | data.stones[1]
        if any(at in taken for at in squares_of(text.lower())[:1]):
            return "the circle is taken"
        return "no such turn"

    def outcome(self, state: Block, has_moves: bool) -> Outcome | None:
        if has_moves:
            return None
        data = self.data(state)
        ended = ended_by(self.definition, data)
        if ended is None:
            return Outcome("0-1" if data.side == 0 else "1-0", "no stone in hand")
        winner, reason = ended
        return Outcome("1/2-1/2" if winner < 0 else ("1-0", "0-1")[winner], reason)

    def claim(self, state: Block) -> Outcome | None:
        return None

    def room(self, state: Block) -> int:
        return (L.MOVES - int(state.words[H_FRAME])) // L.FRAME - _SEARCH_ROOM

    def compact(self, state: Block) -> int:
        # no rule looks back: the current frame is enough
        f = int(state.words[H_FRAME])
        state.words[L.FRAMES : L.FRAMES + L.FRAME] = state.words[f : f + L.FRAME].copy()
        state.words[H_FRAME] = L.FRAMES
        return 0

    def placer(self, state: Block) -> None:
        return None

    def prover(self, megabytes: int) -> GomokuRokuProver:
        return GomokuRokuProver(self.definition, megabytes)

    def board_text(
        self, state: Block, last_move: str, outcome: Outcome | None, ink: Ink, lines: int
    ) -> str:
        marked = squares_of(last_move)
        return picture.board_text(self.definition, self.data(state), outcome, marked, ink)

    def draw(self, state: Block, last_move: str, outcome: Outcome | None) -> Drawing:
        return picture.draw(self.definition, self.data(state), outcome, squares_of(last_move))
