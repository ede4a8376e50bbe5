"""Position texts: parsing and formatting shared by several games.

A board maps (file, rank), from 0, to a letter, White's in upper case.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, counted, is_pass

MAX_MOVE_NUMBER = 100_000
Board = dict[tuple[int, int], str]
#: The names that CECP has for games, where they differ from ours.
CECP_NAMES = {"chess": "normal", "chess960": "fischerandom", "capablanca960": "caparandom"}
_HELD = re.compile("([0-9]*)([A-Za-z])")


class PositionError(UserError):
    """A fault in a position text: one line with the field and the reason."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")


def file_name(file: int) -> str:
    """Return a file's name: ``a`` to ``z``, then ``aa``, ``ab`` and so on."""
    name = chr(ord("a") + file % 26)
    return name if file < 26 else file_name(file // 26 - 1) + name


def square_name(at: tuple[int, int]) -> str:
    """Return the algebraic name of a square."""
    return f"{file_name(at[0])}{at[1] + 1}"


def parse_square(text: str, files: int, ranks: int) -> tuple[int, int]:
    """Return (file, rank) of a square's name, from 0; UserError if it is not on the board."""
    match = re.fullmatch(r"([a-z])([0-9]{1,2})", text)
    if match is None:
        raise UserError(f"'{text}' is not a square")
    file, rank = ord(match.group(1)) - ord("a"), int(match.group(2)) - 1
    if not (0 <= file < files and 0 <= rank < ranks):
        raise UserError(f"'{text}' is not on a board of {files}x{ranks}")
    return file, rank


def squares_of(move: str) -> list[tuple[int, int]]:
    """Return all squares that a move's text names, as (file, rank) from 0."""
    squares = re.findall(r"([a-z])([0-9]{1,2})", move)
    return [(ord(file) - ord("a"), int(rank) - 1) for file, rank in squares]


def cecp_move(move: str, ranks: int) -> str:
    """Return a move in CECP's notation, which counts ranks from 0 on boards of ten ranks."""
    if is_pass(move):
        return "@@@@"
    return _ranks_moved(move, -1) if ranks == 10 else move


def own_ranks(move: str, ranks: int) -> str:
    """Convert a move from CECP's notation: the inverse of :func:`cecp_move`."""
    return _ranks_moved(move, 1) if ranks == 10 else move


def _ranks_moved(move: str, by: int) -> str:
    return re.sub("(?<=[a-z])[0-9]{1,2}", lambda rank: str(int(rank[0]) + by), move)


def parse_counter(text: str, where: str, high: int) -> int:
    """Parse an integer of 0..high; ``where`` names the field in the PositionError."""
    if not (text.isascii() and text.isdigit()):
        raise PositionError(where, f"'{text[:20]}' is not a whole number")
    # int() refuses thousands of digits
    if len(text) > 20 or int(text) > high:
        raise PositionError(where, f"{text[:20]} is more than {high}")
    return int(text)


def parse_side(text: str) -> int:
    """Parse the side to move: 0 for w, 1 for b; PositionError for anything else."""
    if text not in ("w", "b"):
        raise PositionError("side to move", f"'{text[:20]}' is not w or b")
    return "wb".index(text)


def remark_on(game: Game, text: str | None) -> str:
    """Return a line about a text that could be meant otherwise, "" for a clear one.

    The side that moves first is ``b`` in SFEN, and ``w`` in a position text of shogi. Without
    pieces in hand only the number of fields tells them apart.
    """
    if game.san == "shogi" and re.fullmatch(r"[^\s\[]+ +[wb] +- +[0-9]+", (text or "").strip()):
        return "the position is read as SFEN: 'b' moves first and has the capital letters"
    return ""


_TOKENS = re.compile(r"[0-9]+|.", re.DOTALL)
_PROMOTED_TOKENS = re.compile(r"[0-9]+|\+?[A-Za-z]~?|.", re.DOTALL)


def parse_board(
    text: str, files: int, ranks: int, letters: str, holes: Collection[tuple[int, int]] = ()
) -> Board:
    """Parse the first field of a FEN; UserError names the rank.

    ``holes`` are squares that the board does not have, written ``*``. If ``letters`` has a plus
    sign pieces may be promoted, ``+P`` or ``Q~``; the board has ``+P`` and ``Q`` then.
    """
    tokens = _PROMOTED_TOKENS if "+" in letters else _TOKENS
    rows = text.split("/")
    if len(rows) != ranks:
        raise UserError(f"{counted(len(rows), 'rank')} instead of {ranks}")
    board: Board = {}
    for number, row in zip(range(ranks, 0, -1), rows, strict=True):
        file = 0
        for token in tokens.findall(row):
            stretch = 1
            if token.isascii() and token.isdigit():
                if len(token) > 2 or token.startswith("0"):
                    raise UserError(f"rank {number}: '{token[:8]}' is not a count of squares")
                stretch = int(token)
            elif (bare := token.strip("+~")).isascii() and bare.upper() in list(letters):
                board[file, number - 1] = token.rstrip("~")
            elif token != "*" or not holes:
                raise UserError(f"rank {number}: unknown letter {token!r}")
            if file + stretch > files:
                raise UserError(f"rank {number}: more than {counted(files, 'square')}")
            for at in ((f, number - 1) for f in range(file, file + stretch)):
                if (at in holes) != (token == "*"):
                    is_one = "is not on the board" if at in holes else "is a square, no hole"
                    raise UserError(f"rank {number}: {square_name(at)} {is_one}")
            file += stretch
        if file != files:
            raise UserError(f"rank {number}: {counted(file, 'square')} instead of {files}")
    return board


def format_board(
    board: Mapping[tuple[int, int], str],
    files: int,
    ranks: int,
    holes: Collection[tuple[int, int]] = (),
) -> str:
    """Return the first field of a FEN."""
    rows = []
    for rank in range(ranks - 1, -1, -1):
        row = ""
        empty = 0
        for file in range(files):
            letter = "*" if (file, rank) in holes else board.get((file, rank))
            if letter is None:
                empty += 1
                continue
            row += (str(empty) if empty else "") + letter
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows)


def parse_holdings(text: str, letters: str) -> dict[str, int]:
    """Parse pieces in hand, ``SSSss`` or ``3S2s``, to counts by letter; else PositionError."""
    held: dict[str, int] = {}
    at = 0
    while (match := _HELD.match(text, at)) is not None:
        count, letter = match.groups()
        if letter.upper() not in letters:
            break
        if count.startswith("0") or len(count) > 3:
            raise PositionError("holdings", f"'{count[:8]}' is not a count of pieces")
        held[letter] = held.get(letter, 0) + int(count or 1)
        at = match.end()
    if at != len(text):
        raise PositionError("holdings", f"'{text[at : at + 8]}' is not like '3{letters[:1]}'")
    return held


def split_holdings(field: str) -> tuple[str, str]:
    """Split ``board[holdings]`` into its two parts; PositionError without brackets."""
    match = re.fullmatch(r"([^\[\]]*)\[([^\[\]]*)\]", field)
    if match is None:
        raise PositionError("holdings", "'[...]' is missing behind the board")
    return match.group(1), match.group(2)


def parse_constants(fields: Sequence[str]) -> int:
    """Check ``- - 0`` in fields 3 to 5 of a placement game; return the move number of field 6."""
    names = ("third", "fourth", "fifth")
    for value, expected, name in zip(fields[2:5], "--0", names, strict=False):
        if value != expected:
            raise PositionError(f"{name} field", f"'{value[:20]}' is not {expected}")
    if len(fields) < 6:
        return 1
    return max(1, parse_counter(fields[5], "move number", MAX_MOVE_NUMBER))
