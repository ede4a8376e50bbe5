"""GoRoGo's Prover: results, lines and margins by the solver."""

from __future__ import annotations

from functools import cache
from typing import Any

from ryugi_engine.kernel.abi import HEADER, LOST, ONGOING, WON, copy_state, list_moves
from ryugi_engine.kernel.block import Block
from ryugi_engine.proving.table import ProofTable
from variants.gorogo import entries, solver
from variants.gorogo import layout as L
from variants.gorogo.symmetry import symmetry_tables
from variants.gorogo.turns import ONE_HENGE

_UNBOUNDED = 1 << 60
#: Maximum number of pieces in hand for which a proof is likely within seconds.
_PROMISING = 17

_tables = cache(symmetry_tables)


def current_frame(state: Block) -> Any:
    """Return the current frame, see ``layout.FRAME``."""
    return L.FRAME.of(state, int(HEADER.of(state)["frame"]))


def taken_so_far(state: Block) -> int:
    """Return the stones that the side to move has captured minus those it has lost."""
    frame, side = current_frame(state), int(HEADER.of(state)["side"])
    left = [
        stones.bit_count() + hand % ONE_HENGE
        for stones, hand in zip(frame["stones"].tolist(), frame["hands"].tolist(), strict=True)
    ]
    return left[side] - left[1 - side]


def needed(state: Block) -> int:
    """Return how many more captures than the other side the side to move needs to win."""
    return int(HEADER.of(state)["side"]) - taken_so_far(state)


class GoRoGoProver:
    """See :class:`ryugi_engine.games.game.Prover`."""

    def __init__(self, megabytes: float) -> None:
        self._table = ProofTable(megabytes, solver.BUCKET)
        self._block = Block(solver.SOLVER.words)
        self._solver = solver.SOLVER.of(self._block)
        self._task = self._solver["task"]
        self._task["table"] = self._table.block.address
        self._task["mask"] = self._table.buckets - 1
        self._solver["symmetry"] = _tables().address
        self.nodes = 0

    def _ask(self, state: Block, need: int, nodes: int, stop: Block) -> int:
        self._task["state"] = state.address
        self._task["limit"] = nodes
        self._task["stop"] = stop.address
        answer = solver.reaches(self._block.address, need, 0)
        self.nodes += int(self._solver["nodes"])
        return answer

    def prove(self, state: Block, nodes: int, stop: Block) -> int:
        self.nodes = 0
        answer = self._ask(state, needed(state), nodes, stop)
        return {solver.YES: WON, solver.NO: LOST}.get(answer, ONGOING)

    def is_promising(self, state: Block) -> bool:
        return self.plies(state) <= _PROMISING

    def exhausted(self) -> bool:
        return False

    def plies(self, state: Block) -> int:
        hands = current_frame(state)["hands"].tolist()
        return sum(sum(divmod(hand, ONE_HENGE)) for hand in hands)

    def line(self, state: Block, stop: Block, nodes: int = _UNBOUNDED) -> list[int]:
        end = self.nodes + nodes
        answer = self._ask(state, needed(state), nodes, stop)
        if answer == solver.UNKNOWN:
            return []
        wins = answer == solver.YES
        state = copy_state(state)
        moves: list[int] = []
        while codes := list_moves(entries.generate, state):
            if wins:
                choice = self._winning_move(state, needed(state), end - self.nodes, stop)
                if not choice:
                    return moves
            else:
                # all lose: the one that was the hardest to refute
                choice = max(codes, key=lambda code: self._effort_after(state, code))
            moves.append(choice)
            entries.make_move(state.address, choice)
            wins = not wins
        return moves

    def _winning_move(self, state: Block, need: int, nodes: int, stop: Block) -> int:
        """Return a move that reaches ``need``; 0 if none is found within ``nodes``."""
        self._task["state"] = state.address
        move = solver.winning_move(self._block.address, need)
        codes = list_moves(entries.generate, state)
        if move in codes:  # another position may have the same key
            return move
        if self._ask(state, need, nodes, stop) == solver.YES:
            move = solver.winning_move(self._block.address, need)
            if move in codes:
                return move
            # positions this late are in no table
            for code in codes:
                if self._reaches(state, code, need, stop):
                    return code
        return 0

    def _reaches(self, state: Block, code: int, need: int, stop: Block) -> bool:
        """Return whether a move reaches ``need`` for the side to move."""
        before = taken_so_far(state)
        entries.make_move(state.address, code)
        gain = -taken_so_far(state) - before
        asked = max(1 - solver.BEYOND, min(gain - need + 1, solver.BEYOND))
        refuted = self._ask(state, asked, _UNBOUNDED, stop) == solver.NO
        entries.unmake_move(state.address)
        return refuted

    def _effort_after(self, state: Block, code: int) -> int:
        """Return the effort that refuting a move has taken."""
        entries.make_move(state.address, code)
        self._task["state"] = state.address
        effort = solver.effort_spent(self._block.address)
        entries.unmake_move(state.address)
        return effort

    def margin(self, state: Block, stop: Block) -> tuple[str, list[int]]:
        value = self._value(state, stop)
        if value is None:
            return "", []
        line = self._best_line(state, value, stop)
        if abs(value) == solver.BEYOND:
            loser = "White" if (value > 0) == (int(HEADER.of(state)["side"]) == 1) else "Black"
            return f"{loser} is left without a legal move", line
        total = value + taken_so_far(state)
        white = total if int(HEADER.of(state)["side"]) == 0 else -total
        if white == 0:
            return "as many captures on both sides", line
        return f"{'White' if white > 0 else 'Black'} captures {abs(white)} more", line

    def _value(self, state: Block, stop: Block) -> int | None:
        """Return the largest value that the side to move reaches, by bisection; None if stopped."""
        low, high = -solver.BEYOND, solver.BEYOND
        while low < high:
            middle = (low + high + 1) // 2
            answer = self._ask(state, middle, _UNBOUNDED, stop)
            if answer == solver.UNKNOWN:
                return None
            low, high = (middle, high) if answer == solver.YES else (low, middle - 1)
        return low

    def _best_line(self, state: Block, value: int, stop: Block) -> list[int]:
        """Return the line in which both sides play for the margin; shorter if stopped."""
        state = copy_state(state)
        moves: list[int] = []
        while codes := list_moves(entries.generate, state):
            if value == -solver.BEYOND:
                choice = max(codes, key=lambda code: self._effort_after(state, code))
            else:
                choice = self._winning_move(state, value, _UNBOUNDED, stop)
            if not choice:
                return moves
            before = taken_so_far(state)
            moves.append(choice)
            entries.make_move(state.address, choice)
            gain = -taken_so_far(state) - before
            value = -value if abs(value) == solver.BEYOND else gain - value
        return moves

    def clear(self) -> None:
        self._table.clear()
        self._solver["line"]["plies"] = 0
