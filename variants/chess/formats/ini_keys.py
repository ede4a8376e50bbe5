"""The keys of ``variants.ini``: what they hold, the rules that they set, the pieces they name.

A rule's key there is its name here in ``camelCase``. A rule by colour has one key for both, and one
each with ``White`` and ``Black``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import NamedTuple

from variants.chess.definition.game_rules import Rules

#: Rules whose key is another.
_OTHER_NAMES = {"promotion": "promotionPieceTypes", "passing": "pass", "connect_nxn": "connectNxN"}
_BY_COLOUR = ("set", "region", "flags")
_KINDS = {"set": "set", "region": "region", "flags": "flag", "flag": "flag", "number": "number",
          "choice": "text", "limits": "limits", "pieces": "pairs", "rights": "text"}  # fmt: skip
#: What Fairy-Stockfish does not have: a section's own, and what is inherited.
OWN = ("title", "about", "group")
LOOKS = ("board", "river", "pieceSet", "signs", "names", "sides")


class Key(NamedTuple):
    """What a key holds, and the names of the values that it sets."""

    kind: str
    sets: tuple[str, ...]


def camel_case(rule: str) -> str:
    """Return the key of a rule."""
    if rule in _OTHER_NAMES:
        return _OTHER_NAMES[rule]
    first, *rest = rule.split("_")
    return first + "".join(part[0].upper() + part[1:] for part in rest)


def _all_keys() -> dict[str, Key]:
    keys: dict[str, Key] = {}
    for field in dataclasses.fields(Rules):
        name, kind = camel_case(field.name), field.metadata["kind"]
        if kind == "regions":
            continue
        if kind not in _BY_COLOUR:
            keys[name] = Key(_KINDS[kind], (name,))
            continue
        both = (f"{name}White", f"{name}Black")
        keys[name] = Key(_KINDS[kind], both)
        for one in both:
            keys[one] = Key(_KINDS[kind], (one,))
    pawns = ("promotionPawnTypes", "enPassantTypes", "nMoveRuleTypes")
    keys["pawnTypes"] = Key(
        "set", tuple(f"{n}{side}" for n in pawns for side in ("White", "Black"))
    )
    for key in ("maxFile", "maxRank", "castlingKingsideFile", "castlingQueensideFile",
                "castlingRookKingsideFile", "castlingRookQueensideFile", "castlingKingFile",
                "startFen", "castlingRank"):  # fmt: skip
        keys[key] = Key("text", (key,))
    keys |= {key: Key("text", (key,)) for key in (*OWN, *LOOKS)}
    for key in ("castling", "doubleStep", "chess960", "river"):
        keys[key] = Key("flag", (key,))
    both = ("castlingKingPieceWhite", "castlingKingPieceBlack")
    keys["castlingKingPiece"] = Key("set", both)
    keys |= {one: Key("set", (one,)) for one in both}
    return keys


def _all_old_keys() -> dict[str, Key]:
    """Return the keys that Fairy-Stockfish reads for the sake of old files."""
    flags = {"whiteFlag": "flagRegionWhite", "blackFlag": "flagRegionBlack"}
    drops = {"whiteDropRegion": "dropRegionWhite", "blackDropRegion": "dropRegionBlack"}
    keys = {old: Key("region", (new,)) for old, new in (flags | drops).items()}
    partners = ("castlingRookPiecesWhite", "castlingRookPiecesBlack")
    keys["castlingRookPiece"] = Key("set", partners)
    promotion = ("promotionRegionWhite", "promotionRegionBlack")
    double_step = ("doubleStepRegionWhite", "doubleStepRegionBlack")
    keys["promotionRank"] = Key("zone", promotion)
    # of the two the second counts where there is no first, which then stands for the second rank
    keys["doubleStepRankMin"] = Key("second rank", double_step)
    keys["doubleStepRank"] = Key("ranks", double_step)
    keys["dropOnTop"] = Key("top", ("enclosingDrop",))
    return keys


#: Old keys in the order in which they are read: of two that set the same the later one counts.
OLD_KEYS: Mapping[str, Key] = _all_old_keys()
KEYS: Mapping[str, Key] = _all_keys()


def order(key: str) -> int:
    """Return a key's place in the reading order: board, old keys, aliases, both colours, one."""
    if key in ("maxFile", "maxRank"):
        return 0
    if key in OLD_KEYS:
        return 1 + list(OLD_KEYS).index(key)
    last = 1 + len(OLD_KEYS)
    if key == "pawnTypes":
        return last
    if key == "wallingRegion":
        return last + 3
    return last + 1 + key.endswith(("White", "Black"))


#: Keys that change nothing here.
IDLE = ("variantTemplate", "pieceToCharTable", "pieceValueMg", "pieceValueEg", "nnueAlias",
        "pocketSize")  # fmt: skip
#: Flags of rules that cannot be played here.
MISSING = ("twoBoards",)

#: The pieces that have a key, with their moves; source: the comments of ``variants.ini``.
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


#: Rules that Fairy-Stockfish does not have; those that only say when a draw needs no claim.
NOT_THEIRS = (
    "free_drops", "moves_a_turn", "black_moves_a_turn", "first_turn_moves", "progressive",
    "check_ends_turn", "alice_boards", "piece_promotion_on_entry", "lion_types",
    "lion_bait_types", "bare_king_rule", "bare_king_minor_types", "perpetual_attack_illegal",
)  # fmt: skip
OF_CLAIMS = ("n_move_limit", "n_fold_limit", "lone_minors")
#: Rules by colour that it has for both sides alike only.
ONE_FOR_BOTH = (
    "blast_immune_types", "connect_piece_types", "diagonal_lines", "drop_no_doubled",
    "enclosing_drop_start", "extinction_piece_types", "must_drop_type", "mutually_immune_types",
    "petrify_on_capture_types",
)  # fmt: skip
