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
        right = _right_of(game, letter, board)
        ways = game.castling.get(right)
        if ways is None:
            raise PositionError("castling", f"'{letter}' is not a castling right of {game.name}")
        if right in found:
            raise PositionError("castling", f"'{text[:20]}' names two rooks of one side")
        rook = start[ways[0].rook_from]
        if game.chess960:
            ways = _ways_on_board(game, letter, right, rook, board)
        king = game.royal if right.isupper() else game.royal.lower()
        for at, piece in ((ways[0].king_from, king), (ways[0].rook_from, rook)):
            if board.get(at) != piece:
                raise PositionError("castling", f"'{letter}' needs {piece} on {square_name(at)}")
        found[right] = ways
    return {right: found[right] for right in RIGHTS if right in found}


def write_rights(game: Definition, rights: str, ways: Ways) -> str:
    """Return the field for rights of :data:`RIGHTS`, ``-`` for none."""
    if game.chess960:
        files = ((right, square_name(ways[right][0].rook_from)[0]) for right in rights)
        rights = "".join(f.upper() if right.isupper() else f for right, f in files)
    return rights or "-"


def _king_of(game: Definition, white: bool, board: Board) -> tuple[int, int]:
    return next(at for at, p in board.items() if p == (game.royal if white else game.royal.lower()))


def _right_of(game: Definition, letter: str, board: Board) -> str:
    """Return the right that a letter means; the letter itself if it is no file in Chess960."""
    file = ord(letter.lower()) - ord("a")
    if not game.chess960 or letter in RIGHTS or not 0 <= file < game.files:
        return letter
    right = "K" if file > _king_of(game, letter.isupper(), board)[0] else "Q"
    return right if letter.isupper() else right.lower()


def _ways_on_board(
    game: Definition, letter: str, right: str, rook: str, board: Board
) -> tuple[Castle, ...]:
    """Return the ways of a right from where king and rook stand."""
    king = _king_of(game, right.isupper(), board)
    home = game.castling[right][0].king_from[1]
    if king[1] != home:
        raise PositionError("castling", f"'{letter}' needs the king on rank {home + 1}")
    files = [file for (file, rank), piece in board.items() if piece == rook and rank == home]
    if letter in RIGHTS:
        file = max(files, default=-1) if right in "Kk" else min(files, default=-1)
        beside = file > king[0] if right in "Kk" else 0 <= file < king[0]
    else:
        file = ord(letter.lower()) - ord("a")
        beside = file in files
    if not beside:
        where = f"on {square_name((file, home))}" if letter not in RIGHTS else "beside the king"
        raise PositionError("castling", f"'{letter}' needs {rook} {where}")
    return tuple(
        Castle(king, way.king_to, (file, home), way.rook_to) for way in game.castling[right]
    )
