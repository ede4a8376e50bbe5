"""Memory blocks of kernels."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.int64]

_ALIGN = 64
#: Words between a block's address and the word that holds its size in bytes.
SIZE_WORD = 8
#: Whether kernels compare every access with that size, see ``memory``.
BOUNDSCHECK = os.environ.get("RYUGI_BOUNDSCHECK") == "1"


class Block:
    """Zeroed memory for kernels: ``words`` is its int64 view, ``address`` its name in kernels.

    The address is aligned to 64 bytes; the 64 bytes before it hold the size in bytes.
    """

    def __init__(self, words: int) -> None:
        raw = np.zeros(words + SIZE_WORD + _ALIGN // 8, dtype=np.int64)
        start = SIZE_WORD + (-(raw.ctypes.data + 8 * SIZE_WORD) % _ALIGN) // 8
        raw[start - SIZE_WORD] = 8 * words
        self._raw = raw  # owns the memory
        self.words: Words = raw[start : start + words]
        self.address: int = self.words.ctypes.data
        #: What the block's words point to and nobody else need keep alive.
        self.keeps: Block | None = None

    @classmethod
    def holding(cls, words: Words) -> Block:
        """Return a new block with a copy of ``words``."""
        block = cls(len(words))
        block.words[:] = words
        return block
