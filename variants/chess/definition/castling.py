"""Ways to castle: those that a definition lists, and those of ``O`` in a piece's moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ryugi_engine.games.definitions import Reader
from ryugi_engine.games.notation import parse_square
from variants.chess.definition.definition import MAX_WAYS, Movement, Square, Way


def _stands(way: Way, board: Mapping[Square, str], dropped: bool) -> bool:
    """Return whether king and partner stand where the way begins, or may be dropped there."""
    own = [board.get(at, "") for at in (way.king_from, way.rook_from)]
    return dropped or all(sign and sign[-1].isupper() == way.right.isupper() for sign in own)


def _listed_ways(
    reader: Reader, files: int, ranks: int, board: Mapping[Square, str], royal: str
) -> list[Way]:
    """Return the ways of the key ``castling``; Black's are White's mirrored if not given."""
    table: dict[str, Any] = reader.get("castling", dict, {})
    dropped = reader.table.get("castling_dropped_piece") is True
    ways: list[Way] = []
    for right, entries in table.items():
        key = f"castling.{right}"
        if right not in ("K", "Q", "k", "q"):
            raise reader.fail(key, "must be K or Q, or k or q for Black")
        if not isinstance(entries, list) or not 1 <= len(entries) <= 4:
            raise reader.fail(key, "must be a list of one to four texts")
        for text in entries:
            words = text.split() if isinstance(text, str) else []
            if len(words) != 4:
                raise reader.fail(key, "each way is 'KING-FROM KING-TO ROOK-FROM ROOK-TO'")
            try:
                way = Way(right, *(parse_square(word, files, ranks) for word in words))
            except ValueError as error:
                raise reader.fail(key, str(error)) from None
            if len({at[1] for at in way[1:]}) != 1:
                raise reader.fail(key, f"'{text}' leaves its rank")
            if way.king_from == way.rook_from or way.king_to == way.rook_to:
                raise reader.fail(key, f"'{text}' puts two pieces on one square")
            if not _stands(way, board, dropped):
                raise reader.fail(key, f"no king on {words[0]} or no partner on {words[2]}")
            castles = board.get(way.king_from, royal).strip("~").upper()
            if royal and castles != royal:
                raise reader.fail(key, f"the king {royal} is not on {words[0]}, {castles} is there")
            ways.append(way)
            mirror = way.mirrored(ranks)
            if right.isupper() and right.lower() not in table and _stands(mirror, board, dropped):
                ways.append(mirror)
    return ways


def _betza_ways(
    reader: Reader,
    files: int,
    ranks: int,
    board: Mapping[Square, str],
    pieces: Mapping[str, Movement],
) -> list[Way]:
    """Return the ways that ``O`` in a piece's moves means, from where the piece begins."""
    ways: list[Way] = []
    for (file, rank), sign in board.items():
        movement = pieces.get(sign.upper())
        for castling in movement.castling if movement else ():
            for side in castling.sides:
                toward = 1 if side == "r" else -1
                partner = files - 1 - castling.inset if toward > 0 else castling.inset
                right = "K" if toward > 0 else "Q"
                to = file + toward * castling.width
                way = Way(
                    right if sign.isupper() else right.lower(),
                    (file, rank), (to, rank), (partner, rank), (to - toward, rank),
                )  # fmt: skip
                if not 0 <= to < files or (partner - file) * toward <= 0:
                    key = f"pieces.{sign.upper()}"
                    raise reader.fail(key, f"no room to castle by O{castling.width}")
                if _stands(way, board, dropped=False):
                    ways.append(way)
    return ways


def read_ways(
    reader: Reader,
    files: int,
    ranks: int,
    board: Mapping[Square, str],
    pieces: Mapping[str, Movement],
    royal: str,
) -> tuple[Way, ...]:
    """Return all ways to castle; DefinitionError for the first fault."""
    ways = _listed_ways(reader, files, ranks, board, royal)
    ways += [w for w in _betza_ways(reader, files, ranks, board, pieces) if w not in ways]
    if max(sum(w.right.isupper() == white for w in ways) for white in (True, False)) > MAX_WAYS:
        raise reader.fail("castling", f"more than {MAX_WAYS} ways for a side")
    return tuple(ways)
