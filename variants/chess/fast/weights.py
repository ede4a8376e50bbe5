"""The weights of the hand-crafted evaluation (HCE), the same for all games of the family.

They value movements and pawn structure, never the pieces of one game, so that games without
training data gain from the others. ``values`` and ``eval_tables`` make a game's tables of them. In
centipawns, most with a middle-game and an end-game share.

They were fitted by Gauss-Newton to the results of self-play. There were 50,000 positions each of
Ryugi, chess, Capablanca and the first five games of ``scripts/zoo.toml``. The pieces of these five
leap and ride in all ways and join them. Loss before and after, on games kept apart: Ryugi .11613
.11271, chess .09180 .09067, Capablanca .11921 .11584. Of games that nothing was learnt from: Gothic
.11446 .11144, Janus .10841 .10609, Unicorn Great .11327 .11195, zoox .10070 .09868.

King safety was fitted to 150,000 more positions each of chess, Capablanca and Ryugi, from games in
which kings are attacked. Self-play without king safety has too few such positions. Danger units are
on the scale of Stockfish's king danger, whose numbers the games were played with.
"""

from __future__ import annotations

from typing import Any, NamedTuple

#: A weight that is a term's whole number in a game's tables. It is the middle-game or end-game
#: share of a packed score (NAME_middle, NAME_end), a score, or units of king danger. A ``float`` is
#: a weight from which a table by rank, square or piece is made.
Packed = float
Centipawns = float
DangerUnits = float


class Weights(NamedTuple):
    """All weights of the hand-crafted evaluation.

    They change nothing in games with a net: chess, Ryugi, Capablanca, Gothic, Janus, Embassy.
    A piece's *mobility* is its crowded mobility, see ``values``.
    """

    # ---- piece values: for each square of mobility, by movement
    value_leap: float = 45.9
    value_ortho: float = 44.9
    value_diag: float = 56.0
    value_rider: float = 53.6
    value_square: float = 0.622  # the square of the whole mobility
    value_joint: float = -12.1  # each movement beyond the first
    value_length: float = 2.45  # each square that a leap reaches, by the leap's length
    value_bound: float = -42.9  # colourbound
    # added for the end game, to the above and a sixteenth of it
    ending_leap: float = -6.4
    ending_ortho: float = 9.68
    ending_diag: float = -1.71
    ending_rider: float = 6.84
    ending_square: float = 1.27
    ending_joint: float = 85.5
    ending_length: float = 1.39
    ending_bound: float = -21.9
    # ---- piece-square tables: by mobility there less the mean, advance 0..1, centre 0..1
    gain_middle: float = -4.22
    gain_end: float = 5.32
    advance_middle: float = -53.9
    advance_end: float = 33.4
    centre_middle: float = 82.5
    centre_end: float = -14.8
    king_advance_middle: float = -8.14
    king_advance_end: float = 118.0
    king_centre_middle: float = -229.0
    king_centre_end: float = 67.2
    # ---- mobility of n squares: times n - 4, and root times 4 * (sqrt(n) - 2)
    ortho_middle: float = 1.95
    ortho_end: float = -0.638
    ortho_root_middle: float = 1.24
    ortho_root_end: float = 8.57
    diag_middle: float = 1.48
    diag_end: float = -5.85
    diag_root_middle: float = 1.79
    diag_root_end: float = 12.3
    rider_middle: float = 5.29
    rider_end: float = -6.45
    rider_root_middle: float = -3.41
    rider_root_end: float = 8.44
    leap_middle: float = 5.55
    leap_end: float = -6.7
    leap_root_middle: float = 2.21
    leap_root_end: float = 6.96
    # ---- rook movement on half-open and open files
    half_open_middle: Packed = -15.0
    half_open_end: Packed = 28.4
    open_middle: Packed = 27.5
    open_end: Packed = -10.1
    # ---- pair of colourbound pieces on both colours
    pair_middle: Packed = 21.4
    pair_end: Packed = 55.5
    # ---- pawns, beyond their value of 100
    pawn_middle: float = -50.3
    pawn_end: float = 32.1
    pawn_advance_middle: float = -5.07
    pawn_advance_end: float = 72.7
    pawn_centre_middle: float = 34.7
    pawn_centre_end: float = -51.6
    isolated_middle: Packed = -9.42
    isolated_end: Packed = -11.7
    doubled_middle: Packed = 4.37
    doubled_end: Packed = -13.6
    defended_middle: Packed = 7.83  # by a pawn
    defended_end: Packed = 2.55
    beside_middle: Packed = 8.47  # phalanx: another pawn next to it
    beside_end: Packed = 4.83
    # passed, times the square of the ranks advanced
    passed_middle: float = 2.06
    passed_end: float = 1.79
    passed_free_middle: float = 0.28  # the square ahead is empty
    passed_free_end: float = 4.19
    # times ranks advanced and the king's distance to the square ahead
    passed_own_king_end: float = -1.74
    passed_other_king_end: float = 3.61
    # ---- kings: for each of at most three shelter pawns
    shelter_middle: Packed = -2.83
    shelter_end: Packed = 8.6
    # king danger: times squared units / 10000, and its maximum
    danger: float = 1.23
    danger_most: Centipawns = 1220.0
    # danger units, rounded: for each movement that attacks the king ring, times attackers
    danger_ortho: float = 76.1
    danger_diag: float = 33.8
    danger_rider: float = 0.0
    danger_leap: float = 76.5
    danger_near: DangerUnits = 54.5  # each attack on a square next to the king
    danger_weak: DangerUnits = 217.0  # each square of the ring that only the king defends
    danger_first: DangerUnits = 356.0  # there is a safe check
    danger_check: DangerUnits = 229.0  # each square of a safe check, three at most
    danger_try: DangerUnits = 35.5  # each square of another check
    danger_bare: DangerUnits = 119.0  # each missing shelter pawn of three
    danger_light: DangerUnits = 184.0  # subtracted if no attacker combines movements
    danger_calm: DangerUnits = 184.0  # subtracted always
    # ---- threats: to a piece, and for each 100 of its value
    pawn_threat_middle: float = 72.0
    pawn_threat_end: float = 27.4
    pawn_threat_value_middle: float = -4.14
    pawn_threat_value_end: float = 0.0215
    hanging_middle: float = 26.1  # attacked and not defended
    hanging_end: float = 35.5
    hanging_value_middle: float = 3.21
    hanging_value_end: float = -0.771
    hanging_pawn_middle: float = 23.9
    hanging_pawn_end: float = 46.7
    # ---- side to move
    tempo: Centipawns = 16.4


#: The weights that games are played with.
WEIGHTS = Weights()


def _annotated(kind: str) -> tuple[str, ...]:
    hints: dict[str, Any] = Weights.__annotations__
    return tuple(name for name, hint in hints.items() if hint.__forward_arg__ == kind)


#: Terms that are one number of a game's tables, under their name here: ``layout`` makes their
#: fields and ``eval_tables`` fills them.
PACKED_TERMS = tuple(
    name.removesuffix("_middle") for name in _annotated("Packed") if name.endswith("_middle")
)
CENTIPAWN_TERMS = _annotated("Centipawns")
UNIT_TERMS = _annotated("DangerUnits")
