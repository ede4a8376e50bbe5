"""The memory of a search thread: its block, its copy of the position, its root moves."""

from __future__ import annotations

import math
from operator import itemgetter
from typing import Any

from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import HEADER, Kernels, copy_state
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.calls import bind_game
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P
from ryugi_engine.search.handicap import ALL_REPLIES
from ryugi_engine.search.transposition_table import TranspositionTable

#: The beam at the root, as a multiple of the beam below it.
_ROOT_BEAM = 3
#: The entries that the search calls.
_CALLED = [name for name in Kernels._fields if name != "perft"]
#: The fields that :meth:`Worker.clear` resets.
_CLEARED = (
    "killers",
    "static_evals",
    "pv",
    "pv_length",
    "history",
    "continuation_history",
    "counter_moves",
    "correction_history",
    "move_slots",
)


class Worker:
    """The memory of one search thread: its block and its own copy of the position."""

    def __init__(self) -> None:
        self.block = Block(L.WORKER.words)
        #: numpy views of the block's fields, by name.
        self.view: Any = L.WORKER.of(self.block)
        for depth in range(1, L.REDUCTIONS):
            for move in range(1, L.REDUCTIONS):
                part = int(1e4 * math.log(depth) * math.log(move) / P.LMR_DIVISOR)
                self.view["reductions"][depth, move] = P.LMR_BASE + part
        self.state: Block | None = None

    def clear(self) -> None:
        """Reset killers, histories and corrections, for a new game."""
        for field in _CLEARED:
            self.view[field] = 0

    def prepare(
        self, position: Position, table: TranspositionTable, control: Block, roots: list[int]
    ) -> None:
        """Prepare the block for a search of a position; ``roots`` are its root moves."""
        self.state = copy_state(position.state, into=self.state)
        view, args = self.view, self.view["root_args"]
        bind_game(view["game"], self.state, position.kernels, _CALLED)
        args["block"] = self.block.address
        args["control"] = control.address
        args["table"] = table.block.address
        args["table_mask"] = table.buckets - 1
        args["generation"] = table.generation
        table.used = True
        args["saturation"] = position.game.saturation
        args["beam"] = position.game.beam
        args["root_beam"] = _ROOT_BEAM * position.game.beam
        args["node_limit"] = 0
        args["noise"] = args["overlooked"] = 0
        for field in ("nodes", "seldepth", "aborted", "best_changes", "killers"):
            view[field] = 0
        view["qsearch_limit"] = L.QSEARCH_NODES
        # history ages: it counts less than what this search learns
        view["history"] //= 2
        view["root_count"] = len(roots)
        if position.game.beam:
            roots = self._by_score(position, roots)
        view["root_moves"][: len(roots)] = roots

    def weaken(self, noise: int, overlooked: float, seed: int) -> None:
        """Weaken the next search only: see :mod:`ryugi_engine.search.handicap`.

        ``noise`` in centipawns, ``overlooked`` as a share of the replies, ``seed`` of 63 bits.
        """
        args = self.view["root_args"]
        args["noise"], args["overlooked"] = noise, round(ALL_REPLIES * overlooked)
        args["seed"] = seed

    def _by_score(self, position: Position, roots: list[int]) -> list[int]:
        """Sort the root moves by the game's order score, for a search that sees only the first."""
        assert self.state is not None
        out = int(HEADER.of(self.state)["moves"])
        self.state.words.view("int32")[out : out + len(roots)] = roots
        at = L.WORKER.word("move_scores")
        position.kernels.order(self.state.address, out, len(roots), self.block.address, at)
        scores = self.view["move_scores"]["score"][: len(roots)].tolist()
        ranked = sorted(zip(scores, roots, strict=True), key=itemgetter(0), reverse=True)
        return [move for _score, move in ranked]

    def sort_roots(self) -> None:
        """Sort the root moves by the first iteration's scores, so that the beam keeps the best."""
        count = int(self.view["root_count"])
        scores = self.view["root_scores"][:count].tolist()
        scores.sort(key=itemgetter(1), reverse=True)
        self.view["root_moves"][:count] = [move for move, _value in scores]

    @property
    def nodes(self) -> int:
        """Nodes of the current search."""
        return int(self.view["nodes"])

    @property
    def aborted(self) -> bool:
        """Whether the search was stopped or reached its node limit."""
        return bool(self.view["aborted"])

    def line(self) -> list[int]:
        """Return the principal variation of the last root search, as move codes."""
        return [int(move) for move in self.view["pv"][0, : int(self.view["pv_length"][0])]]
