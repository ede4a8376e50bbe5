"""Fairy-Stockfish's names of pieces, with their moves; source: the comments of ``variants.ini``."""

from __future__ import annotations

from collections.abc import Mapping

PIECES: Mapping[str, str] = {
    "pawn": "fmWfceF", "knight": "N", "bishop": "B", "rook": "R", "queen": "Q", "fers": "F",
    "alfil": "A", "fersAlfil": "FA", "silver": "FfW", "aiwok": "RNF", "bers": "RF",
    "archbishop": "BN", "chancellor": "RN", "amazon": "QN", "knibis": "mNcB", "biskni": "mBcN",
    "kniroo": "mNcR", "rookni": "mRcN", "shogiPawn": "fW", "lance": "fR", "shogiKnight": "fN",
    "gold": "WfF", "dragonHorse": "BW", "clobber": "cW", "breakthrough": "fmWfF", "immobile": "",
    "cannon": "mRcpR", "janggiCannon": "pR", "soldier": "fsW", "horse": "nN", "elephant": "nA",
    "janggiElephant": "nZ", "banner": "RcpRnN", "wazir": "W", "commoner": "K", "centaur": "KN",
    "king": "K",
}  # fmt: skip
#: Names of pieces whose moves the definition gives.
CUSTOM = tuple(f"customPiece{number}" for number in range(1, 26))
