"""Position text of the chess family: FEN with six fields, parsed strictly.

Source: S. J. Edwards, PGN standard, section 16.1. The module ``castling_rights`` has the field of
castling rights. The en passant square stands only where a legal en passant capture exists.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ryugi_engine.games.game import counted
from ryugi_engine.games.notation import (
    MAX_MOVE_NUMBER,
    PositionError,
    format_board,
    parse_board,
    parse_counter,
    parse_side,
    parse_square,
    square_name,
)
from variants.chess_family.castling_rights import Ways, read_rights, write_rights
from variants.chess_family.definition import Definition
from variants.chess_family.legality import can_take_en_passant, in_check


@dataclass
class PositionData:
    """A position as plain data. Squares are (file, rank) from 0, White's letters upper case."""

    board: dict[tuple[int, int], str]
    white_to_move: bool = True
    #: The ways to castle by each right that is left.
    castling: Ways = field(default_factory=dict)
    en_passant: tuple[int, int] | None = None
    clock: int = 0
    fullmove: int = 1


def parse_fen(game: Definition, text: str) -> PositionData:
    """Parse a FEN; the clocks may be missing. PositionError names field and reason."""
    fields = text.split()
    if not 4 <= len(fields) <= 6:
        raise PositionError("position", f"{counted(len(fields), 'field')} instead of 6")
    try:
        board = parse_board(fields[0], game.files, game.ranks, game.letters)
    except ValueError as error:
        raise PositionError("board", str(error)) from None
    for king, owner in ((game.royal, "White"), (game.royal.lower(), "Black")):
        count = sum(1 for piece in board.values() if piece == king)
        if count != 1:
            raise PositionError("board", f"{owner} has {count or 'no'} king{'s' * (count > 1)}")
    for at, piece in board.items():
        if piece.upper() == game.pawn and at[1] in (0, game.ranks - 1):
            raise PositionError("board", f"pawn on {square_name(at)}")
    data = PositionData(board, parse_side(fields[1]) == 0)
    data.castling = read_rights(game, fields[2], board)
    if fields[3] != "-":
        try:
            data.en_passant = parse_square(fields[3], game.files, game.ranks)
        except ValueError as error:
            raise PositionError("en passant", str(error)) from None
    clock_limit = 2 * game.draw_moves
    data.clock = parse_counter(fields[4], "halfmove clock", clock_limit) if len(fields) > 4 else 0
    data.fullmove = (
        parse_counter(fields[5], "move number", MAX_MOVE_NUMBER) if len(fields) > 5 else 1
    )
    data.fullmove = max(data.fullmove, 1)
    white = data.white_to_move
    if in_check(game, board, not white):
        raise PositionError("side to move", "the side not to move is in check")
    target = data.en_passant
    if target is not None and not can_take_en_passant(game, board, white, target):
        data.en_passant = None
    return data


def format_fen(game: Definition, data: PositionData) -> str:
    """Return the canonical text; ``data.en_passant`` must be None or legal."""
    board = format_board(data.board, game.files, game.ranks)
    en_passant = "-" if data.en_passant is None else square_name(data.en_passant)
    side = "w" if data.white_to_move else "b"
    castling = write_rights(game, data.castling)
    return f"{board} {side} {castling} {en_passant} {data.clock} {data.fullmove}"


def canonical(game: Definition, text: str) -> str:
    """Return a position text in canonical form; PositionError if it is wrong."""
    return format_fen(game, parse_fen(game, text))
