"""Convert a section of ``variants.ini`` to a definition's table."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from ryugi_engine.games.notation import file_name, square_name
from variants.chess.definition.definition import Square
from variants.chess.definition.game_rules import ALL, Rules
from variants.chess.definition.placed_moves import ON_LINES
from variants.chess.formats.ini_keys import CUSTOM, LOOKS, OWN, called, camel_case
from variants.chess.formats.ini_section import Section
from variants.chess.notation.text import board_of

_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_SIDES = ("White", "Black")
#: What a section that says nothing has, where that differs from a definition's own default.
_DEFAULT_REGIONS = {
    "promotion_region": ("*8", "*1"), "double_step_region": ("*2", "*7"),
    "triple_step_region": ("-", "-"),
}  # fmt: skip


def table_of(section: Section) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a section's table, and the ``variants.ini`` key from which each table key comes."""
    values = section.values
    origin = {"files": "maxFile", "ranks": "maxRank", "start": "startFen", "royal": "king"}
    files, ranks = _size(section, "maxFile"), _size(section, "maxRank")
    pieces = {letter: _moves_of(section, name) for name, letter in section.letters.items()}
    origin |= {f"pieces.{letter}": name for name, letter in section.letters.items()}
    table: dict[str, Any] = {
        "betza": "fairy-stockfish",
        "files": files, "ranks": ranks, "pieces": pieces, "start": values.get("startFen", _START),
        "royal": section.letters.get("king", ""), "pawn": section.letters.get("pawn", ""),
        "soldier": section.letters.get("soldier", ""),
        "cannons": section.letters.get("janggiCannon", ""),
    }  # fmt: skip
    for field in dataclasses.fields(Rules):
        key, kind = field.name, field.metadata["kind"]
        name = camel_case(key)
        origin[key] = next(
            (n for n in (name, f"{name}White", f"{name}Black") if n in section.lines), name
        )
        if kind == "set":
            table[key] = _sets(section, name, key)
        elif kind in ("region", "flags"):
            both = [values.get(f"{name}{side}") for side in _SIDES]
            defaults = _DEFAULT_REGIONS.get(key)
            if defaults:
                both = [d if v is None else v for v, d in zip(both, defaults, strict=True)]
            if kind == "flags":
                both = [bool(v) for v in both]
            if any(v is not None for v in both):
                left_out = "**" if getattr(Rules(), key)[0] == ALL else "-"
                table[key] = [left_out if v is None else v for v in both]
        elif kind == "regions":
            table[key] = _mobility(section)
        elif kind in ("pieces", "limits"):
            table[key] = _by_letter(section, values.get(name, {}))
        elif name in values:
            table[key] = values[name]
    if "shogiPawn" not in section.letters:  # Fairy-Stockfish's rule is about this piece alone
        table.pop("shogi_pawn_drop_mate_illegal", None)
    if values.get("doubleStep") is False:
        table["double_step_region"] = ["-", "-"]
    for key in (*OWN, *LOOKS):
        if key in values:
            name = "piece_set" if key == "pieceSet" else key
            table[name], origin[name] = _look(section, key), key
    names = {letter: called(name) for name, letter in section.letters.items() if called(name)}
    table["names"] = names | table.get("names", {})
    table["castling"] = _castling(section, files, ranks, "".join(pieces))
    origin["castling"] = "startFen"
    return table, origin


def _moves_of(section: Section, name: str) -> str:
    """Return a piece's moves; a custom piece has none on a palace's lines, whatever its moves."""
    moves = section.moves[name]
    if name in CUSTOM and "diagonalLinesWhite" in section.values and moves in ON_LINES:
        return f"v{moves}s{moves}"  # the same moves in other words
    return moves


def _look(section: Section, key: str) -> Any:
    """Return the value of a key that is no rule; signs and names are pairs, ``P:歩 +P:と``."""
    value = section.values[key]
    if key == "sides":
        return value.split()
    if key not in ("signs", "names"):
        return value
    pairs = (pair.partition(":") for pair in value.split())
    # what is inherited may be about pieces that this game does not have
    letters = set(section.letters.values()) if key not in section.lines else None
    return {
        letter: text.replace("_", " ")
        for letter, _colon, text in pairs
        if letters is None or letter.removeprefix("+").upper() in letters
    }


def _size(section: Section, key: str) -> int:
    text = section.values.get(key, "8").lower()
    if key == "maxFile" and re.fullmatch("[a-z]", text):
        return ord(text) - ord("a") + 1
    if not re.fullmatch("[0-9]{1,3}", text, re.ASCII):
        raise section.fail(key, f"'{text[:20]}' is not a whole number")
    return int(text)


def _sets(section: Section, name: str, key: str) -> list[str]:
    """Return a set of pieces by colour, as letters."""
    defaults = {"flag_piece": ALL, "must_drop_type": ALL, "connect_piece_types": ALL}
    pawns = ("promotion_pawn_types", "en_passant_types", "n_move_rule_types")
    found = []
    for side in _SIDES:
        names = section.values.get(f"{name}{side}")
        if names is None:
            default = {"castling_rook_pieces": {"rook"}}.get(key, frozenset(defaults.get(key, "")))
            names = {"pawn"} if key in pawns else default
        letters = "".join(letter for piece, letter in section.letters.items() if piece in names)
        found.append(ALL if ALL in names else letters or "-")
    return found


def _by_letter(section: Section, values: dict[str, Any]) -> dict[str, Any]:
    letters = section.letters
    return {
        letters[name]: letters.get(value, value) if isinstance(value, str) else value
        for name, value in values.items()
        if name in letters and (not isinstance(value, str) or value in letters)
    }


def _mobility(section: Section) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, letter in section.letters.items():
        capital = name[0].upper() + name[1:]
        both = [section.values.get(f"mobilityRegion{side}{capital}", "-") for side in _SIDES]
        if both != ["-", "-"]:  # to Fairy-Stockfish no squares at all mean all squares
            found[letter] = ["**" if region == "-" else region for region in both]
    return found


# ---- castling ----------------------------------------------------------------------------------


def _file(section: Section, key: str, default: str) -> int:
    text = section.values.get(key, default).lower()
    if re.fullmatch("[a-p]", text):
        return ord(text) - ord("a")
    if re.fullmatch("[0-9]{1,2}", text, re.ASCII) and 1 <= int(text) <= 16:
        return int(text) - 1
    raise section.fail(key, f"'{text[:20]}' is not a file")


def _rank(section: Section, side: int, ranks: int) -> int:
    text = section.values.get("castlingRank", "1")
    if not re.fullmatch("[0-9]{1,2}", text, re.ASCII) or not 1 <= int(text) <= ranks:
        raise section.fail("castlingRank", f"'{text[:20]}' is not a rank of the board")
    return int(text) - 1 if side == 0 else ranks - int(text)


def _own(section: Section, key: str, side: int, default: str) -> str:
    """Return the letters of the king or of the partners of castling, as they stand on the board."""
    names = section.values.get(f"{key}{_SIDES[side]}", {default})
    letters = "".join(letter for name, letter in section.letters.items() if name in names)
    return letters.lower() if side else letters


def _castling(section: Section, files: int, ranks: int, letters: str) -> dict[str, list[str]]:
    """Return the ways of the rights that the start position has."""
    values = section.values
    fields = values.get("startFen", _START).split()
    dropped = values.get("castlingDroppedPiece") is True
    rights = fields[2] if len(fields) > 2 and not fields[2].isdigit() else "-"
    if values.get("castling") is False:
        return {}
    if dropped:
        rights = "KQkq"
    try:
        board = board_of(fields[0].split("[")[0], files, ranks, letters)
    except (ValueError, IndexError):
        return {}  # which is a fault of the start
    ways: dict[str, list[str]] = {}
    for right in dict.fromkeys(rights):
        side = int(right.islower())
        rank = _rank(section, side, ranks)
        king = _king(section, side, rank, board, dropped)
        rook = _rook(section, right, side, rank, files, board, dropped)
        if king is None or rook is None or king == rook:
            continue
        kingside = king < rook
        key = "castlingKingsideFile" if kingside else "castlingQueensideFile"
        to = _file(section, key, "g" if kingside else "c")
        squares = (king, to, rook, to - 1 if kingside else to + 1)
        if max(squares) >= files:
            raise section.fail(key, "lies beyond the board")
        letter = ("K" if kingside else "Q") if side == 0 else ("k" if kingside else "q")
        ways[letter] = [" ".join(square_name((file, rank)) for file in squares)]
    return ways


def _king(
    section: Section, side: int, rank: int, board: dict[Square, str], dropped: bool
) -> int | None:
    """Return the file of the piece that castles."""
    own = _own(section, "castlingKingPiece", side, "king")
    kings = [at[0] for at, sign in board.items() if at[1] == rank and sign in own and sign]
    default = _file(section, "castlingKingFile", "e")
    if dropped or (len(kings) > 1 and default in kings):
        return default
    return kings[0] if len(kings) == 1 else None


def _rook(
    section: Section, right: str, side: int, rank: int, files: int, board: dict[Square, str],
    dropped: bool,
) -> int | None:  # fmt: skip
    """Return the file of the partner that a right names."""
    own = _own(section, "castlingRookPieces", side, "rook")
    rooks = [at[0] for at, sign in sorted(board.items()) if at[1] == rank and sign in own]
    if right.upper() == "K":
        last = min(_file(section, "castlingRookKingsideFile", file_name(15)), files - 1)
        if dropped:
            return files - 1
        return max((file for file in rooks if file <= last), default=None)
    if right.upper() == "Q":
        first = _file(section, "castlingRookQueensideFile", "a")
        if dropped:
            return 0
        return min((file for file in rooks if file >= first), default=None)
    if section.values.get("gating"):
        return None  # a gate, and no right to castle
    file = ord(right.upper()) - ord("A")
    return file if file in rooks else None
