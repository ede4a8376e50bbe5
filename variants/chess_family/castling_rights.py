"""The field of castling rights: ``KQkq``, and in Chess960 the files of the rooks.

Sources: S. J. Edwards, PGN standard, section 16.1.3.3; R. Scharnagl, X-FEN (``K`` is the outermost
rook on the king's right); the Shredder-FEN of UCI programs (``HAha``), which is what is written.
"""

from __future__ import annotations

from collections.abc import Mapping

from ryugi_engine.games.notation import Board, PositionError, parse_board, square_name
from variants.chess_family.definition import Castle, Definition

#: White's right to castle to the right and to the left, then Black's.
RIGHTS = "KQkq"
#: The ways to castle by right.
Ways = Mapping[str, tuple[Castle, ...]]


def read_rights(game: Definition, text: str, board: Board) -> Ways:
    """Return the ways to castle that a position text's field allows; PositionError if it is wrong.

    Letters that repeat or contradict the board are refused.
    """
    if text == "-":
        return {}
    if len(set(text)) != len(text):
        raise PositionError("castling", f"a letter stands twice in '{text[:20]}'")
    start = parse_board(game.start.split()[0], game.files, game.ranks, game.letters)
    found: dict[str, tuple[Castle, ...]] = {}
    for letter in text:
        king = game.royal if letter.isupper() else game.royal.lower()
        home = next(at for at, piece in board.items() if piece == king)
        right = _right_of(game, letter, home[0])
        ways = game.castling.get(right)
        if ways is None:
            raise PositionError("castling", f"'{letter}' is not a castling right of {game.name}")
        if right in found:
            raise PositionError("castling", f"'{text[:20]}' names two rooks of one side")
        rook = start[ways[0].rook_from]
        if game.chess960:
            ways = _ways_on_board(ways, letter, home, rook, board)
        for at, piece in ((ways[0].king_from, king), (ways[0].rook_from, rook)):
            if board.get(at) != piece:
                raise PositionError("castling", f"'{letter}' needs {piece} on {square_name(at)}")
        found[right] = ways
    return {right: found[right] for right in RIGHTS if right in found}


def write_rights(game: Definition, ways: Ways) -> str:
    """Return the field for the rights that are left, ``-`` for none."""
    if not game.chess960:
        return "".join(ways) or "-"
    files = ((right, square_name(way[0].rook_from)[0]) for right, way in ways.items())
    return "".join(f.upper() if right.isupper() else f for right, f in files) or "-"


def _file_of(letter: str) -> int:
    return ord(letter.lower()) - ord("a")


def _right_of(game: Definition, letter: str, king_file: int) -> str:
    """Return the right that a letter means; the letter itself if it is no file in Chess960."""
    if not game.chess960 or letter in RIGHTS or not 0 <= _file_of(letter) < game.files:
        return letter
    right = "K" if _file_of(letter) > king_file else "Q"
    return right if letter.isupper() else right.lower()


def _ways_on_board(
    ways: tuple[Castle, ...], letter: str, king: tuple[int, int], rook: str, board: Board
) -> tuple[Castle, ...]:
    """Return the ways to castle from where the king stands, with the rook that a letter means."""
    rank = ways[0].king_from[1]
    if king[1] != rank:
        raise PositionError("castling", f"'{letter}' needs the king on rank {rank + 1}")
    if letter in RIGHTS:
        right = letter in "Kk"
        files = [at[0] for at, piece in board.items() if piece == rook and at[1] == rank]
        files = [file for file in files if (file > king[0]) == right]
        if not files:
            raise PositionError("castling", f"'{letter}' needs {rook} beside the king")
        file = max(files) if right else min(files)
    else:
        file = _file_of(letter)  # read_rights looks for the rook
    return tuple(Castle(king, way.king_to, (file, rank), way.rook_to) for way in ways)
