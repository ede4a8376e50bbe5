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
#: What they are called, where that is not their name.
_CALLED = {
    "fersAlfil": "Elephant", "aiwok": "Ai-wok", "bers": "Dragon king", "knibis": "Knight",
    "biskni": "Bishop", "kniroo": "Knight", "rookni": "Rook", "shogiPawn": "Pawn",
    "shogiKnight": "Knight", "dragonHorse": "Dragon horse", "clobber": "Stone",
    "breakthrough": "Pawn", "immobile": "Disc", "janggiCannon": "Cannon",
    "janggiElephant": "Elephant", "fers": "Ferz",
}  # fmt: skip
#: Names of pieces whose moves the definition gives.
CUSTOM = tuple(f"customPiece{number}" for number in range(1, 26))


def called(name: str) -> str:
    """Return what a piece is called; "" if the definition gives its moves."""
    return "" if name in CUSTOM else _CALLED.get(name, name.capitalize())
