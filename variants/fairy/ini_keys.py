"""The keys of ``variants.ini``: what they hold, and the rules that they set.

A rule's key there is its name here in ``camelCase``; a rule by colour has one key for both, and
one each with ``White`` and ``Black``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import NamedTuple

from variants.fairy.definition import Rules

#: Rules whose key is another.
_OTHER_NAMES = {"promotion": "promotionPieceTypes", "passing": "pass", "connect_nxn": "connectNxN"}
_BY_COLOUR = ("set", "region", "flags")
_KINDS = {"set": "set", "region": "text", "flags": "flag", "flag": "flag", "number": "number",
          "choice": "text", "limits": "limits", "pieces": "pairs", "rights": "text"}  # fmt: skip


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
    for key in ("castling", "doubleStep", "chess960"):
        keys[key] = Key("flag", (key,))
    both = ("castlingKingPieceWhite", "castlingKingPieceBlack")
    keys["castlingKingPiece"] = Key("set", both)
    keys |= {one: Key("set", (one,)) for one in both}
    return keys


KEYS: Mapping[str, Key] = _all_keys()
#: Keys that change nothing here.
IDLE = ("variantTemplate", "pieceToCharTable", "pieceValueMg", "pieceValueEg", "nnueAlias",
        "pocketSize", "countingRule", "chasingRule", "moveRepetitionIllegal")  # fmt: skip
#: Keys with the values that they can have here.
FIXED: Mapping[str, tuple[str, ...]] = {
    "twoBoards": ("false",), "cambodianMoves": ("false",), "sittuyinPromotion": ("false",),
    "sittuyinRookDrop": ("false",), "shatarMateRule": ("false",), "petrifyBlastPieces": ("false",),
}  # fmt: skip
