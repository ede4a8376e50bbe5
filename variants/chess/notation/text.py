"""Position texts of chess-like games.

    board[hands] side castling en_passant [checks] clock number

Hands are there in games that have any, checks in games that count them. Where a side moves several
times in a turn, how many moves are left stands after the side: ``w2``. The module
``castling_rights`` has the field of castling. Squares of en passant on which no piece can have
passed are dropped. While a counting rule counts, the limit in plies is in that field's place, and
the plies counted are in that of the clock.

In games whose lions are not traded the field of en passant has the square where one was captured.

Lichess's spellings are read, but not written. Hands are one more row of the board (``/Pn``). The
checks that each side has given follow the counters (``+1+0``). Without checks each side has as many
to give as at the start. In games like shogi SFEN is read, see ``sfen``. In Xiangqi's family horses
and elephants may be H and E, and the side Red is ``r`` as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import counted
from ryugi_engine.games.notation import (
    MAX_MOVE_NUMBER,
    PositionError,
    format_board,
    parse_counter,
    parse_holdings,
    parse_side,
    parse_square,
    square_name,
)
from variants.chess.definition.definition import Definition, Square, Way
from variants.chess.notation.castling_rights import Rights, read_rights, write_rights
from variants.chess.notation.castling_text import castling_texts
from variants.chess.notation.en_passant import possible_squares
from variants.chess.notation.sfen import from_sfen, is_sfen

_Game = TypeVar("_Game", bound=Definition)
#: Maximum number of pieces on the board and in hand together, and of a kind in hand. Moves do not
#: add pieces: a game that begins within these limits stays within them.
MAX_PIECES, MAX_HELD = 256, 255
#: Maximum of a counting rule's limit, in plies.
MAX_COUNT = 10_000
_SIGN = re.compile(r"[0-9]+|\+?[A-Za-z]~?|\*")
#: Checks that each side has to give, and has given.
_CHECKS = re.compile(r"([0-9])\+([0-9])")
_GIVEN = re.compile(r"\+([0-9])\+([0-9])")


@dataclass
class PositionData:
    """A position as plain data. Signs are ``P``, ``+p``, ``Q~`` and ``*`` for a wall."""

    board: dict[Square, str]
    hands: dict[str, int] = field(default_factory=dict)
    side: int = 0
    #: Moves that the side still has in its turn; 0 where a turn is one move.
    moves_left: int = 0
    castling: str = ""
    gates: frozenset[Square] = frozenset()
    #: The ways to castle of the position, see :class:`castling_rights.Rights`.
    ways: tuple[Way, ...] = ()
    en_passant: frozenset[Square] = frozenset()
    checks: tuple[int, int] = (0, 0)
    clock: int = 0
    number: int = 1
    #: Plies counted by the counting rule, and after how many the game is drawn; 0: none is counted.
    counted: int = 0
    count_limit: int = 0
    #: Where the last move, of a piece that is no lion, captured a lion (``Rules.lion_types``).
    lion: Square | None = None


def at_position(game: _Game, data: PositionData) -> _Game:
    """Return the game with a position's ways to castle, which differ only in Chess960."""
    if not game.chess960:
        return game
    game = replace(game, ways=data.ways)
    return replace(game, castling_texts=castling_texts(game, data.board))


def has_hands(game: Definition) -> bool:
    """Return whether position texts have pieces in hand."""
    rules = game.rules
    return rules.piece_drops or rules.seirawan_gating or rules.captures_to_hand


def parse_text(game: Definition, text: str) -> PositionData:
    """Parse a position; PositionError names field and reason. Later fields may be missing."""
    words = text.split()
    if not words:
        raise PositionError("position", "is empty")
    if game.rules.promoted_piece_type and is_sfen(words):
        words = from_sfen(words, game.files, game.ranks, held=has_hands(game))
    if game.rules.flying_general or game.rules.bikjang_rule:
        words = _in_own_letters(game, words)
    rows, bracket, hands = _split_hands(game, words[0])
    try:
        board = board_of(rows, game.files, game.ranks, game.letters)
        data = PositionData(board)
    except UserError:
        raise
    except ValueError as error:
        raise PositionError("board", str(error)) from None
    known = {kind.sign for kind in game.kinds()}
    for at, sign in board.items():
        if sign != "*" and sign.upper() not in known:
            base = sign.strip("~")
            if base.upper() not in known:
                raise PositionError("board", f"'{sign}' on {square_name(at)} is no piece")
            board[at] = base
    for side, royal in enumerate((game.royal, game.royal.lower())):
        count = sum(sign == royal for sign in board.values()) if royal else 0
        if count > 1:
            owner = ("White", "Black")[side]
            raise PositionError("board", f"{owner} has {count} kings")
    if bracket:
        data.hands = _hands(game, hands)
        if data.hands and not has_hands(game):
            raise PositionError("holdings", f"{game.name} has no pieces in hand")
        total = sum(sign != "*" for sign in board.values()) + sum(data.hands.values())
        if total > MAX_PIECES:
            raise PositionError(
                "holdings", f"more than {MAX_PIECES} pieces with those on the board"
            )
    rest = words[1:]
    turn = rest.pop(0) if rest else "w"
    data.side = parse_side(turn[:1] if game.has_long_turns() else turn)
    if rest and not _is_counter(rest[0]):
        data.castling, data.gates, data.ways = read_rights(game, board, rest.pop(0))
        if rest and not _is_counter(rest[0]):
            squares = _en_passant(game, rest.pop(0))
            if any(game.rules.lion_types):
                data.lion = _lion(squares)
            else:
                data.en_passant = possible_squares(game, board, 1 - data.side, squares)
    if game.rules.counting_rule != "none" and sum(word.isdigit() for word in rest) == 3:
        data.count_limit = parse_counter(rest.pop(0), "count's limit", MAX_COUNT)
    if game.rules.check_counting:
        data.checks = _checks(game, rest)
    if len(rest) > 2:
        raise PositionError("position", f"{counted(len(rest) - 2, 'field')} too many")
    data.clock = parse_counter(rest[0], "halfmove clock", 10_000) if rest else 0
    data.number = parse_counter(rest[1], "move number", MAX_MOVE_NUMBER) if len(rest) > 1 else 1
    data.number = max(data.number, 1)
    if game.has_long_turns():
        data.moves_left = _moves_left(game, data, turn)
    if data.count_limit:
        data.counted, data.clock = data.clock, 0
    return data


def _in_own_letters(game: Definition, words: list[str]) -> list[str]:
    """Return the fields of a text of Xiangqi with the game's letters, and ``w`` for Red."""
    board, *rest = words
    for other, own in ("HN", "EB"):
        if own in game.letters and other not in game.letters:
            board = board.replace(other, own).replace(other.lower(), own.lower())
    return [board, *("w" if word == "r" else word for word in rest[:1]), *rest[1:]]


def _is_counter(word: str) -> bool:
    return word.isdigit() or any(shape.fullmatch(word) for shape in (_CHECKS, _GIVEN))


def _split_hands(game: Definition, text: str) -> tuple[str, str, str]:
    """Return the board, the sign after it if there is one, and what is in hand."""
    if has_hands(game) and "[" not in text and text.count("/") == game.ranks:
        rows, sign, hands = text.rpartition("/")
        return rows, sign, f"{hands}]"
    return text.partition("[")


def _checks(game: Definition, rest: list[str]) -> tuple[int, int]:
    """Return the checks that each side has to give, and remove their field from the others."""
    first = next(filter(None, map(_CHECKS.fullmatch, game.start.split())), None)
    most = (int(first[1]), int(first[2])) if first else (1, 1)
    for at in (0, -1):
        match = _CHECKS.fullmatch(rest[at]) if rest else None
        given = _GIVEN.fullmatch(rest[at]) if rest else None
        if match is not None:
            del rest[at]
            return int(match[1]), int(match[2])
        if given is not None:
            left = most[0] - int(given[1]), most[1] - int(given[2])
            if min(left) < 0:
                raise PositionError("checks", f"{rest[at]} are more than {most[0]}+{most[1]}")
            del rest[at]
            return left
    return most


def _moves_left(game: Definition, data: PositionData, text: str) -> int:
    """Return how many moves the side to move has left: all of its turn if the text does not say."""
    most = game.turn_length(data.side, data.number)
    left = text[1:] or str(most)
    if left not in [str(number) for number in range(1, most + 1)]:
        raise PositionError("side", f"'{text[:20]}' is not like {text[:1]}{most}, with moves left")
    return int(left)


def _hands(game: Definition, text: str) -> dict[str, int]:
    if not text.endswith("]"):
        raise PositionError("holdings", "']' is missing")
    held = parse_holdings(text[:-1].strip("-"), game.letters)
    if max(held.values(), default=0) > MAX_HELD:
        raise PositionError("holdings", f"more than {MAX_HELD} pieces of a kind")
    return held


def _lion(squares: frozenset[Square]) -> Square | None:
    """Return the square of the field where a lion was captured; None if it names none."""
    if len(squares) > 1:
        raise PositionError("lion", "is captured on one square")
    return next(iter(squares), None)


def _en_passant(game: Definition, text: str) -> frozenset[Square]:
    if text == "-":
        return frozenset()
    names = re.findall("[a-z][0-9]{1,2}", text)
    if not names or "".join(names) != text:
        raise PositionError("en passant", f"'{text[:20]}' is not a square")
    try:
        return frozenset(parse_square(name, game.files, game.ranks) for name in names)
    except ValueError as error:
        raise PositionError("en passant", str(error)) from None


def board_of(rows: str, files: int, ranks: int, letters: str) -> dict[Square, str]:
    """Return the signs on the squares of a FEN's first field; ValueError names the rank."""
    given = rows.split("/")
    if len(given) != ranks:
        raise ValueError(f"{counted(len(given), 'rank')} instead of {ranks}")
    board: dict[Square, str] = {}
    for rank, row in zip(range(ranks - 1, -1, -1), given, strict=True):
        file, at = 0, 0
        while at < len(row):
            match = _SIGN.match(row, at)
            if match is None:
                raise ValueError(f"rank {rank + 1}: {row[at]!r} is no piece")
            sign, at = match[0], match.end()
            if sign[0].isdigit():
                if len(sign) > 2 or sign[0] == "0":
                    raise ValueError(f"rank {rank + 1}: '{sign[:8]}' is not a count of squares")
                file += int(sign)
                continue
            if sign != "*" and sign.strip("+~").upper() not in letters:
                raise ValueError(f"rank {rank + 1}: unknown letter '{sign}'")
            board[file, rank] = sign
            file += 1
        if file != files:
            raise ValueError(f"rank {rank + 1}: {counted(file, 'square')} instead of {files}")
    return board


def format_text(game: Definition, data: PositionData) -> str:
    """Return the canonical text."""
    text = format_board(data.board, game.files, game.ranks)
    if has_hands(game):
        signs = list(game.letters + game.letters.lower())
        text += f"[{''.join(sign * data.hands.get(sign, 0) for sign in signs)}]"
    left = str(data.moves_left) if game.has_long_turns() else ""
    rights = write_rights(game, data.board, Rights(data.castling, data.gates, data.ways))
    words = [text, "wb"[data.side] + left, rights]
    marks = data.en_passant if data.lion is None else {data.lion}
    squares = "".join(square_name(at) for at in sorted(marks)) or "-"
    words.append(str(data.count_limit) if data.count_limit else squares)
    if game.rules.check_counting:
        words.append(f"{data.checks[0]}+{data.checks[1]}")
    clock = data.counted if data.count_limit else data.clock
    return " ".join([*words, str(clock), str(data.number)])
