"""What provers share: a table of entries of two words, key and data, and what is asked of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ryugi_engine.errors import UserError
from ryugi_engine.kernel.abi import Block, Words, slots_within
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import mul, shared64, shr
from ryugi_engine.kernel.views import Layout, i64

ENTRY_WORDS = 2

#: What is asked of a prover's kernels, the beginning of their block. No kernel writes it.
TASK = Layout(
    "task",
    constant=True,
    table=i64,  # address
    mask=i64,  # buckets - 1
    state=i64,  # address
    stop=i64,  # address of a word that asks for the end
    limit=i64,  # nodes
)
_SPREAD = 0x9E3779B97F4A7C15 - (1 << 64)


@kernel
def bucket_of(task: Any, key: Any) -> Any:
    """The number of a key's bucket in the table."""
    return shr(mul(key, _SPREAD), 20) & task.mask


@kernel
def must_stop(task: Any, nodes: Any) -> Any:
    """Whether a search that has come to so many nodes has to end."""
    return nodes > task.limit or ((nodes & 1023) == 0 and shared64(task.stop, 0) != 0)


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
        """Entries that :meth:`kept` gave, and their number; UserError if they are not that."""
        kept = table.get(self._name)
        fits = kept is not None and kept.ndim == 2 and kept.shape[1] == ENTRY_WORDS
        if kept is None or not fits or kept.dtype != np.int64:
            raise UserError(f"not a table of {self._holds}")
        return Block.holding(np.ascontiguousarray(kept).reshape(-1)), len(kept)
