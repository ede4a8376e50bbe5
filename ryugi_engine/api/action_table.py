"""From move codes to action indices, many at once; each code's text is made only once."""

from __future__ import annotations

import weakref

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.games.actions import ActionSpace
from ryugi_engine.games.game import Rules
from ryugi_engine.kernel.abi import HEADER
from ryugi_engine.kernel.block import Block

_SIDE = HEADER.word("side")


class _Known:
    """The indices of the codes that were seen: sorted keys, and the index of each."""

    def __init__(self) -> None:
        self.keys = np.zeros(0, dtype=np.int64)
        self.actions = np.zeros(0, dtype=np.int32)

    def add(self, found: dict[int, int]) -> None:
        """Add indices by key."""
        keys = np.concatenate([self.keys, np.fromiter(found, dtype=np.int64)])
        actions = np.concatenate([self.actions, np.fromiter(found.values(), dtype=np.int32)])
        order = np.argsort(keys)
        self.keys, self.actions = keys[order], actions[order]

    def find(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return the indices of keys, and which of them are known."""
        if not len(self.keys):
            return np.zeros(len(keys), dtype=np.int32), np.zeros(len(keys), dtype=np.bool_)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return self.actions[at], self.keys[at] == keys


class ActionTable:
    """The action indices of one game's move codes.

    A code's text depends on the side to move, and on the tables of the state: in Chess960 these
    are of the start position.
    """

    def __init__(self, rules: Rules, space: ActionSpace) -> None:
        self._rules, self.space = rules, space
        self._known: weakref.WeakKeyDictionary[Block, _Known] = weakref.WeakKeyDictionary()
        self._without_tables = _Known()

    def one(self, state: Block, code: int) -> int:
        """Return the index of a legal move of a state."""
        return self.space.index(self._rules.move_text(state, code))

    def rows(
        self, states: list[Block], codes: NDArray[np.int32], counts: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """Return the indices of rows of codes, with -1 where a row has no more."""
        width = int(counts.max(initial=0))
        used = np.arange(width) < counts[:, None]
        found = np.full(used.shape, -1, dtype=np.int32)
        sides = np.array([state.words[_SIDE] for state in states], dtype=np.int64)
        keys = codes[:, :width] | sides[:, None] << 32
        tables = [state.keeps for state in states]
        for table in {id(table): table for table in tables}.values():
            chosen = used & np.array([other is table for other in tables])[:, None]
            known = self._of(table)
            wanted = keys[chosen]
            actions, there = known.find(wanted)
            if not there.all():
                missing, first = np.unique(wanted[~there], return_index=True)
                rows = np.nonzero(chosen)[0][~there][first]
                texts = zip(missing.tolist(), rows.tolist(), strict=True)
                known.add({key: self.one(states[row], key & 0xFFFF_FFFF) for key, row in texts})
                actions, _ = known.find(wanted)
            found[chosen] = actions
        return found

    def _of(self, table: Block | None) -> _Known:
        if table is None:
            return self._without_tables
        return self._known.setdefault(table, _Known())
