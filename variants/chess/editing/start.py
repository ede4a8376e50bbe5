"""The start position of a definition that is changed: its size, its pieces, how kings castle."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.games.board_editor import BoardEditor, read_rows
from ryugi_engine.games.game import Game
from ryugi_engine.games.notation import PositionError, format_board, square_name
from variants.chess.definition.game_rules import Rules
from variants.chess.formats.toml import MAX_FILES, MAX_RANKS

Table = dict[str, Any]
#: A square or a rank of a region.
_WORD = re.compile(r"([a-z*])([0-9]{1,2})")
#: Squares that a king goes when it castles, as an offer.
STEPS = (2, 3, 4)
Board = dict[tuple[int, int], str]


def _board(table: Mapping[str, Any]) -> tuple[Board, str, list[str]]:
    """Return a start's board, its hands with their brackets, and its other fields."""
    field, *rest = str(table.get("start", "")).split() or [""]
    rows, bracket, held = field.partition("[")
    board = read_rows(rows, table.get("files", 8), table.get("ranks", 8))
    return board, bracket + held, rest


def resize(table: Table, files: int, ranks: int) -> None:
    """Change the size of the board: files at its right, ranks in its middle.

    New squares of a rank that one kind of piece fills have that piece, so rows of pawns stay whole.
    """
    if int(files) != files or int(ranks) != ranks:
        raise UserError("must be a whole number")
    if not (1 <= files <= MAX_FILES and 1 <= ranks <= MAX_RANKS):
        raise UserError(f"a board has 1 to {MAX_FILES} files and 1 to {MAX_RANKS} ranks")
    try:
        board, hands, rest = _board(table)
    except PositionError:
        table |= {"files": files, "ranks": ranks}
        return  # which is a fault of the start
    old_files, old_ranks = table.get("files", 8), table.get("ranks", 8)
    below = min((old_ranks + 1) // 2, (ranks + 1) // 2)
    above = min(old_ranks - below, ranks - below)
    moved: Board = {}
    for (file, rank), sign in board.items():
        at = rank if rank < below else rank - old_ranks + ranks
        if file < files and (rank < below or rank >= old_ranks - above):
            moved[file, at] = sign
    for rank in range(ranks):
        row = {moved.get((file, rank), "") for file in range(min(files, old_files))}
        if len(row) == 1 and (sign := row.pop()):
            moved |= {(file, rank): sign for file in range(old_files, files)}
    follow = castling_steps(table)
    table |= {"files": files, "ranks": ranks}
    table["start"] = " ".join([format_board(moved, files, ranks) + hands, *rest])
    _move_regions(table, lambda rank: rank if rank < below else rank - old_ranks + ranks)
    _follow(table, follow)


def _move_regions(table: Table, moved: Callable[[int], int]) -> None:
    """Let the ranks of regions go where those of the board go: the last one stays the last."""

    def word(match: re.Match[str]) -> str:
        return f"{match[1]}{moved(int(match[2]) - 1) + 1}"

    def text(value: Any) -> Any:
        if isinstance(value, list):
            return [text(one) for one in value]
        if isinstance(value, dict):
            return {key: text(one) for key, one in value.items()}
        return _WORD.sub(word, value) if isinstance(value, str) else value

    for rule in dataclasses.fields(Rules):
        if rule.metadata["kind"] in ("region", "regions") and rule.name in table:
            table[rule.name] = text(table[rule.name])


def editor_of(table: Mapping[str, Any], game: Game) -> tuple[BoardEditor, bool]:
    """Return an editor of the start position, illegal ones too, and whether it could be read.

    If not, it edits the start of ``game``, in which a faulty start is an empty board.
    """
    places = [(file, rank) for rank in range(game.ranks) for file in range(game.files)]
    text = str(table.get("start", ""))
    board, *rest = text.split() or [""]
    if "[" in game.start and "[" not in board:
        text = " ".join([f"{board}[]", *rest])
    try:
        return BoardEditor(game, places, lambda sign: "", text), True
    except UserError:
        return BoardEditor(game, places, lambda sign: "", game.start), False


def change(table: Table, game: Game, do: str, wanted: Mapping[str, Any]) -> None:
    """Make one change of the start position; ``game`` is the one that the page shows.

    ``wanted`` has what ``do`` needs: piece, cell, whether Black mirrors White, by, side.
    """
    follow = castling_steps(table)
    editor, _readable = editor_of(table, game)
    piece, cell = wanted.get("piece", ""), wanted.get("cell", "")
    both = [(piece, cell)]
    if wanted.get("mirror") and cell:
        file, rank = editor.at(cell)
        other = square_name((file, game.ranks - 1 - rank))
        if other != cell:
            both.append((piece.swapcase(), other))
    if do == "put":
        for one, at in both:
            editor.put(one, at)
    elif do == "erase":
        for _one, at in both:
            editor.erase(at)
    elif do == "hold":
        editor.hold(piece, wanted.get("by", 0))
        if wanted.get("mirror"):
            editor.hold(piece.swapcase(), wanted.get("by", 0))
    elif do == "turn":
        editor.turn(wanted.get("side", 0))
    else:
        editor.clear()
    table["start"] = editor.text()
    if do == "clear":
        table.pop("castling", None)
    else:
        _follow(table, follow)


def rename(table: Table, old: str, new: str) -> None:
    """Put another piece in the place of one, or with "" an empty square."""
    try:
        board, hands, rest = _board(table)
    except PositionError:
        return  # which is a fault of the start
    follow = castling_steps(table)
    trade = {old: new, old.lower(): new.lower()}
    named = {at: re.sub("[A-Za-z]", lambda m: trade.get(m[0], m[0]), s) for at, s in board.items()}
    left = {at: sign for at, sign in named.items() if sign.strip("+~")}
    hands = "".join(trade.get(sign, sign) for sign in hands)
    field = format_board(left, table.get("files", 8), table.get("ranks", 8))
    table["start"] = " ".join([field + hands, *rest])
    _follow(table, follow)


# ---- castling ------------------------------------------------------------------------------------


def _partners(board: Board, royal: str, rank: int, files: int) -> tuple[int, dict[str, int]] | None:
    """Return the file of the king and those of the outermost own pieces at its sides, by right."""
    row = [board.get((file, rank), "") for file in range(files)]
    if row.count(royal) != 1:
        return None
    king = row.index(royal)
    own = [file for file, sign in enumerate(row) if sign and sign.isupper() == royal.isupper()]
    sides = {"K": max(own), "Q": min(own)}
    return king, {right: file for right, file in sides.items() if file != king}


def _ways(table: Mapping[str, Any], steps: int) -> dict[str, list[str]]:
    """Return the ways to castle of a king that goes ``steps`` squares towards outermost pieces."""
    found: dict[str, list[str]] = {}
    royal, files, ranks = table.get("royal", "K"), table.get("files", 8), table.get("ranks", 8)
    if not isinstance(royal, str) or len(royal) != 1:
        return {}
    try:
        board = _board(table)[0]
    except PositionError:
        return {}
    for change_case, rank in ((str.upper, 0), (str.lower, ranks - 1)):
        there = _partners(board, change_case(royal), rank, files)
        if there is None:
            continue
        king, partners = there
        for right, rook in partners.items():
            toward = 1 if rook > king else -1
            to = king + toward * steps
            # the partner leaps over the king
            if (rook - to) * toward >= 0:
                squares = (king, to, rook, to - toward)
                found[change_case(right)] = [" ".join(square_name((f, rank)) for f in squares)]
    # Black's are White's mirrored where nothing else is said
    for right in ("K", "Q"):
        mirrored = [way.replace("1", f"{ranks}") for way in found.get(right, [])]
        if mirrored and found.get(right.lower()) == mirrored:
            del found[right.lower()]
    return found


def _same(one: Mapping[str, Any], other: Mapping[str, Any], ranks: int) -> bool:
    """Return whether two tables of ways have the same ways."""

    def whole(ways: Mapping[str, Any]) -> dict[str, Any]:
        black = {
            right.lower(): [way.replace("1", f"{ranks}") for way in entries]
            for right, entries in ways.items()
            if right.isupper()
        }
        return {**black, **ways}

    return whole(one) == whole(other)


def castling_steps(table: Mapping[str, Any]) -> int:
    """Return the steps of the king if all castling is as :func:`castle` makes it; else 0.

    So are ways of one length whose king or partner is not there now, as while pieces are moved.
    """
    ways, ranks = table.get("castling"), table.get("ranks", 8)
    try:
        texts = [text.split() for entries in dict(ways or {}).values() for text in entries]
        lengths = {abs(ord(to[0]) - ord(origin[0])) for origin, to, _rook, _rook_to in texts}
        board = {square_name(at): sign.upper() for at, sign in _board(table)[0].items()}
        royal = table.get("royal", "K")
        stand = all(board.get(way[0]) == royal and way[2] in board for way in texts)
    except (TypeError, ValueError, AttributeError, PositionError):
        return 0  # what is in the table is no text, or no board
    steps = lengths.pop() if len(lengths) == 1 else 0
    usual = _ways(table, steps) if steps in STEPS else {}
    own = stand and usual and not _same(dict(ways or {}), usual, ranks)
    return 0 if own or steps not in STEPS else steps


def _follow(table: Table, steps: int) -> None:
    """Let castling follow the pieces that have moved, once the king stands there again."""
    if steps and _ways(table, steps):
        castle(table, steps)


def castle(table: Table, steps: int) -> None:
    """Let kings castle by so many squares towards their outermost pieces; 0: not at all."""
    if steps not in (0, *STEPS):
        raise UserError(f"a king does not castle by {steps} squares")
    ways = _ways(table, steps) if steps else {}
    if steps and not ways:
        raise UserError("there is no king with another piece at its side and room to castle")
    table.pop("castling", None)
    if ways:
        table["castling"] = ways
    fields = str(table.get("start", "")).split()
    if len(fields) < 2:
        return
    black = {right.lower() for right in ways} | {right for right in ways if right.islower()}
    rights = "".join(right for right in "KQkq" if right in ways or right in black)
    table["start"] = " ".join([*fields[:2], rights or "-", *(fields[3:] or ["-", "0", "1"])])
