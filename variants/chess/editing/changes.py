"""Changes of a definition, as the page asks for them: each makes a new table."""

from __future__ import annotations

import copy
import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from variants.chess.definition.definition import Definition, Region
from variants.chess.definition.game_rules import ALL, Rules
from variants.chess.definition.regions import mirrored, parse_region, region_text
from variants.chess.editing import start
from variants.chess.pictures.pieces import NAMED

Table = dict[str, Any]
Wanted = Mapping[str, Any]
_KINDS = {field.name: str(field.metadata["kind"]) for field in dataclasses.fields(Rules)}
#: Keys that are no rules and name pieces: by their letter, in a text, and as keys of a table.
_LETTER, _LETTERS, _BY_LETTER = ("royal", "pawn", "soldier"), ("cannons",), ("values", "names")
#: What the page changes in the start position.
_OF_START = ("put", "erase", "hold", "turn", "clear")


def change(table: Mapping[str, Any], wanted: Wanted, game: Game | None) -> Table:
    """Return a table with one change; ``game`` is the one that the page shows. UserError if not."""
    changed: Table = copy.deepcopy(dict(table))
    do = wanted.get("do")
    if do in _OF_START:
        if game is None:
            raise UserError("the board waits until the pieces are right")
        start.change(changed, game, str(do), wanted)
        return changed
    act = _ACTS.get(str(do))
    if act is None:
        raise UserError(f"'{str(do)[:20]}' changes no definition")
    act(changed, wanted)
    return changed


def _set(table: Table, wanted: Wanted) -> None:
    """Give a key a value, ``promotion_limit.Q`` too; None takes it away."""
    head, dot, rest = str(wanted["key"]).partition(".")
    value = wanted.get("value")
    if not dot:
        _put(table, head, value)
        return
    inner = table.get(head)
    inner = dict(inner) if isinstance(inner, dict) else {}
    _put(inner, rest, value)
    _put(table, head, inner or None)


def _put(table: Table, key: str, value: object) -> None:
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value


def _size(table: Table, wanted: Wanted) -> None:
    start.resize(table, wanted["files"], wanted["ranks"])


def _castle(table: Table, wanted: Wanted) -> None:
    start.castle(table, wanted["steps"])


# ---- pieces --------------------------------------------------------------------------------------


def _check_letter(table: Table, letter: str) -> None:
    if not re.fullmatch("[A-Z]", letter):
        raise UserError("a piece is one letter A-Z")
    if letter in table.get("pieces", {}) or _is_implied(table, letter):
        raise UserError(f"there is a piece {letter} already")


def _is_implied(table: Table, letter: str) -> bool:
    """Return whether a letter is chess's pawn, whose moves need not be written."""
    used = letter.lower() in str(table.get("start", "")).lower()
    return letter == table.get("pawn", "P") and (used or "pawn" in table)


def _piece(table: Table, wanted: Wanted) -> None:
    """Add a piece with its moves, and its name where no picture has it."""
    letter = str(wanted["letter"])
    _check_letter(table, letter)
    pieces = table.get("pieces")
    table["pieces"] = {**(pieces if isinstance(pieces, dict) else {}), letter: wanted["moves"]}
    if wanted.get("name") not in (None, "", *(piece.name for piece in NAMED)):
        _set(table, {"key": f"names.{letter}", "value": wanted["name"]})


def _unpiece(table: Table, wanted: Wanted) -> None:
    """Remove a piece: from the board, and wherever the rules name it."""
    letter = str(wanted["letter"])
    _renamed(table, letter, "")
    if table.get("pawn", "P") == letter:
        table["pawn"] = "-"


def _letter(table: Table, wanted: Wanted) -> None:
    """Give a piece another letter, wherever it is named."""
    old, new = str(wanted["letter"]), str(wanted["to"])
    _check_letter(table, new)
    _renamed(table, old, new)


def _renamed(table: Table, old: str, new: str) -> None:
    """Put another letter in the place of a piece's, or none."""

    def letters(value: Any) -> Any:
        if isinstance(value, list):
            return [letters(one) for one in value]
        return value.replace(old, new) or "-" if isinstance(value, str) else value

    def by_letter(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        names = {key: key.replace(old, new).replace(old.lower(), new.lower()) for key in value}
        return {names[key]: inner for key, inner in value.items() if names[key].strip("+")}

    if _is_implied(table, old) and old not in table.get("pieces", {}) and new:
        table["pawn"] = new
    for key, value in [*table.items()]:
        kind = _KINDS.get(key)
        if key in _LETTER and value == old:
            table[key] = new or "-"
        elif key in _LETTERS or kind == "set":
            table[key] = letters(value)
        elif key in (*_BY_LETTER, "pieces", "signs") or kind in ("limits", "regions", "pieces"):
            changed = by_letter(value)
            if kind == "pieces" and isinstance(changed, dict):
                changed = {k: letters(v) for k, v in changed.items() if letters(v) != "-"}
            table[key] = changed
            if not changed and key != "pieces":
                del table[key]
    if old == str(table.get("royal", "K")):
        table["royal"] = new or "-"
    start.rename(table, old, new)


# ---- values by colour, and regions ---------------------------------------------------------------


def _split(table: Table, wanted: Wanted) -> None:
    """Let a value be White's and Black's own, or one for both."""
    key, kind = str(wanted["key"]), _KINDS.get(str(wanted["key"]).partition(".")[0])
    value = _get(table, key) if _get(table, key) is not None else wanted.get("value")
    if not isinstance(value, str | bool | list):
        raise UserError(f"{key} is not one for each side")
    if isinstance(value, list):
        _set(table, {"key": key, "value": value[0] if value else None})
    else:
        black = value
        if kind in ("region", "regions") and isinstance(value, str):
            files, ranks = table.get("files", 8), table.get("ranks", 8)
            black = region_text(mirrored(parse_region(value, files, ranks), ranks), files, ranks)
        _set(table, {"key": key, "value": [value, black]})


def _get(table: Table, key: str) -> Any:
    head, dot, rest = key.partition(".")
    inner = table.get(head)
    return (inner.get(rest) if isinstance(inner, dict) else None) if dot else inner


def _region(table: Table, wanted: Wanted) -> None:
    """Add the squares of ``word`` (``e4``, ``*8``, ``a*``) to a region, or remove them.

    ``value`` is what the region is where the table has none.
    """
    files, ranks = table.get("files", 8), table.get("ranks", 8)
    key, side = str(wanted["key"]), wanted.get("side", 0)
    value = _get(table, key)
    value = wanted.get("value", "") if value is None else value
    texts = list(value) if isinstance(value, list) else [value]
    try:
        chosen = parse_region(str(wanted["word"]), files, ranks)
        before = parse_region(str(texts[side]), files, ranks)
    except (ValueError, IndexError) as error:
        raise UserError(f"{key}: {error}") from None
    after = before - chosen if chosen <= before else before | chosen
    texts[side] = region_text(after, files, ranks)
    _set(table, {"key": key, "value": texts if isinstance(value, list) else texts[0]})


def plain_rules(game: Definition) -> dict[str, Any]:
    """Return the rules as a table has them, those by colour as lists of two."""

    def region(both: tuple[Region, Region]) -> list[str]:
        return [region_text(one, game.files, game.ranks) for one in both]

    def letters(some: frozenset[str]) -> str:
        return ALL if ALL in some else "".join(p for p in game.pieces if p in some) or "-"

    found: dict[str, Any] = {}
    for key, kind in _KINDS.items():
        value = getattr(game.rules, key)
        if kind == "region":
            found[key] = region(value)
        elif kind == "regions":
            found[key] = {letter: region(both) for letter, both in value.items()}
        elif kind == "set":
            found[key] = [letters(one) for one in value]
        elif kind == "flags":
            found[key] = list(value)
        else:
            found[key] = dict(value) if isinstance(value, Mapping) else value
    return found


_ACTS: Mapping[str, Callable[[Table, Wanted], None]] = {
    "set": _set, "size": _size, "castle": _castle, "piece": _piece, "unpiece": _unpiece,
    "letter": _letter, "split": _split, "region": _region,
}  # fmt: skip
