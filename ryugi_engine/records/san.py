"""Standard Algebraic Notation for chess-like games: which move ``Nbd2`` or ``exd6`` means.

Any game whose pieces move from square to square and have letters is read by its own legal moves.
Source: S. J. Edwards, "Portable Game Notation Specification", 1994, section 8.2.3.
"""

from __future__ import annotations

import re

from ryugi_engine.games.game import IllegalMove
from ryugi_engine.games.notation import parse_board, squares_of
from ryugi_engine.games.position import Position

_CASTLING = re.compile(r"([O0])-\1(?:-\1)?")
_MOVE = re.compile(
    r"""(?P<piece>[A-Z])?
        (?P<file>[a-wyz])?(?P<rank>[0-9]+)?(?P<between>[x:-])?
        (?P<to>[a-z][0-9]+)
        (?:=?\(?(?P<promotion>[A-Z])\)?)?""",
    re.VERBOSE,
)
#: A move in the engine's notation.
_SQUARES = re.compile("(?P<begin>[a-z][0-9]+)(?P<end>[a-z][0-9]+)(?P<rest>.*)")


def engine_move(position: Position, word: str) -> str:
    """A move as the engine's notation has it, where ``word`` is SAN; else the word.

    Whether the move is legal remains to be seen. IllegalMove for a word that means several.
    """
    game = position.game
    if not game.pawn:
        return word
    bare = word.rstrip("+#!?")
    if _CASTLING.fullmatch(bare):
        return bare
    match = _MOVE.fullmatch(bare)
    if match is None:
        return word
    piece, file, rank = match["piece"], match["file"], match["rank"]
    if piece is None and file and rank and not match["between"]:
        return word  # both squares: the engine's notation
    letter = piece or game.pawn
    board = parse_board(position.text().split()[0], game.files, game.ranks, "".join(game.pieces))
    mine = letter if position.side == 0 else letter.lower()
    found = []
    for move in position.legal_moves():
        if match["to"] not in move:
            continue
        parts = _SQUARES.fullmatch(move)
        if (
            parts is not None
            and board.get(squares_of(parts["begin"])[0]) == mine
            and parts["end"] == match["to"]
            and file in (None, parts["begin"][0])
            and rank in (None, parts["begin"][1:])
            and parts["rest"].upper() == (match["promotion"] or "")
        ):
            found.append(move)
    if len(found) > 1:
        raise IllegalMove(f"'{word[:40]}' can be {' or '.join(found)} in {position.text()}")
    return found[0] if found else word
