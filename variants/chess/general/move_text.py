"""Moves of the general family as text, as Fairy-Stockfish writes them over UCI.

``e2e4``, ``e7e8q``, ``b2b3+`` with promotion, ``b3c4-`` with demotion, ``P@e5``, ``+P@e5``. A gated
piece is written ``b1c3h``, or ``h1e1h`` if it stands where the rook was, and a wall on d4
``e2e4,e4d4``. A king that passes is moved to its own square, ``e1e1``. A capture on the way is
written as legs, ``e4e5,e5f6``.
"""

from __future__ import annotations

from ryugi_engine.games.notation import square_name
from variants.chess.definition.definition import Definition
from variants.chess.definition.squares import square_at
from variants.chess.general.encoding.table_block import TableBlock
from variants.chess.general.memory import layout as L

_TURNS = {L.BECOMES: "+", L.TURNS_BACK: "-"}


def _name(square: int) -> str:
    return square_name(square_at(square))


def spelled(block: TableBlock, move: int, side: int) -> str:
    """Return the text of a move of a side."""
    key = move | side << 32
    text = block.move_texts.get(key)
    if text is None:
        text = block.move_texts[key] = _spell(block, move, side)
    return text


def _spell(block: TableBlock, move: int, side: int) -> str:
    table = L.TABLE.of(block)
    kinds = block.game.kinds()
    origin, target, kind = move & 255, move >> 8 & 255, move >> 16 & 7
    choice, square = move >> 19 & 15, move >> 23
    rules = block.game.rules
    if kind == L.DROP:
        plus = "+" if choice else ""
        text = f"{plus}{kinds[origin - 1].sign}@{_name(target)}"
    elif kind == L.CASTLE:
        text = _castling(block.game, origin, target)
    else:
        text = _name(origin) + _name(target)
    if kind == L.LOCUST:
        if square != origin:
            text = f"{_name(origin)}{_name(square)},{_name(square)}{_name(target)}"
        if choice in _TURNS:
            text += _TURNS[choice]
        elif choice:
            promoted = int(table["promotion"][side, choice - 1]) & 63
            text += kinds[promoted - 1].sign[0].lower()
        return text
    if kind == L.PROMOTION:
        promoted = int(table["promotion"][side, choice]) & 63
        text += kinds[promoted - 1].sign[0].lower()
    elif kind == L.PIECE_PROMOTION:
        text += _TURNS[choice]
    elif choice and kind != L.DROP:
        if choice == L.AT_PARTNER:
            ends = square_at(origin), square_at(target)
            way = next(way for way in block.game.ways if way[1:3] == ends)
            text = square_name(way.rook_from) + _name(origin)
        text += kinds[square - 1].sign.lower()
    if rules.walling_rule != "none" and (not rules.wall_or_move or origin == target):
        end = text.removeprefix(_name(origin)) if kind == L.CASTLE else _name(target)
        text += f",{end}{_name(square)}"
    return text


def _castling(game: Definition, origin: int, target: int) -> str:
    """Return the text of a castling by the king's squares, which tell it from all others."""
    ends = square_at(origin), square_at(target)
    return next(text for way, text in game.castling_texts.items() if way[1:3] == ends)
