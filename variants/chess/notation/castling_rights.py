"""The field of castling rights in position texts, with the gates of pieces that have not moved.

In Chess960 X-FEN is read (``K`` is the outermost rook on the king's right). Shredder-FEN (``HAha``,
the files of the rooks) is written in Chess960 and read everywhere. Sources: S. J. Edwards, PGN
standard, section 16.1.3.3; R. Scharnagl, X-FEN; the Shredder-FEN of UCI programs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ryugi_engine.games.notation import PositionError, file_name, square_name
from variants.chess.definition.definition import Definition, Square, Way

#: White's right to castle to the right and to the left, then Black's.
RIGHTS = "KQkq"
_Board = Mapping[Square, str]


def bits_of(rights: str) -> int:
    """Return rights to castle as the kernels have them: a bit for each letter of RIGHTS."""
    return sum(1 << RIGHTS.index(right) for right in rights)


def rights_of(bits: int) -> str:
    """Return the letters of the kernels' bits."""
    return "".join(right for bit, right in enumerate(RIGHTS) if bits >> bit & 1)


class Rights(NamedTuple):
    """The parsed field: castling rights and gates."""

    #: Letters of :data:`RIGHTS`.
    castling: str = ""
    #: Squares of pieces that have not moved, in games with gating.
    gates: frozenset[Square] = frozenset()
    #: The ways to castle by these rights in Chess960; elsewhere they are the game's.
    ways: tuple[Way, ...] = ()


def read_rights(game: Definition, board: _Board, text: str) -> Rights:
    """Parse the field; PositionError for rights that the board or the game does not have."""
    if text == "-":
        return Rights()
    if len(set(text)) != len(text):
        raise PositionError("castling", f"a letter stands twice in '{text[:20]}'")
    if game.chess960:
        return _any_setup(game, board, text)
    rights: set[str] = set()
    gates: set[Square] = set()
    for letter in text:
        side = int(letter.islower())
        gate = _home_of(game, board, letter, side) if game.rules.gating else None
        if letter in RIGHTS:
            ways = [way for way in game.ways if way.right == letter]
        elif gate is not None:
            if not _stands(board, gate, side):
                raise PositionError("castling", f"'{letter}' needs a piece on {square_name(gate)}")
            gates.add(gate)
            continue
        else:  # the file of a rook
            ways = [way for way in game.ways if letter == _letter_of(way)]
        if not ways and letter not in game.idle_rights:
            reason = f"'{letter}' is not a castling right of {game.name}"
            raise PositionError("castling", reason)
        for way in ways:
            both = _stands(board, way.king_from, side) and _stands(board, way.rook_from, side)
            if not both and letter in game.idle_rights:
                continue  # a right from drops
            missing = _missing(game, board, way)
            if missing:
                raise PositionError("castling", f"'{letter}' needs {missing}")
            rights.add(way.right)
            gates |= {way.king_from, way.rook_from}
    if game.rules.gating and not game.rules.opposite_castling:  # king and rook have not moved
        sides = {right.islower() for right in rights}  # they name their rights
        rights |= {
            way.right
            for way in game.ways
            if {way.king_from, way.rook_from} <= gates
            and way.right.islower() not in sides
            and not _missing(game, board, way)
        }
    castling = "".join(letter for letter in RIGHTS if letter in rights)
    return Rights(castling, frozenset(gates) if game.rules.gating else frozenset())


def write_rights(game: Definition, board: _Board, rights: Rights) -> str:
    """Return the field, ``-`` for none."""
    if game.chess960:
        return "".join(_letter_of(w) for w in rights.ways if w.right in rights.castling) or "-"
    text = rights.castling
    corners = {at for way in game.ways if way.right in rights.castling for at in way[1:4:2]}
    for side in range(2):
        for at in sorted(rights.gates - corners):
            name = file_name(at[0]).upper() if side == 0 else file_name(at[0])
            if _stands(board, at, side) and at == _home_of(game, board, name, side):
                text += name
    return text or "-"


def _file_of(letter: str) -> int:
    """Return the number of the file that a letter names; -1 if it names none."""
    return ord(letter.upper()) - ord("A") if letter.isascii() else -1


def _home_of(game: Definition, board: _Board, letter: str, side: int) -> Square | None:
    """Return the square on a side's first rank of the file that a letter names, if it is one."""
    file = _file_of(letter)
    if not 0 <= file < game.files:
        return None
    ranks = [at[1] for at in board if _stands(board, at, side)]
    return file, (min(ranks, default=0) if side == 0 else max(ranks, default=0))


def _letter_of(way: Way) -> str:
    """Return the letter of the file of a way's partner, as in Shredder-FEN."""
    name = file_name(way.rook_from[0])
    return name if way.right.islower() else name.upper()


def _missing(game: Definition, board: _Board, way: Way) -> str:
    """Return which piece a way to castle lacks, and where, like ``R on a1``; "" if none."""
    partners = game.rules.castling_rook_pieces[way.right.islower()]
    for at, default in ((way.king_from, {game.royal}), (way.rook_from, partners)):
        wanted = {game.castlers[at]} if at in game.castlers else default
        sign = board.get(at, "").strip("~")
        if sign.upper() not in wanted or sign.islower() != way.right.islower():
            piece = "".join(sorted(wanted))
            piece = piece.lower() if way.right.islower() else piece
            return f"{piece} on {square_name(at)}"
    return ""


def _stands(board: _Board, at: Square, side: int) -> bool:
    sign = board.get(at, "")
    return bool(sign) and sign != "*" and sign.strip("+~").isupper() == (side == 0)


# ---- Chess960 ----------------------------------------------------------------------------------


def _any_setup(game: Definition, board: _Board, text: str) -> Rights:
    """Return the rights and ways of a game in which king and rooks begin on any files."""
    found: dict[str, Way] = {}
    for letter in text:
        side = int(letter.islower())
        royal = game.royal.lower() if side else game.royal
        king = next((at for at, sign in board.items() if sign == royal), None)
        right = letter
        if letter not in RIGHTS and king is not None and 0 <= _file_of(letter) < game.files:
            right = "K" if _file_of(letter) > king[0] else "Q"
            right = right.lower() if side else right
        own = next((way for way in game.ways if way.right == right), None)
        if own is None or king is None:
            raise PositionError("castling", f"'{letter}' is not a castling right of {game.name}")
        if right in found:
            raise PositionError("castling", f"'{text[:20]}' names two rooks of one side")
        found[right] = _way_from(game, board, letter, own, king)
    castling = "".join(right for right in RIGHTS if right in found)
    return Rights(castling, ways=tuple(found[right] for right in castling))


def _way_from(game: Definition, board: _Board, letter: str, own: Way, king: Square) -> Way:
    """Return a way to castle from where the king stands, with the rook that a letter means."""
    rank = own.king_from[1]
    rook = game.castlers[own.rook_from]
    rook = rook.lower() if letter.islower() else rook
    if king[1] != rank:
        raise PositionError("castling", f"'{letter}' needs the king on rank {rank + 1}")
    if letter not in RIGHTS:
        at = _file_of(letter), rank
        if board.get(at) != rook:
            raise PositionError("castling", f"'{letter}' needs {rook} on {square_name(at)}")
        return own._replace(king_from=king, rook_from=at)
    right = letter in "Kk"
    files = [at[0] for at, sign in board.items() if sign == rook and at[1] == rank]
    files = [file for file in files if (file > king[0]) == right]
    if not files:
        raise PositionError("castling", f"'{letter}' needs {rook} beside the king")
    return own._replace(king_from=king, rook_from=(max(files) if right else min(files), rank))
