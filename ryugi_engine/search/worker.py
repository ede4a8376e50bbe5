"""The memory of a search thread: its block, its own copy of the position, its root moves."""

from __future__ import annotations

import math
from operator import itemgetter

from ryugi_engine.abi import H_MOVES, Block, copy_state
from ryugi_engine.position import Position
from ryugi_engine.search import layout as L
from ryugi_engine.search.table import Table

#: A beam at the root is so many times as wide as below it.
_ROOT_BEAM = 3


class Worker:
    """The memory of one search thread: its block and its own copy of the position."""

    def __init__(self) -> None:
        self.block = Block(L.WORDS)
        reductions = self.block.words[L.REDUCTIONS : L.REDUCTIONS + 64 * 64]
        for depth in range(1, 64):
            for move in range(1, 64):
                reductions[depth * 64 + move] = int(0.5 + math.log(depth) * math.log(move) / 2.2)
        self.state: Block | None = None

    def clear(self) -> None:
        """Forget histories."""
        words = self.block.words
        words[L.KILLERS : L.REDUCTIONS] = 0

    def prepare(self, position: Position, table: Table, control: Block, roots: list[int]) -> None:
        """Get ready to search a position."""
        self.state = copy_state(position.state)
        words = self.block.words
        for i, kernel in enumerate(position.kernels[: L.KERNELS]):
            words[i] = kernel.address
        words[L.STATE] = self.state.address
        words[L.TABLE] = table.block.address
        words[L.TABLE_MASK] = table.buckets - 1
        words[L.CONTROL] = control.address
        words[L.GENERATION] = table.generation
        words[L.LIST_SHIFT] = L.LIST - int(self.state.words[H_MOVES])
        for word in (L.NODES, L.NODE_LIMIT, L.SELDEPTH, L.ABORTED, L.BEST_CHANGES):
            words[word] = 0
        words[L.QUIET_LIMIT] = L.QUIET_NODES
        words[L.KILLERS : L.KILLERS + 2 * L.MAX_PLY] = 0
        # last search's histories still hint, but weigh less than what is learnt now
        words[L.HISTORY : L.HISTORY + 2 * L.HISTORY_SLOTS] //= 2
        words[L.BEAM] = position.game.beam
        words[L.ROOT_BEAM] = _ROOT_BEAM * position.game.beam
        words[L.ROOT_COUNT] = len(roots)
        if position.game.beam:
            roots = self._by_hints(position, roots)
        words[L.ROOT_MOVES : L.ROOT_MOVES + len(roots)] = roots

    def _by_hints(self, position: Position, roots: list[int]) -> list[int]:
        """The root moves in the order of the game's hints: a short search sees the best of them."""
        assert self.state is not None
        out, words = int(self.state.words[H_MOVES]), self.block.words
        self.state.words.view("int32")[out : out + len(roots)] = roots
        at = L.LIST
        position.kernels.order(self.state.address, out, len(roots), self.block.address, at)
        hints = words.view("int32")[2 * at : 2 * (at + len(roots)) : 2]
        return [move for _hint, move in sorted(zip(-hints, roots, strict=True), key=itemgetter(0))]

    def sort_roots(self) -> None:
        """After the first iteration: the best scores first, so that a beam holds them."""
        words = self.block.words
        count = int(words[L.ROOT_COUNT])
        looks = words[L.FIRST_LOOK : L.FIRST_LOOK + 2 * count].reshape(-1, 2).tolist()
        looks.sort(key=itemgetter(1), reverse=True)
        words[L.ROOT_MOVES : L.ROOT_MOVES + count] = [move for move, _score in looks]

    @property
    def nodes(self) -> int:
        """Nodes of the current search."""
        return int(self.block.words[L.NODES])

    @property
    def aborted(self) -> bool:
        """Whether the search was ended from outside."""
        return bool(self.block.words[L.ABORTED])

    def line(self) -> list[int]:
        """The principal variation of the last root call."""
        words = self.block.words
        return [int(m) for m in words[L.PV : L.PV + int(words[L.PV_LENGTH])]]
