"""Memory blocks that take long to fill, kept in the cache beside the compiled kernels."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from ryugi_engine.kernel import cache, cache_key
from ryugi_engine.kernel.block import Block

# whoever listens for messages about compiling hears these, too: see jit.report_to
_log = logging.getLogger("ryugi_engine.kernel.jit")


def fill(
    block: Block, name: str, files: Iterable[Path], facts: str, compute: Callable[[], None]
) -> None:
    """Fill a block from the cache, or by ``compute``, whose result is then kept.

    The words may depend on the content of ``files`` and on ``facts`` alone, and hold no addresses.
    """
    key = cache_key.key_of_files(files, facts)
    try:
        kept = cache.kept_bytes(name, key)
        if kept is not None and len(kept) == block.words.nbytes:
            block.words[:] = np.frombuffer(kept, dtype=np.int64)
            return
    except (cache.Damaged, OSError) as error:
        _log.warning("%s: it is computed instead", error)
    compute()
    try:
        cache.keep_bytes(name, key, block.words.tobytes())
    except OSError as error:
        _log.warning("%s: computed, but could not be kept: %s", name, error.strerror or error)
