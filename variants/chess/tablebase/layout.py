"""Memory of a tablebase: one material against a bare king.

A square is ``rank * 8 + file``, a set of squares one word. A placement is where the king and the
one or two pieces of the strong side stand. With an even number of files the king stands on the left
half of the board; others are mirrored. A set or a distance of a placement is about the squares of
the bare king.
"""

from __future__ import annotations

from ryugi_engine.kernel.views import Layout, i64, u8

SQUARES, MAX_DIRECTIONS, MAX_STEPS = 64, 32, 16
#: Squares that a piece goes in each direction, ahead and back, if nothing is in its way.
PIECE = Layout(
    "tablebase piece",
    directions=i64,
    step=i64[MAX_DIRECTIONS],  # difference of squares
    ahead=u8[MAX_DIRECTIONS, SQUARES],
    back=u8[MAX_DIRECTIONS, SQUARES],
)
#: Where the bare king may stand: with the strong side to move; with its own to move and not in
#: stalemate; of these, where it is known to be mated.
SETS = Layout("placement", align=32, free=i64, losable=i64, won=i64, lost=i64)
SETS_WORDS = SETS.words
TABLE = Layout(
    "tablebase",
    files=i64,
    king_files=i64,  # files on which the strong king may stand
    squares=i64,  # all squares of the board
    kings=i64,  # squares of the strong king that are looked at
    king_of_number=u8[SQUARES],
    number_of_king=u8[SQUARES],
    second=i64,  # bits of the second piece's square in a placement's number: 6, with one piece 0
    alike=i64,  # 1 if the two are of one kind: the first stands on the lower square
    stalemate_loses=i64,
    odd=i64[3],  # masks of a mirroring: every other file, pair of files, four files
    steps=i64,  # of the bare king
    step=i64[MAX_STEPS],
    step_to=i64[MAX_STEPS],  # squares to which it makes the step
    all_round=i64,  # 1 if it steps to all eight neighbours, first of all to the left and right
    piece=PIECE[3],  # of the strong side: the king first
    sets=i64,  # address: SETS of each placement
    pending=i64,  # address: where a move may have become a winning one
    prey=i64,  # address: bytes, 1 if the first piece is not protected, and 2 for the second
    due=i64,  # address: bytes, the distance at which to look at a placement again
    distances=i64,  # address: bytes, moves to mate with the strong side to move, 0 for no mate
    without=i64[2],  # address of the table without a piece, 0 without the last one
    after_capture=i64,  # the longest of those tables
    known=i64,  # up to where all distances are known
    longest=i64,  # the largest of the distances
)
