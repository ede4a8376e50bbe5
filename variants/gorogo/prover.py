"""GoRoGo's Prover: the solver asked who wins, with lines and margins."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ryugi_engine.abi import (
    ALL,
    H_FRAME,
    H_MOVES,
    H_SIDE,
    LOST,
    ONGOING,
    WON,
    Block,
    Words,
    copy_state,
)
from ryugi_engine.proofs import ProofTable
from variants.gorogo import entries, solver
from variants.gorogo import layout as L
from variants.gorogo.symmetry import symmetry_tables

_UNBOUNDED = 1 << 60
#: Pieces in hand up to which a proof is likely within seconds.
_PROMISING = 17

_tables = cache(symmetry_tables)


def _hands(state: Block) -> tuple[int, int]:
    """Pieces that the side to move and the other side have in hand, stones | henges << 8."""
    f, side = int(state.words[H_FRAME]), int(state.words[H_SIDE])
    return int(state.words[f + L.HANDS + side]), int(state.words[f + L.HANDS + 1 - side])


def taken_so_far(state: Block) -> int:
    """Stones that the side to move has captured, minus those it has lost."""
    f, side = int(state.words[H_FRAME]), int(state.words[H_SIDE])
    hands = _hands(state)
    left = [
        int(state.words[f + L.STONES + who]).bit_count() + (hand & 255)
        for who, hand in zip((side, 1 - side), hands, strict=True)
    ]
    return left[0] - left[1]


def needed(state: Block) -> int:
    """What the side to move must still take more than lose, to win; a tie is White's."""
    return int(state.words[H_SIDE]) - taken_so_far(state)


class GoRoGoProver:
    """See :class:`ryugi_engine.game.Prover`."""

    def __init__(self, megabytes: int) -> None:
        self._table = ProofTable("gorogo", "GoRoGo positions", megabytes, solver.BUCKET)
        self._block = Block(solver.SOLVER_WORDS)
        self._block.words[solver.P_TABLE] = self._table.block.address
        self._block.words[solver.P_MASK] = self._table.buckets - 1
        self._block.words[solver.P_SYMMETRY] = _tables().address
        self.nodes = 0

    def _ask(self, state: Block, need: int, nodes: int, stop: Block) -> int:
        words = self._block.words
        words[solver.P_STATE] = state.address
        words[solver.P_LIMIT] = nodes
        words[solver.P_STOP] = stop.address
        answer = solver.reaches(self._block.address, need, 0)
        self.nodes += int(words[solver.P_NODES])
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
        return sum((hand & 255) + (hand >> 8) for hand in _hands(state))

    def line(self, state: Block, stop: Block) -> list[int]:
        state = copy_state(state)
        moves: list[int] = []
        out = int(state.words[H_MOVES])
        winning = self._ask(state, needed(state), _UNBOUNDED, stop) == solver.YES
        while True:
            count = entries.generate(state.address, ALL, out)
            if count == 0:
                return moves
            codes = [int(move) for move in state.words.view("int32")[out : out + count]]
            choice, most = codes[0], -1
            for code in codes:
                entries.make_move(state.address, code)
                if winning:
                    # the reply must not reach its own aim
                    good = self._ask(state, needed(state), _UNBOUNDED, stop) == solver.NO
                    effort = 0 if good else -2
                else:
                    # all lose: the one that was the hardest to refute
                    effort = solver.effort_spent(self._block_at(state))
                entries.unmake_move(state.address)
                if stop.words[0]:
                    return moves
                if effort > most:
                    choice, most = code, effort
                if winning and most == 0:
                    break
            moves.append(choice)
            entries.make_move(state.address, choice)
            winning = not winning

    def _block_at(self, state: Block) -> int:
        self._block.words[solver.P_STATE] = state.address
        return self._block.address

    def margin(self, state: Block, stop: Block) -> str:
        """Bisects the largest value that the side to move can reach."""
        low, high = -solver.BEYOND, solver.BEYOND
        while low < high:
            middle = (low + high + 1) // 2
            answer = self._ask(state, middle, _UNBOUNDED, stop)
            if answer == solver.UNKNOWN:
                return ""
            low, high = (middle, high) if answer == solver.YES else (low, middle - 1)
        if abs(low) > 10:
            loser = "White" if (low > 0) == (int(state.words[H_SIDE]) == 1) else "Black"
            return f"{loser} is left without a legal move"
        total = low + taken_so_far(state)
        white = total if int(state.words[H_SIDE]) == 0 else -total
        if white == 0:
            return "as many captures on both sides"
        return f"{'White' if white > 0 else 'Black'} captures {abs(white)} more"

    def clear(self) -> None:
        self._table.clear()

    def table(self) -> Mapping[str, Words]:
        return self._table.kept()

    def restore(self, table: Mapping[str, Words]) -> None:
        entries_block, count = self._table.read(table)
        solver.insert_all(self._block.address, entries_block.address, count)
