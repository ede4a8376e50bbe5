"""Memory blocks of kernels."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.int64]

_ALIGN = 64
#: Words between a block's address and the word that holds its size in bytes.
SIZE_WORD = 8
#: Bytes from which on a block has pages of its own, and from which on these may be huge.
_PAGES, _HUGE = 1 << 17, 1 << 22
#: ``MADV_POPULATE_WRITE`` of Linux 5.14 and later, and the bytes of a block that it is asked for.
_POPULATE_WRITE, _AT_ONCE = 23, 1 << 28
#: Whether kernels compare every access with that size, see ``memory``.
BOUNDSCHECK = os.environ.get("RYUGI_BOUNDSCHECK") == "1"


def _zeros(words: int, huge: bool) -> Words:
    """Return zeroed words; large ones cost nothing until they are used, and go when they are."""
    size = 8 * words
    if size < _PAGES:
        return np.zeros(words, dtype=np.int64)
    private: dict[str, Any] = {}
    if hasattr(mmap, "MAP_PRIVATE"):  # POSIX
        private["flags"] = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    try:
        pages = mmap.mmap(-1, size, **private)
    except OSError:
        raise MemoryError(f"no memory for {size} bytes") from None
    if huge and size >= _HUGE and hasattr(mmap, "MADV_HUGEPAGE"):  # Linux
        with contextlib.suppress(OSError):  # a kernel without them
            pages.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(pages, dtype=np.int64)


class Block:
    """Zeroed memory for kernels: ``words`` is its int64 view, ``address`` its name in kernels.

    The address is aligned to 64 bytes; the 64 bytes before it hold the size in bytes.
    """

    def __init__(self, words: int, huge: bool = True) -> None:
        """Allocate it; ``huge``: by pages of megabytes, if it is large and the system has them."""
        raw = _zeros(words + SIZE_WORD + _ALIGN // 8, huge)
        start = SIZE_WORD + (-(raw.ctypes.data + 8 * SIZE_WORD) % _ALIGN) // 8
        raw[start - SIZE_WORD] = 8 * words
        self._raw = raw  # owns the memory
        self.words: Words = raw[start : start + words]
        self.address: int = self.words.ctypes.data
        self._populated = False
        #: Objects that the block's words point to, kept alive by the block.
        self.keeps: Block | None = None

    def populate(self) -> None:
        """Take a large block's memory from the system now, not when a search first writes to it.

        What the block holds does not change, and other threads run meanwhile. Of a very large one
        only the first 256 MiB are taken: the rest may be more than the machine has.
        """
        size = self._raw.nbytes
        if size >= _PAGES and sys.platform == "linux" and not self._populated:
            self._populated = True
            madvise = ctypes.CDLL(None).madvise
            madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
            # older kernels refuse; then every page is taken when it is needed, as it would be
            madvise(self._raw.ctypes.data, min(size, _AT_ONCE), _POPULATE_WRITE)

    @classmethod
    def holding(cls, words: Words) -> Block:
        """Return a new block with a copy of ``words``."""
        block = cls(len(words))
        block.words[:] = words
        return block
