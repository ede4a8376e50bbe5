"""Gomoku Roku's Prover: forced wins by threat search, with one more own stone at a time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ryugi_engine.abi import ALL, H_MOVES, H_SIDE, ONGOING, WON, Block, Words, copy_state
from variants.gomoku_roku import entries, threats

_MEGABYTE = 1 << 20
_ENTRY_BYTES = 8 * threats.ENTRY_WORDS
_UNBOUNDED = 1 << 60


class GomokuRokuProver:
    """See :class:`ryugi_engine.game.Prover`. It never proves a loss."""

    def __init__(self, megabytes: int) -> None:
        slots = 1
        while 2 * slots * _ENTRY_BYTES <= max(1, megabytes) * _MEGABYTE:
            slots *= 2
        self._memory = Block(slots * threats.ENTRY_WORDS)
        self._block = Block(threats.THREAT_WORDS)
        self._block.words[threats.P_TABLE] = self._memory.address
        self._block.words[threats.P_MASK] = slots - 1
        self.nodes = 0
        self._stones = 0  # own stones of the last proof, or tried in vain

    def _ask(self, state: Block, stones: int, attacker: int, nodes: int, stop: Block) -> bool:
        """Whether the attacker has a forced win with so many stones; see also ``_aborted``."""
        words = self._block.words
        words[threats.P_STATE] = state.address
        words[threats.P_LIMIT] = nodes
        words[threats.P_STOP] = stop.address
        words[threats.P_ATTACKER] = attacker
        won = threats.forced_win(self._block.address, stones, 0) == WON
        self.nodes += int(words[threats.P_NODES])
        return won

    @property
    def _aborted(self) -> bool:
        return bool(self._block.words[threats.P_ABORTED])

    def prove(self, state: Block, nodes: int, stop: Block) -> int:
        self.nodes = 0
        attacker = int(state.words[H_SIDE])
        for stones in range(1, threats.MAX_STONES + 1):
            if self._ask(state, stones, attacker, nodes - self.nodes, stop):
                self._stones = stones
                return WON
            if self._aborted:
                return ONGOING
            self._stones = stones
        return ONGOING

    def exhausted(self) -> bool:
        return self._stones == threats.MAX_STONES and not self._aborted

    def plies(self, state: Block) -> int:
        # "mate in N" counts the winner's own stones
        return 2 * self._stones - 1

    def line(self, state: Block, stop: Block) -> list[int]:
        state = copy_state(state)
        attacker = int(state.words[H_SIDE])
        stones = self._stones
        moves: list[int] = []
        out = int(state.words[H_MOVES])
        while True:
            count = entries.generate(state.address, ALL, out)
            if count == 0:
                return moves
            codes = [int(move) for move in state.words.view("int32")[out : out + count]]
            attacking = int(state.words[H_SIDE]) == attacker
            choice, longest = codes[0], -1
            for code in codes:
                entries.make_move(state.address, code)
                needed = 0
                while not self._ask(state, needed, attacker, _UNBOUNDED, stop):
                    needed += 1
                    if needed > stones:
                        break
                entries.unmake_move(state.address)
                if stop.words[0]:
                    return moves
                if attacking and needed <= stones - 1:
                    choice = code
                    break
                if not attacking and stones >= needed > longest:
                    choice, longest = code, needed
            if attacking:
                stones -= 1
            moves.append(choice)
            entries.make_move(state.address, choice)

    def margin(self, state: Block, stop: Block) -> str:
        return ""

    def clear(self) -> None:
        self._memory.words[:] = 0

    def table(self) -> Mapping[str, Words]:
        kept = self._memory.words.reshape(-1, threats.ENTRY_WORDS)
        return {"gomokuroku": kept[kept[:, 0] != 0]}

    def restore(self, table: Mapping[str, Words]) -> None:
        kept = table.get("gomokuroku")
        if kept is None or kept.ndim != 2 or kept.shape[1] != 2 or kept.dtype != np.int64:
            raise ValueError("not a table of Gomoku Roku threats")
        block = Block.holding(np.ascontiguousarray(kept).reshape(-1))
        threats.insert_all(self._block.address, block.address, len(kept))
