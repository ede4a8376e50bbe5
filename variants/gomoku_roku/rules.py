"""Gomoku Roku's Rules: positions and moves as text, results, and the prover."""

from __future__ import annotations

from ryugi_engine.games.drawing import Drawing, Ink, disc
from ryugi_engine.games.game import PASS, Game, MoveParts, Outcome
from ryugi_engine.games.notation import Board, squares_of
from ryugi_engine.games.rules import BaseRules
from ryugi_engine.kernel.block import Block
from variants.gomoku_roku import entries, picture, tables
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.board import CIRCLES, HOLES, TRACK
from variants.gomoku_roku.definition import Definition
from variants.gomoku_roku.editor import GomokuRokuEditor
from variants.gomoku_roku.prover import GomokuRokuProver
from variants.gomoku_roku.text import (
    PLAY,
    PositionData,
    ended_by,
    format_text,
    move_name,
    normal_name,
    objection,
    parse_text,
)
from variants.gomoku_roku.turns import ONE_KIND, ONE_PAIR, PASSED, TRACK_STONE


class GomokuRokuRules(BaseRules):
    """One rule set, see :class:`ryugi_engine.games.game.Rules`."""

    kernels = entries.KERNELS
    layout, frame = L.STATE, L.FRAME

    def __init__(self, game: Game, definition: Definition) -> None:
        super().__init__(game)
        self.definition = definition
        self._tables = tables.build(definition)
        self._pairs = [circles for _set, _first, _last, circles in tables.pairs()]

    def new_state(self, text: str) -> Block:
        data = parse_text(self.definition, text)
        state = self.new_block()
        L.STATE.of(state)["tables"] = self._tables.address
        frame = self.current(state)
        for side in range(2):
            frame["stones"][side] = tables.circles_set(data.stones[side])
        frame["track"] = data.track
        frame["hands"] = data.hands
        frame["removals"] = data.removals(self.definition)
        frame["side"] = data.side
        frame["phase"] = data.phase
        ended = ended_by(self.definition, data) if data.phase == PLAY else None
        frame["winner"] = 0 if ended is None else ended[0] + 1
        entries.refresh(state.address)
        return state

    def data(self, state: Block) -> PositionData:
        """Return the current position as plain data."""
        frame = self.current(state)

        def circles(points: int) -> set[tuple[int, int]]:
            return {at for circle, at in enumerate(CIRCLES) if points >> circle & 1}

        white, black = frame["stones"].tolist()
        return PositionData(
            stones=(circles(white), circles(black)),
            track=frame["track"].tolist(),
            hands=frame["hands"].tolist(),
            side=int(frame["side"]),
            phase=int(frame["phase"]),
        )

    def text(self, state: Block) -> str:
        return format_text(self.data(state))

    def move_text(self, state: Block, move: int) -> str:
        removal, rest = divmod(move, ONE_PAIR)
        kind, circle = divmod(rest, ONE_KIND)
        if kind == PASSED:
            return PASS
        if kind == TRACK_STONE:
            return move_name(TRACK[circle])
        return move_name(CIRCLES[circle], self._pairs[removal - 1] if removal else ())

    def move_parts(self) -> MoveParts:
        first, *removals = (move_name(CIRCLES[0], pair) for pair in ((), *self._pairs))
        ends = dict.fromkeys(text.removeprefix(first) for text in removals)
        return MoveParts((), "S", drop_suffixes=("", *ends))

    def normal_move(self, state: Block, text: str) -> str:
        return normal_name(text)

    def objection(self, state: Block, text: str) -> str:
        return objection(self.data(state), text)

    def outcome(self, state: Block, has_moves: bool) -> Outcome | None:
        if has_moves:
            return None
        data = self.data(state)
        ended = ended_by(self.definition, data)
        if ended is None:
            return Outcome("0-1" if data.side == 0 else "1-0", "no stone in hand")
        winner, reason = ended
        return Outcome("1/2-1/2" if winner < 0 else ("1-0", "0-1")[winner], reason)

    def places(self) -> list[tuple[int, int]]:
        return [at for at in super().places() if at not in HOLES]

    def board(self, state: Block) -> Board:
        data = self.data(state)
        board: Board = {}
        for side, letter in enumerate("Ss"):
            board |= dict.fromkeys(data.stones[side], letter)
            if data.track[side] >= 0:
                board[TRACK[data.track[side]]] = letter
        return board

    def figure(self, letter: str) -> str:
        return disc(int(letter.islower()), "")

    def editor(self, text: str) -> GomokuRokuEditor:
        return GomokuRokuEditor(self.game, self.definition, self.places(), text)

    def prover(self, megabytes: float) -> GomokuRokuProver:
        return GomokuRokuProver(self.definition, megabytes)

    def board_text(
        self, state: Block, last_move: str, outcome: Outcome | None, ink: Ink, lines: int
    ) -> str:
        marked = squares_of(last_move)
        return picture.board_text(self.definition, self.data(state), outcome, marked, ink)

    def draw(
        self, state: Block, last_move: str, outcome: Outcome | None, hands: bool = True
    ) -> Drawing:
        marked = squares_of(last_move)
        return picture.draw(self.definition, self.data(state), outcome, marked, hands)
