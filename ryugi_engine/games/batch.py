"""Many positions of one game in memory blocks, for the kernels of :mod:`.batch_kernels`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.games.batch_kernels import BATCH, list_all, make_all, play_all, record_all
from ryugi_engine.games.game import Rules
from ryugi_engine.games.rules import BaseRules
from ryugi_engine.games.training import RECORD, Training
from ryugi_engine.kernel.abi import MAX_MOVES, CrowdedPosition, copy_state
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import Entry

_WORDS_OF_SEED = 63
#: Positions that are worth a further thread.
_LEAST = 16


class StateBatch:
    """States of one game. Arrays are views of memory that the next call writes again."""

    def __init__(self, rules: Rules, images: Sequence[Block], threads: int) -> None:
        """Copy the states; ``threads`` share the work of each call."""
        assert isinstance(rules, BaseRules)  # every game's are
        self.rules, self._threads = rules, threads
        self.states = [copy_state(state, huge=False) for state in images]
        count = len(self.states)
        self._block = Block(BATCH.words)
        self._view = BATCH.of(self._block)
        self._arrays: dict[str, Block] = {}
        for name in ("states", "counts", "values", "sides", "moves", "seeds", "results", "plies"):
            self._allot(name, count)
        self.array("states")[:] = [state.address for state in self.states]
        self._view["status"] = rules.kernels.status.address
        self._view["no_moves"] = rules.kernels.no_moves.address
        layout = rules.layout
        self._view["end"] = layout.word("frames") + layout.fields["frames"].bytes // 8
        self._widen(64)
        #: Moves that every state has room for.
        self._room = 0

    def _allot(self, name: str, words: int) -> None:
        block = self._arrays[name] = Block(words)
        self._view[name] = block.address

    def array(self, name: str) -> NDArray[np.int64]:
        """Return the words of a field of ``BATCH``, one for each position."""
        return self._arrays[name].words

    def _widen(self, width: int) -> None:
        self._view["width"] = width
        self._allot("codes", (len(self.states) * width + 1) // 2)

    def _run(self, entry: Entry) -> None:
        """Call a kernel for all positions, in threads."""
        count = len(self.states)
        parts = max(1, min(self._threads, count // _LEAST))
        ends = [count * part // parts for part in range(parts + 1)]
        entry.load()
        helpers = [
            threading.Thread(target=entry, args=(self._block.address, first, last), daemon=True)
            for first, last in pairwise(ends[1:])
        ]
        for helper in helpers:
            helper.start()
        entry(self._block.address, ends[0], ends[1])
        for helper in helpers:
            helper.join()

    # ---- what the kernels do -----------------------------------------------------------------

    def list_moves(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the legal moves, a row for each position, and their numbers.

        CrowdedPosition if a position has too many for a list.
        """
        self._run(list_all)
        counts = self.array("counts")
        most = int(counts.max(initial=0))
        if most > MAX_MOVES:
            raise CrowdedPosition(f"position {int(counts.argmax())} of the batch has")
        if most > self._view["width"]:
            self._widen(2 * most)
            self._run(list_all)
        width = int(self._view["width"])
        codes = self._arrays["codes"].words.view(np.int32)[: len(self.states) * width]
        return codes.reshape(-1, width), counts

    def make(self, moves: NDArray[np.int64]) -> None:
        """Play a legal move in each position, 0: none."""
        if self._room <= 0:
            self._make_room()
        self.array("moves")[:] = moves
        self._run(make_all)
        self._room -= 1

    def _make_room(self) -> None:
        """Drop early frames where no more moves can be made; see ``Rules.compact``."""
        rules = self.rules
        for state in self.states:
            if rules.capacity(state) <= 0:
                rules.compact(state)
        self._room = min((rules.capacity(state) for state in self.states), default=1)

    def replace(self, number: int, image: Block) -> None:
        """Replace a position by a copy of another state."""
        state = copy_state(image, self.states[number])
        self._room = min(self._room, self.rules.capacity(state))

    def play(self, longest: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Play a random game from each position; return White's results, and plies.

        The positions stay as they are. The games follow from the ``seed``.
        """
        source = np.random.default_rng(seed)
        count = len(self.states)
        self.array("seeds")[:] = source.integers(1 << _WORDS_OF_SEED, size=count, dtype=np.int64)
        self._view["longest"] = longest
        self._run(play_all)
        return self.array("results"), self.array("plies")

    def record(self, training: Training) -> tuple[NDArray[Any], NDArray[np.uint8]]:
        """Return the heads of training records, and their cells, a row for each position."""
        if "records" not in self._arrays:
            self._view["record"] = training.record.address
            self._view["record_words"] = training.words
            self._allot("records", len(self.states) * training.words)
        self._run(record_all)
        rows = self._arrays["records"].words.view(np.uint8).reshape(len(self.states), -1)
        heads = np.ndarray(len(self.states), RECORD.dtype, rows.data, strides=(rows.strides[0],))
        return heads, rows[:, RECORD.bytes : RECORD.bytes + training.inputs.cells]
