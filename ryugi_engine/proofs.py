"""The memory of a prover: a table of entries of two words, key and data."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ryugi_engine.abi import Block, Words, slots_within

ENTRY_WORDS = 2


class ProofTable:
    """A power of two of buckets within ``megabytes``; an entry with key 0 is empty."""

    def __init__(self, name: str, holds: str, megabytes: int, bucket: int) -> None:
        """``name`` is the array's in a file, ``holds`` what a complaint calls the entries."""
        self._name, self._holds = name, holds
        self.buckets = slots_within(megabytes, 8 * ENTRY_WORDS * bucket)
        self.block = Block(self.buckets * bucket * ENTRY_WORDS)

    def clear(self) -> None:
        """Forget everything."""
        self.block.words[:] = 0

    def kept(self) -> Mapping[str, Words]:
        """The entries in use, for a file."""
        entries = self.block.words.reshape(-1, ENTRY_WORDS)
        return {self._name: entries[entries[:, 0] != 0]}

    def read(self, table: Mapping[str, Words]) -> tuple[Block, int]:
        """Entries that :meth:`kept` gave, and their number; ValueError if they are not that."""
        kept = table.get(self._name)
        fits = kept is not None and kept.ndim == 2 and kept.shape[1] == ENTRY_WORDS
        if kept is None or not fits or kept.dtype != np.int64:
            raise ValueError(f"not a table of {self._holds}")
        return Block.holding(np.ascontiguousarray(kept).reshape(-1)), len(kept)
