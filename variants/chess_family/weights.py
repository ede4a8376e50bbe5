"""The numbers of the hand-written evaluation: few, and the same for all games of the family.

They say what something is worth that pieces *do*, never what a piece of some game is worth, so that
a game that nobody has trained gains from those that were. ``values`` makes a game's tables of them.
Centipawns, a middle-game and an end-game share of most; ``ryugi-engine train tune`` fits them to
recorded positions, see ``ryugi_engine/train/TRAINING.md``.
"""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    """By name; a piece's *mobility* is its crowded mobility, see ``values``."""

    # ---- pieces: a square of mobility by each movement, and what all of it adds
    value_leap: float = 55.0
    value_ortho: float = 55.0
    value_diag: float = 55.0
    value_rider: float = 55.0
    value_square: float = 0.9  # the square of the whole mobility
    value_joint: float = 0.0  # each movement beyond the first
    value_length: float = 0.0  # each square that a leap reaches, by the leap's length
    value_bound: float = 0.0  # never leaves its colour
    # the same for the end game, on top of the above and a sixteenth of it
    ending_leap: float = 0.0
    ending_ortho: float = 0.0
    ending_diag: float = 0.0
    ending_rider: float = 0.0
    ending_square: float = 0.0
    ending_joint: float = 0.0
    ending_length: float = 0.0
    ending_bound: float = 0.0
    # ---- squares: by mobility there less the mean, by advance and by closeness to the centre, 0..1
    gain_middle: float = 5.0
    gain_end: float = 4.0
    advance_middle: float = 6.0
    advance_end: float = 0.0
    centre_middle: float = 0.0
    centre_end: float = 4.0
    king_advance_middle: float = -60.0
    king_advance_end: float = 0.0
    king_centre_middle: float = -26.0
    king_centre_end: float = 46.0
    # ---- mobility: a square more than four, and four times the root's growth beyond two
    ortho_middle: float = 3.0
    ortho_end: float = 4.0
    ortho_root_middle: float = 0.0
    ortho_root_end: float = 0.0
    diag_middle: float = 4.0
    diag_end: float = 4.0
    diag_root_middle: float = 0.0
    diag_root_end: float = 0.0
    rider_middle: float = 4.0
    rider_end: float = 4.0
    rider_root_middle: float = 0.0
    rider_root_end: float = 0.0
    leap_middle: float = 4.0
    leap_end: float = 4.0
    leap_root_middle: float = 0.0
    leap_root_end: float = 0.0
    # ---- files: what moves like a rook with no pawn of its own before it, and with none at all
    half_open_middle: float = 0.0
    half_open_end: float = 0.0
    open_middle: float = 0.0
    open_end: float = 0.0
    # ---- pairs: two that move diagonally, colour-bound pieces on both colours
    diagonals_middle: float = 28.0
    diagonals_end: float = 40.0
    pair_middle: float = 0.0
    pair_end: float = 0.0
    # ---- pawns, beyond their value of 100
    pawn_middle: float = -8.0
    pawn_end: float = -6.0
    pawn_advance_middle: float = 14.0
    pawn_advance_end: float = 50.0
    pawn_centre_middle: float = 10.0
    pawn_centre_end: float = 0.0
    isolated_middle: float = -9.0
    isolated_end: float = -11.0
    doubled_middle: float = -6.0
    doubled_end: float = -14.0
    defended_middle: float = 0.0  # by a pawn
    defended_end: float = 0.0
    beside_middle: float = 0.0  # another pawn's neighbour
    beside_end: float = 0.0
    # passed, by the square of the ranks that it has advanced
    passed_middle: float = 2.0
    passed_end: float = 3.0
    passed_free_middle: float = 0.0  # nothing stands before it
    passed_free_end: float = 2.0
    passed_defended_middle: float = 0.0
    passed_defended_end: float = 0.0
    # by the ranks advanced and each step that a king is from the square before it
    passed_own_king_end: float = 0.0
    passed_other_king_end: float = 0.0
    # ---- kings: pawns before one's own, at most three
    shelter_middle: float = 11.0
    shelter_end: float = 0.0
    # what the square of the danger's units counts (in 100 units squared), and at most
    danger: float = 200.0
    danger_most: float = 400.0
    # units for each square beside a king that a movement attacks
    danger_ortho: float = 10.0
    danger_diag: float = 10.0
    danger_rider: float = 10.0
    danger_leap: float = 10.0
    danger_weak: float = 0.0  # more for one that only the king defends
    # ---- threats: to a piece, and for each hundred of its value
    pawn_threat_middle: float = 0.0
    pawn_threat_end: float = 0.0
    pawn_threat_value_middle: float = 0.0
    pawn_threat_value_end: float = 0.0
    hanging_middle: float = 0.0  # attacked, and defended by nothing
    hanging_end: float = 0.0
    hanging_value_middle: float = 0.0
    hanging_value_end: float = 0.0
    hanging_pawn_middle: float = 0.0
    hanging_pawn_end: float = 0.0
    # ---- the right to move
    tempo: float = 12.0


#: Those that games are played with.
WEIGHTS = Weights()
