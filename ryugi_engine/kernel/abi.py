"""What kernels and their callers agree on: blocks of memory and the table of entries.

An address of a block is one capital letter: S is a state, T the game's tables, W what a thread of
the search writes. ``f`` is the word of S in which a frame begins, ``g`` that of the frame after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.kernel.memory import SIZE_WORD
from ryugi_engine.kernel.views import Layout, i64, shared

if TYPE_CHECKING:
    from ryugi_engine.kernel.jit import Entry

Words = NDArray[np.int64]

_ALIGN = 64


class Block:
    """Zeroed memory for kernels: ``words`` is its numpy view, ``address`` its name in kernels.

    The address is a multiple of 64 bytes; the 64 bytes before it hold the size in bytes.
    """

    def __init__(self, words: int) -> None:
        raw = np.zeros(words + SIZE_WORD + _ALIGN // 8, dtype=np.int64)
        start = SIZE_WORD + (-(raw.ctypes.data + 8 * SIZE_WORD) % _ALIGN) // 8
        raw[start - SIZE_WORD] = 8 * words
        self._raw = raw  # owns the memory
        self.words: Words = raw[start : start + words]
        self.address: int = self.words.ctypes.data

    @classmethod
    def holding(cls, words: Words) -> Block:
        """A block with a copy of ``words``."""
        block = cls(len(words))
        block.words[:] = words
        return block


def slots_within(megabytes: int, slot_bytes: int) -> int:
    """The largest power of two of slots that fits into a table of so many megabytes, 1 at least."""
    slots = 1
    while 2 * slots * slot_bytes <= max(1, megabytes) << 20:
        slots *= 2
    return slots


def copy_state(state: Block) -> Block:
    """An independent copy of a game's state, without the scratch behind the current frame."""
    other = Block(len(state.words))
    used = int(state.words[H_FRAME] + state.words[H_FRAME_WORDS])
    other.words[:used] = state.words[:used]
    return other


# ---- state header: what the search reads of any game -------------------------------------------
#: The start of a state block, the same in every game.
HEADER = Layout(
    "header",
    align=128,
    frame=i64,  # word offset of the current frame
    side=i64,  # side to move, 0 or 1
    key=i64,  # hash key of the position
    check=i64,  # 1 if the side to move must answer a threat (a check)
    moves=i64,  # index, in 32-bit words of the state, of the room for move lists
    frame_words=i64,  # words of a frame: what lies behind the current frame is scratch
    parts=i64,  # word of a frame from which on keys of PARTS parts of the position lie, or NO_PARTS
    stop=shared,  # set from outside: a running perft ends, its count is void
    # addresses of three of the game's entries, for those shared ones that need them; filled by
    # ryugi_engine.games.rules.BaseRules
    generate=i64,
    make=i64,
    unmake=i64,
)
GAME_WORDS = HEADER.words
(
    H_FRAME,
    H_SIDE,
    H_KEY,
    H_CHECK,
    H_MOVES,
    H_FRAME_WORDS,
    H_PARTS,
    H_STOP,
    H_GENERATE,
    H_MAKE,
    H_UNMAKE,
) = (HEADER.word(field) for field in HEADER.fields)

#: Parts of a position that change seldom, each with a key of its own: by them the search learns
#: what the evaluation is wrong by. They are the field ``parts`` of a game's frame, if it has one.
PARTS = 3
NO_PARTS = -1

# ---- what status() and no_moves() answer, from the side to move's point of view ------------------
ONGOING, DRAWN, LOST, WON = range(4)

# ---- kinds of moves that generate() lists -------------------------------------------------------
ALL = 0
TACTICAL = 1  # what quiescence looks at
PROMISING = 2  # ALL without moves that lose at once, and of several that win at once only one


# ---- limits: what a game must keep to ``ryugi-engine check --game`` looks at -------------------
#: Moves that fit into a state's room for move lists, all plies of a line together.
MOVE_ROOM = 1 << 17
#: Plies that a search goes down at most. ``Rules.room`` leaves the state so many more.
SEARCH_PLIES = 128
#: Legal moves that a position may have.
MAX_MOVES = 2048
#: A move's code is in 1..MAX_CODE: 0 is no move, and lists hold 32-bit words.
MAX_CODE = (1 << 31) - 1
#: ``order``'s hint for a quiet move is in 0..TACTICAL_HINT - 1 and is added to what the search has
#: learnt of the move, which is within +-HISTORY_LIMIT. From TACTICAL_HINT on it calls the move
#: tactical: those are looked at first, in the order of their hints, up to MAX_HINT.
TACTICAL_HINT = 1 << 19
MAX_HINT = (1 << 29) - 1
HISTORY_LIMIT = 16_384
#: What a tactical move's hint goes down by when ``exchange`` says that it loses material: such a
#: hint is smaller, so that the move comes behind the quiet ones.
LOST_EXCHANGE = 1 << 21
#: A history slot is in 0..MAX_SLOT; the search tells HISTORY_SLOTS of them apart.
MAX_SLOT = (1 << 20) - 1
HISTORY_SLOTS = 8192
#: Evaluations are in +-EVAL_LIMIT, beyond are the scores of decided games.
EVAL_LIMIT = 29_000


class Kernels(NamedTuple):
    """The entries of a game; :func:`ryugi_engine.kernel.stubs.kernels` has those it may leave out.

    S is a state's address; all arguments and results are int64.
    """

    generate: Entry  # (S, kind, out) -> n: legal moves as 32-bit words of S from ``out`` on
    make: Entry  # (S, move)
    unmake: Entry  # (S)
    make_null: Entry  # (S) -> 1 if the side to move has passed, 0 if it must not
    unmake_null: Entry  # (S)
    evaluate: Entry  # (S) -> centipawns for the side to move
    status: Entry  # (S, plies from the search's root) -> ONGOING, DRAWN, LOST or WON
    no_moves: Entry  # (S) -> the same for a position without a legal move
    order: Entry  # (S, moves, n, W, out): 32-bit pairs (score, history slot), see search/picker
    exchange: Entry  # (S, move, threshold) -> 1 if the exchange wins at least that much
    perft: Entry  # (S, depth, bulk, out) -> sequences of legal moves


#: How many arguments each of them takes, in the same order.
ARITIES = (3, 2, 1, 1, 1, 1, 2, 1, 5, 3, 4)
