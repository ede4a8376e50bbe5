"""The memory of a search thread: its block, its own copy of the position, its root moves."""

from __future__ import annotations

import math
from operator import itemgetter
from typing import Any

from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import HEADER, Block, Kernels, copy_state
from ryugi_engine.kernel.calls import name_game
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P
from ryugi_engine.search.table import Table

#: A beam at the root is so many times as wide as below it.
_ROOT_BEAM = 3
#: The entries that the search calls.
_CALLED = [name for name in Kernels._fields if name != "perft"]


#: What a worker learns in a game, or what one search leaves to the next.
_LEARNT = ("killers", "evals", "pv", "pv_length", "history", "counters", "corrections", "made")


class Worker:
    """The memory of one search thread: its block and its own copy of the position."""

    def __init__(self) -> None:
        self.block = Block(L.WORKER.words)
        #: The block's fields by name.
        self.seen: Any = L.WORKER.of(self.block)
        for depth in range(1, L.REDUCTIONS):
            for move in range(1, L.REDUCTIONS):
                product = math.log(depth) * math.log(move)
                hundredths = P.REDUCTION_BASE + int(1e4 * product / P.REDUCTION)
                self.seen["reductions"][depth, move] = hundredths
        self.state: Block | None = None

    def clear(self) -> None:
        """Forget histories."""
        for field in _LEARNT:
            self.seen[field] = 0

    def prepare(self, position: Position, table: Table, control: Block, roots: list[int]) -> None:
        """Get ready to search a position."""
        self.state = copy_state(position.state)
        seen, given = self.seen, self.seen["given"]
        name_game(seen["game"], self.state, position.kernels, _CALLED)
        given["block"] = self.block.address
        given["control"] = control.address
        given["table"] = table.block.address
        given["table_mask"] = table.buckets - 1
        given["generation"] = table.generation
        given["beam"] = position.game.beam
        given["root_beam"] = _ROOT_BEAM * position.game.beam
        given["node_limit"] = 0
        for field in ("nodes", "seldepth", "aborted", "best_changes", "killers"):
            seen[field] = 0
        seen["quiet_limit"] = L.QUIET_NODES
        # last search's histories still hint, but weigh less than what is learnt now
        seen["history"] //= 2
        seen["root_count"] = len(roots)
        if position.game.beam:
            roots = self._by_hints(position, roots)
        seen["root_moves"][: len(roots)] = roots

    def _by_hints(self, position: Position, roots: list[int]) -> list[int]:
        """The root moves in the order of the game's hints: a short search sees the best of them."""
        assert self.state is not None
        out = int(HEADER.of(self.state)["moves"])
        self.state.words.view("int32")[out : out + len(roots)] = roots
        at = L.WORKER.word("pairs")
        position.kernels.order(self.state.address, out, len(roots), self.block.address, at)
        hints = self.seen["pairs"]["score"][: len(roots)].tolist()
        ranked = sorted(zip(hints, roots, strict=True), key=itemgetter(0), reverse=True)
        return [move for _hint, move in ranked]

    def sort_roots(self) -> None:
        """After the first iteration: the best scores first, so that a beam holds them."""
        count = int(self.seen["root_count"])
        looks = self.seen["first_look"][:count].tolist()
        looks.sort(key=itemgetter(1), reverse=True)
        self.seen["root_moves"][:count] = [move for move, _value in looks]

    @property
    def nodes(self) -> int:
        """Nodes of the current search."""
        return int(self.seen["nodes"])

    @property
    def aborted(self) -> bool:
        """Whether the search was ended from outside."""
        return bool(self.seen["aborted"])

    def line(self) -> list[int]:
        """The principal variation of the last root call."""
        return [int(move) for move in self.seen["pv"][0, : int(self.seen["pv_length"][0])]]
