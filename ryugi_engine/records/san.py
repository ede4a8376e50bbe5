"""Standard Algebraic Notation for chess-like games: read, and written as the export format has it.

Any game whose pieces move from square to square and have letters is read by its own legal moves.
Source: S. J. Edwards, "Portable Game Notation Specification", 1994, section 8.2.3. Which moves
of a king XBoard calls castling is in the source of its version 4.9 (``CoordsToAlgebraic``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ryugi_engine.games.game import Game, IllegalMove
from ryugi_engine.games.notation import Board, squares_of
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
_SQUARES = re.compile("(?P<begin>[a-z][0-9]++)(?P<end>[a-z][0-9]++)(?P<rest>.*)")
#: Castling in Betza notation, with its direction: right, left or sideways.
_CASTLING_MOVES = re.compile("i([rls])j*O[0-9]")
#: The tag that XBoard alone writes: how the pieces of a game move that an engine has described.
_XBOARD = "VariantMen"


def by_xboard(tags: Mapping[str, str]) -> bool:
    """Return whether a record was written by XBoard, with its own castling notation."""
    return _XBOARD in tags


def has_san(game: Game) -> bool:
    """Return whether a game's moves are written in SAN: pieces with letters, and pawns."""
    return bool(game.pawn)


def to_san(position: Position, code: int) -> str:
    """Return a legal move in SAN, or in the engine's notation in a game that has no SAN.

    Where a king can castle in two ways to one side, as in Ryugi, castling is written as its move.
    """
    text = position.move_text(code)
    squares = _SQUARES.fullmatch(text)
    if not has_san(position.game) or squares is None:
        return text
    board = position.rules.board(position.state)
    begin, end, rest = squares["begin"], squares["end"], squares["rest"].upper()
    (at,), (to,) = squares_of(begin), squares_of(end)
    letter = board[at].upper()
    result = _castling(position, letter, text)
    if not result and letter == position.game.pawn:
        result = f"{begin[0]}x{end}" if to in board or at[0] != to[0] else end
        result += f"={rest}" if rest else ""
    elif not result:
        sources = (move["begin"] for move in _moves_to(position, board, board[at], end))
        others = [source for source in sources if source != begin]
        from_ = ""
        if others:
            from_ = begin
            if all(other[0] != begin[0] for other in others):
                from_ = begin[0]
            elif all(other[1:] != begin[1:] for other in others):
                from_ = begin[1:]
        result = f"{letter}{from_}{'x' * (to in board)}{end}" + (f"={rest}" if rest else "")
    position.push(code)
    sign = "" if not position.in_check() else "+" if position.legal_codes() else "#"
    position.pop()
    return result + sign


def in_san(position: Position, moves: Iterable[str]) -> list[str]:
    """Return moves from a position on in SAN; the position is restored."""
    result = []
    for move in moves:
        code = position.parse_move(move, refereed=True)
        result.append(to_san(position, code))
        position.push(code)
    for _ in result:
        position.pop()
    return result


def _moves_to(position: Position, board: Board, piece: str, end: str) -> Iterator[re.Match[str]]:
    """Yield the legal moves of a player's pieces of one kind to a square."""
    for move in position.legal_moves():
        if end not in move:
            continue
        squares = _SQUARES.fullmatch(move)
        if squares is not None and squares["end"] == end:
            if board.get(squares_of(squares["begin"])[0]) == piece:
                yield squares


def _castling(position: Position, letter: str, text: str) -> str:
    """Return ``O-O`` or ``O-O-O`` for a castling that is the only one to its side, else ""."""
    game = position.game
    if letter != game.royal:
        return ""
    directions = _CASTLING_MOVES.findall(game.pieces.get(letter, ""))
    if any(sum(to in (side, "s") for to in directions) > 1 for side in "rl"):
        return ""
    for name in ("O-O", "O-O-O"):
        if position.rules.normal_move(position.state, name) == text:
            return name
    return ""


def _castlings_of_xboard(position: Position, short: bool) -> list[str]:
    """Return the legal moves that XBoard writes as ``O-O`` or as ``O-O-O``.

    It has no list of castlings: a king that starts right of the middle (or on it) goes to the last
    file but one by ``O-O`` and to the third by ``O-O-O``, one that starts left of it (or on it) the
    other way round. Every other castling is written as the king's move, ``Kh1``.
    """
    game = position.game
    board = position.rules.board(position.state)
    king = game.royal if position.side == 0 else game.royal.lower()
    right, left = game.files // 2, (game.files - 1) // 2
    ways = {(right, game.files - 2), (left, 1)} if short else {(right, 2), (left, game.files - 3)}
    home = 0 if position.side == 0 else game.ranks - 1
    results = []
    for move in position.legal_moves():
        begin, end = squares_of(move)[:2]
        if (
            board.get(begin) == king
            and begin[1] == end[1] == home
            and abs(begin[0] - end[0]) > 1
            and (begin[0], end[0]) in ways
        ):
            results.append(move)
    return results


def _one_of(matches: list[str], word: str, position: Position) -> str:
    """Return the only move, or the word if there is none; IllegalMove for several."""
    if len(matches) > 1:
        raise IllegalMove(f"'{word[:40]}' can be {' or '.join(matches)} in {position.text()}")
    return matches[0] if matches else word


def engine_move(position: Position, word: str, xboard: bool = False) -> str:
    """Return the engine's notation of a move in SAN; any other text unchanged.

    ``xboard`` is whether XBoard has written it (:func:`by_xboard`). Whether the move is legal
    remains to be seen. IllegalMove for a word that means several.
    """
    game = position.game
    if not has_san(game):
        return word
    bare = word.rstrip("+#!?")
    if _CASTLING.fullmatch(bare):
        results = _castlings_of_xboard(position, len(bare) == len("O-O")) if xboard else []
        return _one_of(results, bare, position)
    match = _MOVE.fullmatch(bare)
    if match is None:
        return word
    piece, file, rank = match["piece"], match["file"], match["rank"]
    if piece is None and file and rank and not match["between"]:
        return word  # both squares: the engine's notation
    letter = piece or game.pawn
    board = position.rules.board(position.state)
    mine = letter if position.side == 0 else letter.lower()
    results = [
        move[0]
        for move in _moves_to(position, board, mine, match["to"])
        if file in (None, move["begin"][0])
        and rank in (None, move["begin"][1:])
        and move["rest"].upper() == (match["promotion"] or "")
    ]
    return _one_of(results, word, position)
