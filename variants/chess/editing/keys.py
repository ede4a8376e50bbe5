"""All keys of a definition with their meaning, value, default and an example.

The rules' meanings are the comments of the fields of :mod:`variants.chess.definition.game_rules`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any, NamedTuple

from ryugi_engine.games.groups import GROUPS
from ryugi_engine.games.look import BOARDS, CHEQUERED
from variants.chess.definition import game_rules
from variants.chess.definition.appearance import CHESS, PIECE_SETS
from variants.chess.definition.game_rules import ALL, Rules
from variants.chess.formats.toml import DIALECTS, MAX_FILES, MAX_RANKS

#: Examples of values where the kind of a key does not give one.
_EXAMPLES = {
    "promotion": '"QRBN"', "promotion_region": '"*7 *8"', "promotion_limit": "{ Q = 1 }",
    "promoted_piece_type": '{ P = "G" }', "mobility_region": '{ K = "d1 e1 f1" }',
    "double_step_region": '"*2 e3"', "en_passant_region": '["*6", "*3"]', "moves_a_turn": "2",
    "black_moves_a_turn": "1", "first_turn_moves": "1", "soldier_promotion_rank": "6",
    "diagonal_lines": '"d1 f1 e2 d3 f3"', "drop_region": '"*1 *2 *3"',
    "drop_no_doubled_count": "2", "castling_wins": '"KQkq"', "extinction_piece_types": '"*"',
    "extinction_piece_count": "1", "extinction_opponent_piece_count": "2",
    "flag_region": '"d4 e4 d5 e5"', "flag_piece_count": "2", "connect_n": "3",
    "connect_region1": '"*1"', "connect_region2": '"*8"', "connect_nxn": "2",
    "collinear_n": "4", "n_move_rule": "64", "n_move_limit": "96", "n_fold_rule": "4",
    "n_fold_limit": "5", "passing": "[true, false]",
}  # fmt: skip
_TYPES = {
    "flag": "flag", "flags": "flag", "set": "pieces", "region": "region", "rights": "text",
    "limits": "table", "pieces": "table", "regions": "table",
}  # fmt: skip
_DEFAULTS = {"last": "the last rank", "starts": "where they start", "pawn": "the pawn", ALL: "all"}


class Row(NamedTuple):
    """A key as the table has it."""

    key: str
    value: str
    default: str
    meaning: str
    example: str


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


#: The keys that are no rules.
_KEYS = (
    Row("title", "text", "the name", "The game's name for people.", '"An example"'),
    Row("about", "text", "", "What is special, in a line.", '"Two kings a side"'),
    Row(
        "group", "text", "by the rules", f"The group in lists of games: {'; '.join(GROUPS)}.",
        '"Large boards"',
    ),
    Row("aliases", "list", "", "Other names.", '["example"]'),
    Row("files", f"1..{MAX_FILES}", "8", "The board's files.", "10"),
    Row("ranks", f"1..{MAX_RANKS}", "8", "The board's ranks.", "10"),
    Row("start", "text", "needed", "The start position, see [Notation](#notation).", '"8/8 w - -"'),
    Row(
        "pieces",
        "table",
        "needed",
        "The moves of every letter, and by `+P` those of a promoted piece that no letter has.",
        '{ K = "K", N = "fN" }',
    ),
    Row("betza", _names(DIALECTS), "xboard", "Whose Betza notation it is.", '"fairy-stockfish"'),
    Row("royal", "letter", "K", "The piece that must not be captured; `-`: none.", '"G"'),
    Row(
        "pawn", "letter", "P",
        "The piece that promotes, with chess's moves and double step unless its own are given.",
        '"S"',
    ),
    Row("soldier", "letter", "", "The soldier of `soldier_promotion_rank`.", '"S"'),
    Row("cannons", "letters", "", "Pieces that neither leap over nor capture their like.", '"C"'),
    Row(
        "castling", "table", "",
        "The ways to castle by right, KING-FROM KING-TO ROOK-FROM ROOK-TO; Black's are White's"
        " mirrored, or `k` and `q`.",
        '{ K = ["e1 g1 h1 f1"] }',
    ),
    Row("values", "table", "by mobility", "Centipawns by letter.", "{ M = 300 }"),
    Row(
        "board", _names(BOARDS), CHEQUERED,
        "Squares of two colours, of one, or lines on whose crossings the pieces stand; with lines"
        " the royal piece's `mobility_region` is drawn as its palace.",
        '"lines"',
    ),
    Row("river", "flag", "", "The lines stop in the middle.", "true"),
    Row(
        "piece_set", _names(PIECE_SETS), CHESS,
        "Chess's figures, wedges that point to the enemy, discs, or octagons.", '"shogi"',
    ),
    Row(
        "signs", "table", "the set's own",
        "One or two letters on a piece of the other sets; `p`: Black's, `+P`: promoted.",
        '{ P = "歩", "+P" = "と" }',
    ),
    Row("names", "table", "by the moves", "What pieces are called.", '{ C = "Cannon" }'),
    Row(
        "sides", "list", "by the pieces",
        "What the sides are called: White and Black, Sente and Gote, Red and Black, Blue and Red.",
        '["North", "South"]',
    ),
    Row(
        "net", "text", "none",
        "A net that comes with the engine, or a file `NAME.net` in the definition's folder.",
        '"capablanca"',
    ),
)  # fmt: skip


def _row(rule: dataclasses.Field[Any], meaning: str) -> Row:
    kind = rule.metadata["kind"]
    default: Any = rule.default
    value = _TYPES.get(kind, "")
    if kind == "number":
        value = "{}..{}".format(*rule.metadata["limits"])
    elif kind == "choice":
        value = _names(rule.metadata["names"])
    shown = str(default) if kind in ("number", "choice") else ""
    if kind in ("set", "region"):
        shown = "".join(default[0])
        shown = _DEFAULTS["pawn"] if set(shown) == set("pawn") else _DEFAULTS.get(shown, shown)
    elif kind == "flag" and default:
        shown = "true"
    examples = {
        "flag": "false" if default is True else "true", "flags": "true", "set": '"RN"',
        "region": '"*2"',
        "choice": f'"{rule.metadata.get("names", ("", ""))[1]}"',
    }  # fmt: skip
    return Row(rule.name, value, shown, meaning, _EXAMPLES.get(rule.name) or examples[kind])


def sections() -> dict[str, list[Row]]:
    """Return the rows of all keys by the heading of their table."""
    rules = {rule.name: rule for rule in dataclasses.fields(Rules)}
    rows = {
        heading: [_row(rules[key], meaning) for key, meaning in keys.items()]
        for heading, keys in game_rules.sections().items()
    }
    return {"The game": list(_KEYS), **rows}
