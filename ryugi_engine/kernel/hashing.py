"""Hashing in kernels."""

from __future__ import annotations

from typing import Any

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import mul, shr

#: Odd multipliers that spread bits: Knuth's for 64 bits, and 2**64 by the golden ratio.
KNUTH = 6364136223846793005
GOLDEN_RATIO = 0x9E3779B97F4A7C15 - (1 << 64)
_MIX_1 = 0xFF51AFD7ED558CCD - (1 << 64)
_MIX_2 = 0xC4CEB9FE1A85EC53 - (1 << 64)


@kernel
def mix(word: Any) -> Any:
    """Hash a word bijectively: the finalizer of MurmurHash3 (A. Appleby)."""
    word = mul(word ^ shr(word, 33), _MIX_1)
    word = mul(word ^ shr(word, 33), _MIX_2)
    return word ^ shr(word, 33)
