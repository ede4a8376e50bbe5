"""Repetition of positions, for games whose frames have a key each."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import load64


@kernel
def plies_since_repetition(S, f, frame_words, key, reach, step, plies, times):
    """Return the plies back to the repetition that ends the game or the line, 0 for none.

    ``key`` is the word of a frame that holds its key. Frames are compared ``step`` plies apart, up
    to ``reach`` plies back. The search's root is ``plies`` back. A position from there on counts at
    its first repetition, an earlier one when it has occurred ``times`` times.
    """
    wanted = load64(S, f + key)
    count = 1
    back = 4
    while back <= reach:
        if load64(S, f - back * frame_words + key) == wanted:
            count += 1
            if back <= plies or count >= times:
                return back
        back += step
    return 0
