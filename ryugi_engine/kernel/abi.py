"""The interface between a game's kernels and their callers: memory blocks, header, entries, limits.

A block's address is one capital letter: S is a state, T the game's tables, W a search thread's
block. ``f`` is the word offset of a frame in S, ``g`` that of the frame after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ryugi_engine.errors import UserError
from ryugi_engine.kernel import declarations
from ryugi_engine.kernel.block import Block, Words
from ryugi_engine.kernel.views import Layout, i64, shared

if TYPE_CHECKING:
    from ryugi_engine.kernel.jit import Entry


def slots_within(megabytes: float, slot_bytes: int) -> int:
    """Return how many slots a table of so many MiB holds: a power of two, at least 1."""
    slots = 1
    while 2 * slots * slot_bytes <= megabytes * (1 << 20):
        slots *= 2
    return slots


# ---- state header: what search, perft and Position read of any game --------------------------
#: The start of a state block, the same in every game.
HEADER = Layout(
    "header",
    align=128,
    frame=i64,  # word offset of the current frame
    side=i64,  # side to move, 0 or 1
    key=i64,  # hash key of the position
    # IN_CHECK if the side to move must answer a threat, COMPELLED if it has a capture and
    # captures are compulsory, else 0
    check=i64,
    moves=i64,  # index, in 32-bit words of the state, of the move buffer
    frame_words=i64,  # size of a frame; the words after the current frame are scratch
    # word of a frame at which its CORRECTION_KEYS correction keys begin, or NO_CORRECTION_KEYS
    correction_keys=i64,
    stop=shared,  # set by another thread: a running perft ends, its count is void
    # addresses of three of the game's entries, for the shared ones of kernel/defaults.py;
    # filled by ryugi_engine.games.rules.BaseRules
    generate=i64,
    make=i64,
    unmake=i64,
)

#: Values of the header's ``check``.
IN_CHECK, COMPELLED = 1, 2

#: Correction keys of a position: hashes of parts of it that change seldom, such as the pawns. The
#: search's correction history is indexed by them. They are the field ``correction_keys`` of a
#: game's frame, if it has one.
CORRECTION_KEYS = 3
NO_CORRECTION_KEYS = -1

# ---- results of status() and no_moves(), from the side to move's point of view -----------------
ONGOING, DRAWN = declarations.ONGOING, declarations.DRAWN
LOST, WON = declarations.LOST, declarations.WON

# ---- kinds of moves that generate() lists -----------------------------------------------------
ALL = 0
TACTICAL = 1  # those that the quiescence search tries
#: ALL without moves that lose at once, or that are like many others; of those that win only one.
PROMISING = 2


def used_words(state: Block) -> Words:
    """Return a view of a state's words up to the end of the current frame."""
    header = HEADER.of(state)
    return state.words[: header["frame"] + header["frame_words"]]


class CrowdedPosition(UserError):
    """A position with more legal moves than a list may hold."""

    def __init__(self, subject: str = "") -> None:
        self._subject = subject
        text = f"{subject} more than {MAX_MOVES:,} legal moves, which is the engine's limit"
        super().__init__(text.strip())

    def __reduce__(self) -> tuple[type[CrowdedPosition], tuple[str]]:
        """Return how another process makes the error again."""
        return CrowdedPosition, (self._subject,)


def list_moves(generate: Entry, state: Block, kind: int = ALL) -> list[int]:
    """Return the codes of the legal moves of a kind, in the generator's order.

    Raises CrowdedPosition if there are more than MAX_MOVES.
    """
    first = int(HEADER.of(state)["moves"])
    count = generate(state.address, kind, first)
    if count > MAX_MOVES:
        raise CrowdedPosition
    codes: list[int] = state.words.view(np.int32)[first : first + count].tolist()
    return codes


def copy_state(state: Block, into: Block | None = None, *, huge: bool = True) -> Block:
    """Return an independent copy of a game's state, without the scratch after the frame.

    The copy is made in ``into``, a state that is not needed any more, if that has the same size.
    ``huge`` as in ``Block``: it is for a state that is searched, of which much is used.
    """
    fits = into is not None and len(into.words) == len(state.words)
    other = into if into is not None and fits else Block(len(state.words), huge)
    used = used_words(state)
    other.words[: len(used)] = used
    other.keeps = state.keeps
    return other


# ---- limits that a game must keep; ``ryugi-engine check --game`` checks them -------------------
#: Moves that fit into a state's move buffer, all plies of a line together. A search ends a line
#: that has no room left for MAX_MOVES.
MOVE_CAPACITY = 1 << 17
#: Maximum depth of a search in plies. ``Rules.capacity`` leaves the state so many more.
SEARCH_PLIES = 128
#: Maximum number of legal moves in a position.
MAX_MOVES = declarations.MAX_MOVES
#: ``generate``'s result for a list that is longer, or that the move buffer has no room for.
OVERFULL = MAX_MOVES + 1
#: ``perft``'s result if a position on the way has such lists.
UNCOUNTED = -1
#: A move code is in 1..MAX_CODE: 0 is no move, and move lists hold 32-bit words.
MAX_CODE = (1 << 31) - 1
#: ``order``'s score of a quiet move is in 0..TACTICAL_SCORE - 1; the search adds the move's history
#: score, which is within +-HISTORY_LIMIT. A move with a score of TACTICAL_SCORE..MAX_ORDER_SCORE is
#: tactical: the search tries tactical moves first, the highest score first.
TACTICAL_SCORE = declarations.TACTICAL_SCORE
MAX_ORDER_SCORE = (1 << 29) - 1
HISTORY_LIMIT = 49_152
#: Subtracted from a tactical move's score when ``exchange`` says that it loses material: the move
#: then comes after the quiet ones.
LOST_EXCHANGE = 1 << 21
#: A history slot is in 0..MAX_SLOT; the search's tables have HISTORY_SLOTS entries (modulo).
MAX_SLOT = (1 << 20) - 1
HISTORY_SLOTS = 8192
#: Static evaluations are within +-EVAL_LIMIT centipawns; mate scores lie beyond.
EVAL_LIMIT = 29_000


class Kernels(NamedTuple):
    """A game's entries; :func:`ryugi_engine.kernel.defaults.kernels` supplies the optional ones.

    S is a state's address; all arguments and results are int64, scores are centipawns.
    """

    #: (S, kind, out) -> number of legal moves, written to 32-bit words of S from ``out`` on. More
    #: than MAX_MOVES: what was written is void. It never writes beyond the move buffer.
    generate: Entry
    make: Entry  # (S, move)
    unmake: Entry  # (S)
    make_null: Entry  # (S) -> 1 if the side to move has passed, 0 if it may not
    unmake_null: Entry  # (S)
    evaluate: Entry  # (S) -> centipawns for the side to move
    status: Entry  # (S, plies from the search's root) -> ONGOING, DRAWN, LOST or WON
    no_moves: Entry  # (S) -> DRAWN, LOST or WON of a position without a legal move
    order: Entry  # (S, moves, n, W, out): writes n pairs of 32 bits, (score, history slot)
    exchange: Entry  # (S, move, threshold) -> 1 if static exchange evaluation >= threshold
    #: (S, move) -> 0 if ``check`` is surely 0 after a legal move. The search then prunes it unmade.
    may_check: Entry
    perft: Entry  # (S, depth, bulk, out) -> number of sequences of legal moves, or UNCOUNTED


#: Number of arguments of each entry, in the same order.
ARITIES = (3, 2, 1, 1, 1, 1, 2, 1, 5, 3, 2, 4)
