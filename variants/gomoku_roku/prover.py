"""Gomoku Roku's Prover: forced wins by threat search, with one more own stone at a time."""

from __future__ import annotations

from ryugi_engine.kernel.abi import HEADER, ONGOING, WON, copy_state, list_moves
from ryugi_engine.kernel.block import Block
from ryugi_engine.proving.table import ProofTable
from variants.gomoku_roku import entries, threats
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.definition import Definition
from variants.gomoku_roku.text import PLAY

#: Node limit of a search that only ``stop`` ends.
_UNBOUNDED = 1 << 60


class GomokuRokuProver:
    """See :class:`ryugi_engine.games.game.Prover`. It never proves a loss."""

    def __init__(self, definition: Definition, megabytes: float) -> None:
        self._table = ProofTable(megabytes, 1)
        self._block = Block(threats.THREATS.words)
        self._threats = threats.THREATS.of(self._block)
        self._task = self._threats["task"]
        self._task["table"] = self._table.block.address
        self._task["mask"] = self._table.buckets - 1
        self.nodes = 0
        self._stones = 0  # own stones of the last proof
        self._key, self._in_vain = 0, 0  # the last position, and own stones tried there

    def _ask(self, state: Block, stones: int, attacker: int, nodes: int, stop: Block) -> bool:
        """Return whether the attacker has a forced win with so many stones; see ``_aborted``."""
        self._set(state, attacker)
        self._task["limit"] = nodes
        self._task["stop"] = stop.address
        won = threats.forced_win(self._block.address, stones, 0) == WON
        self.nodes += int(self._threats["nodes"])
        return won

    def _set(self, state: Block, attacker: int) -> None:
        self._task["state"] = state.address
        self._threats["attacker"] = attacker

    @property
    def _aborted(self) -> bool:
        return bool(self._threats["aborted"])

    def prove(self, state: Block, nodes: int, stop: Block) -> int:
        self.nodes = 0
        attacker, key = int(HEADER.of(state)["side"]), int(HEADER.of(state)["key"])
        if key != self._key:
            self._key, self._in_vain = key, 0
        while self._in_vain < threats.MAX_STONES:
            stones = self._in_vain + 1
            if self._ask(state, stones, attacker, nodes - self.nodes, stop):
                self._stones = stones
                return WON if self._winning_move(state, stones, attacker) else ONGOING
            if self._aborted:
                return ONGOING
            self._in_vain = stones
        return ONGOING

    def is_promising(self, state: Block) -> bool:
        return bool(L.FRAME.of(state, int(HEADER.of(state)["frame"]))["phase"] == PLAY)

    def exhausted(self) -> bool:
        return self._in_vain == threats.MAX_STONES

    def plies(self, state: Block) -> int:
        # "mate in N" counts the winner's own stones
        return 2 * self._stones - 1

    def line(self, state: Block, stop: Block, nodes: int = _UNBOUNDED) -> list[int]:
        state = copy_state(state)
        attacker = int(HEADER.of(state)["side"])
        stones = self._stones
        end = self.nodes + nodes
        moves: list[int] = []
        while codes := list_moves(entries.generate, state):
            if int(HEADER.of(state)["side"]) == attacker:
                choice = self._winning_move(state, stones, attacker)
                if not choice:  # the table has lost it
                    self._ask(state, stones, attacker, end - self.nodes, stop)
                    choice = self._winning_move(state, stones, attacker)
                if not choice:
                    return moves
                stones -= 1
            else:
                choice = max(codes, key=lambda code: self._stones_after(state, code, attacker))
            moves.append(choice)
            entries.make_move(state.address, choice)
        return moves

    def _stones_after(self, state: Block, code: int, attacker: int) -> int:
        """Return how many stones the attacker needs after a move, by the table."""
        entries.make_move(state.address, code)
        self._set(state, attacker)
        stones = threats.stones_known(self._block.address)
        entries.unmake_move(state.address)
        return stones

    def _winning_move(self, state: Block, stones: int, attacker: int) -> int:
        """Return the move of a proven win with so many stones; 0 if it is not known."""
        self._set(state, attacker)
        move = threats.winning_move(self._block.address, stones)
        # another position may have the same key
        return move if move in list_moves(entries.generate, state) else 0

    def margin(self, state: Block, stop: Block) -> tuple[str, list[int]]:
        return "", []

    def clear(self) -> None:
        self._table.clear()
        self._threats["line"]["plies"] = 0
        self._key, self._in_vain = 0, 0
