"""The provers' hash table of (key, data) entries, their kernels' arguments, and the line at which
an interrupted depth-first search is resumed.
"""

from __future__ import annotations

from typing import Any

from ryugi_engine.kernel.abi import slots_within
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.hashing import GOLDEN_RATIO
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import mul, shared64, shr
from ryugi_engine.kernel.views import Layout, i64

ENTRY_WORDS = 2

#: Arguments of a prover's kernels, the beginning of their block. No kernel writes it.
TASK = Layout(
    "task",
    constant=True,
    table=i64,  # address
    mask=i64,  # buckets - 1
    state=i64,  # address
    stop=i64,  # address of a word; the search ends when it is not 0
    limit=i64,  # maximum number of nodes
)
#: Plies of the line of moves at which a search can be interrupted.
MAX_LINE = 64
_NODE = Layout(
    "node",
    first=i64,  # the move that was ordered first
    done=i64,  # moves whose answers are known
    low=i64,  # bounds that were known before
    high=i64,
    nodes=i64,  # spent below so far
)
#: A search's interrupted line. A table can lose the results of a part of a proof, so that the
#: next part, begun at the root, would come no further. With the line nothing is searched twice.
LINE = Layout("line", key=i64, question=i64, plies=i64, nodes=_NODE[MAX_LINE])


@kernel
def bucket_of(task: Any, key: Any) -> Any:
    """Return the index of a key's bucket; every bit of the key counts."""
    return shr(mul(key ^ shr(key, 32), GOLDEN_RATIO), 32) & task.mask


@kernel
def must_stop(task: Any, nodes: Any) -> Any:
    """Return whether the search has to stop: ``nodes`` reached the limit, or a stop was asked."""
    return nodes > task.limit or ((nodes & 1023) == 0 and shared64(task.stop, 0) != 0)


@kernel
def begin_line(line: Any, key: Any, question: Any) -> Any:
    """Resume the interrupted line for the same position and question; else clear it."""
    if line.key != key or line.question != question:
        line.plies = 0
    line.key = key
    line.question = question


@kernel
def is_resumed(line: Any, ply: Any) -> Any:
    """Return whether the node at ``ply`` is on the interrupted line; its end clears the line."""
    plies = line.plies
    if ply >= plies:
        return False
    if ply == plies - 1:
        line.plies = 0
    return True


@kernel
def interrupt(line: Any, ply: Any, first: Any, done: Any, low: Any, high: Any, nodes: Any) -> Any:
    """Store the node at ``ply`` of the line on which the search is interrupted, see ``LINE``."""
    node = line.nodes[ply]
    node.first = first
    node.done = done
    node.low = low
    node.high = high
    node.nodes = nodes


class ProofTable:
    """A hash table of at most ``megabytes`` MiB; an entry with key 0 is empty."""

    def __init__(self, megabytes: float, bucket: int) -> None:
        """A key has ``bucket`` entries to choose from."""
        self.buckets = slots_within(megabytes, 8 * ENTRY_WORDS * bucket)
        self.block = Block(self.buckets * bucket * ENTRY_WORDS)

    def clear(self) -> None:
        """Empty the table."""
        self.block.words[:] = 0
