"""Reading and checking the definition files of chess-like games.

A file is TOML; every top-level table defines one game under the table's name. Errors carry
the line and the key they are about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ryugi_engine.games.definitions import Reader
from ryugi_engine.games.game import counted
from ryugi_engine.games.notation import parse_board, parse_square
from variants.chess_family import betza, fen
from variants.chess_family.definition import Castle, Definition, net_file

MAX_FILES = 10
MAX_RANKS = 8
#: Maximum number of different leaper movements, except the king's.
MAX_LEAPER_SETS = 5
MAX_PIECE_TYPES = 15
MAX_PROMOTIONS = 12


def _read_pieces(reader: Reader) -> tuple[dict[str, betza.Movement], dict[str, str], str, str]:
    table: dict[str, Any] = reader.get("pieces", dict)
    royal: str = reader.get("royal", str, "K")
    pawn: str = reader.get("pawn", str, "P")
    movements: dict[str, betza.Movement] = {}
    texts: dict[str, str] = {}
    for letter, text in table.items():
        key = f"pieces.{letter}"
        if not re.fullmatch(r"[A-Z]", letter):
            raise reader.fail(key, "a piece is one letter A-Z")
        if not isinstance(text, str):
            raise reader.fail(key, "must be a text")
        try:
            movements[letter] = betza.parse(text)
        except ValueError as error:
            raise reader.fail(key, str(error)) from None
        texts[letter] = text
    if royal not in movements:
        raise reader.fail("royal", f"'{royal}' is not one of the pieces")
    king = movements[royal]
    if king.rook or king.bishop or king.nightrider:
        raise reader.fail(f"pieces.{royal}", "the royal piece must be a leaper")
    if not re.fullmatch(r"[A-Z]", pawn) or pawn in movements:
        raise reader.fail("pawn", f"'{pawn}' must be a letter that no other piece has")
    if len(movements) + 1 > MAX_PIECE_TYPES:
        raise reader.fail("pieces", f"more than {MAX_PIECE_TYPES} kinds of piece")
    leaper_sets = {m.leaps for p, m in movements.items() if m.leaps and p != royal}
    if len(leaper_sets) > MAX_LEAPER_SETS:
        raise reader.fail("pieces", f"more than {MAX_LEAPER_SETS} different leaper movements")
    return movements, texts, royal, pawn


def _read_castling(
    reader: Reader, files: int, ranks: int, board: Mapping[tuple[int, int], str], royal: str
) -> dict[str, tuple[Castle, ...]]:
    table: dict[str, Any] = reader.get("castling", dict, {})
    ways: dict[str, tuple[Castle, ...]] = {}
    for letter, entries in table.items():
        key = f"castling.{letter}"
        if letter not in ("K", "Q"):
            raise reader.fail(key, "must be K or Q (Black's castling is the mirror image)")
        if not isinstance(entries, list) or not 1 <= len(entries) <= 4:
            raise reader.fail(key, "must be a list of one to four texts")
        own: list[Castle] = []
        for text in entries:
            squares = text.split() if isinstance(text, str) else []
            if len(squares) != 4:
                raise reader.fail(key, "each way is 'KING-FROM KING-TO ROOK-FROM ROOK-TO'")
            try:
                kf, kt, rf, rt = (parse_square(word, files, ranks) for word in squares)
            except ValueError as error:
                raise reader.fail(key, str(error)) from None
            if len({kf[1], kt[1], rf[1], rt[1]}) != 1:
                raise reader.fail(key, f"'{text}' leaves its rank")
            if kf in (kt, rf) or kt == rt:
                raise reader.fail(key, f"'{text}' puts two pieces on one square")
            if board.get(kf) != royal:
                raise reader.fail(key, f"no king on {squares[0]} in the start position")
            if board.get(rf) is None or not board[rf].isupper():
                raise reader.fail(key, f"no piece of White on {squares[2]} in the start position")
            own.append(Castle(kf, kt, rf, rt))
        if len({way.rook_from for way in own}) != 1 or len({w.king_to for w in own}) != len(own):
            raise reader.fail(key, "the ways must share the rook and differ in the king's square")
        ways[letter] = tuple(own)
        ways[letter.lower()] = tuple(
            Castle(
                *((f, ranks - 1 - r) for f, r in (w.king_from, w.king_to, w.rook_from, w.rook_to))
            )
            for w in own
        )
        for way in ways[letter.lower()]:
            if board.get(way.king_from) != royal.lower():
                raise reader.fail(key, "Black's start position is not the mirror image of White's")
            if board.get(way.rook_from) != board[own[0].rook_from].lower():
                raise reader.fail(key, "Black's start position is not the mirror image of White's")
    return ways


def _read_double_step(
    reader: Reader, files: int, ranks: int, board: Mapping[tuple[int, int], str], pawn: str
) -> tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]:
    starts = (
        frozenset(s for s, p in board.items() if p == pawn and s[1] + 2 < ranks),
        frozenset(s for s, p in board.items() if p == pawn.lower() and s[1] >= 2),
    )
    if "double_step" not in reader.table:
        return starts
    names: list[Any] = reader.get("double_step", list)
    white = set()
    for name in names:
        try:
            white.add(parse_square(str(name), files, ranks))
        except ValueError as error:
            raise reader.fail("double_step", str(error)) from None
        if not 0 < int(str(name)[1:]) <= ranks - 2:
            raise reader.fail("double_step", f"no room for a double step from {name}")
    return frozenset(white), frozenset((f, ranks - 1 - r) for f, r in white)


def _read_net(reader: Reader) -> str:
    name: str = reader.get("net", str, reader.name)
    if name != reader.name and net_file(name) is None:
        raise reader.fail("net", f"'{name[:40]}' is not a net that comes with the engine")
    return name


def read_game(reader: Reader) -> Definition:
    """Return the definition in a table; DefinitionError for the first fault."""
    name = reader.name
    files = reader.number("files", 3, MAX_FILES)
    ranks = reader.number("ranks", 3, MAX_RANKS)
    pieces, texts, royal, pawn = _read_pieces(reader)
    letters = "".join(pieces) + pawn
    start: str = reader.get("start", str)
    if "[" in start:
        raise reader.fail("start", "'[': hands and drops cannot be defined")
    fields = start.split()
    if len(fields) != 6:
        raise reader.fail("start", f"{counted(len(fields), 'field')} instead of 6")
    try:
        board = parse_board(fields[0], files, ranks, letters)
    except ValueError as error:
        raise reader.fail("start", str(error)) from None
    others = "".join(p for p in pieces if p != royal)
    promotion = reader.letters("promotion", others, "")
    if not promotion and pawn in {p.upper() for p in board.values()}:
        raise reader.fail("promotion", "is missing")
    if len(promotion) > MAX_PROMOTIONS:
        raise reader.fail("promotion", f"more than {MAX_PROMOTIONS} pieces")
    rules = reader.sub("rules")
    claim_moves = rules.number("claim_moves", 1, 1000, 50)
    draw_moves = rules.number("draw_moves", claim_moves, 1000, max(claim_moves, 75))
    claim_repetition = rules.number("claim_repetition", 2, 100, 3)
    draw_repetition = rules.number(
        "draw_repetition", claim_repetition, 100, max(claim_repetition, 5)
    )
    lone_minors = rules.letters("lone_minors", others, "")
    rules.finish()
    values: dict[str, int] = {}
    for letter, value in reader.get("values", dict, {}).items():
        if len(letter) != 1 or letter not in letters or letter == royal:
            raise reader.fail(f"values.{letter}", "is not one of the pieces")
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 5000:
            raise reader.fail(f"values.{letter}", "must be a whole number in 1..5000")
        values[letter] = value
    definition = Definition(
        name=name,
        title=reader.get("title", str, name),
        aliases=reader.aliases(),
        files=files,
        ranks=ranks,
        start=start,
        pieces=pieces,
        betza=texts,
        royal=royal,
        pawn=pawn,
        promotion=promotion,
        double_step=_read_double_step(reader, files, ranks, board, pawn),
        castling=_read_castling(reader, files, ranks, board, royal),
        claim_moves=claim_moves,
        draw_moves=draw_moves,
        claim_repetition=claim_repetition,
        draw_repetition=draw_repetition,
        lone_minors=lone_minors,
        values=values,
        net=_read_net(reader),
    )
    reader.finish()
    ways = [way for right in "KQ" for way in definition.castling.get(right, ())]
    for at, way in enumerate(ways):
        text = definition.castling_text(way)
        if any(w[:2] == way[:2] or definition.castling_text(w) == text for w in ways[:at]):
            raise reader.fail("castling", f"two ways to castle are {text}")
    try:
        return replace(definition, start=fen.canonical(definition, start))
    except ValueError as error:
        raise reader.fail("start", str(error)) from None
