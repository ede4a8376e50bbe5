"""Gomoku Roku's Prover: forced wins by threat search, with one more own stone at a time."""

from __future__ import annotations

from collections.abc import Mapping

from ryugi_engine.abi import ALL, H_FRAME, H_MOVES, H_SIDE, ONGOING, WON, Block, Words, copy_state
from ryugi_engine.proofs import ProofTable
from variants.gomoku_roku import entries, threats
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.text import PLAY

_UNBOUNDED = 1 << 60


class GomokuRokuProver:
    """See :class:`ryugi_engine.game.Prover`. It never proves a loss."""

    def __init__(self, megabytes: int) -> None:
        self._table = ProofTable("gomokuroku", "Gomoku Roku threats", megabytes, 1)
        self._block = Block(threats.THREAT_WORDS)
        self._block.words[threats.P_TABLE] = self._table.block.address
        self._block.words[threats.P_MASK] = self._table.buckets - 1
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

    def is_promising(self, state: Block) -> bool:
        f = int(state.words[H_FRAME])
        return bool(state.words[f + L.PHASE] == PLAY)

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
            if int(state.words[H_SIDE]) == attacker:
                choice = self._winning_move(state, codes, stones, attacker, stop)
                stones -= 1
            else:
                choice = max(codes, key=lambda code: self._stones_after(state, code))
            if stop.words[0]:
                return moves
            moves.append(choice)
            entries.make_move(state.address, choice)

    def _stones_after(self, state: Block, code: int) -> int:
        """How many stones the table says that the attacker needs after a move."""
        entries.make_move(state.address, code)
        self._block.words[threats.P_STATE] = state.address
        stones = threats.known(self._block.address, 0)
        entries.unmake_move(state.address)
        return stones

    def _winning_move(
        self, state: Block, codes: list[int], stones: int, attacker: int, stop: Block
    ) -> int:
        """The move that the proof rests on."""
        self._ask(state, stones, attacker, _UNBOUNDED, stop)
        move = threats.known(self._block.address, 1)
        if move in codes:
            return move
        for code in codes:  # decided without the table: the game ends here
            entries.make_move(state.address, code)
            won = self._ask(state, 0, attacker, _UNBOUNDED, stop)
            entries.unmake_move(state.address)
            if won:
                return code
        return codes[0]

    def margin(self, state: Block, stop: Block) -> str:
        return ""

    def clear(self) -> None:
        self._table.clear()

    def table(self) -> Mapping[str, Words]:
        return self._table.kept()

    def restore(self, table: Mapping[str, Words]) -> None:
        entries_block, count = self._table.read(table)
        threats.insert_all(self._block.address, entries_block.address, count)
