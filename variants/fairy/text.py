"""Position texts of the general family.

    board[hands] side castling passing [checks] clock number

Hands are there in games that have any, checks in games that count them. Where a side moves several
times in a turn, how many moves are left stands behind the side: ``w2``. Castling has the letters
KQkq, or those of the rooks' files as in Shredder-FEN; with gating, those of the files on which
pieces have not moved. A right that the board does not have is refused.

Read, but not written, are lichess's spellings: hands as one more row of the board (``/Pn``), and
after the counters the checks that each side has given (``+1+0``). Without checks each side has as
many to give as at the start.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import counted
from ryugi_engine.games.notation import (
    MAX_MOVE_NUMBER,
    PositionError,
    file_name,
    parse_counter,
    parse_side,
    parse_square,
    square_name,
)
from variants.fairy.definition import Definition, Square, Way
from variants.fairy.start import board_of

#: Maximum number of pieces of a kind in hand.
MAX_HELD = 250
_HELD = re.compile("([0-9]*)([A-Za-z])")
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
    passing: frozenset[Square] = frozenset()
    checks: tuple[int, int] = (0, 0)
    clock: int = 0
    number: int = 1


def has_hands(game: Definition) -> bool:
    """Return whether position texts have pieces in hand."""
    rules = game.rules
    return rules.piece_drops or rules.seirawan_gating or rules.captures_to_hand


def parse_text(game: Definition, text: str) -> PositionData:
    """Parse a position; PositionError names field and reason. Later fields may be missing."""
    words = text.split()
    if not words:
        raise PositionError("position", "is empty")
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
            raise PositionError("board", f"{owner} has {counted(count, 'piece')} {royal}")
    if bracket:
        data.hands = _hands(game, hands)
    rest = words[1:]
    _side(game, data, rest.pop(0) if rest else "w")
    if rest and not _is_counter(rest[0]):
        _castling(game, data, rest.pop(0))
        if rest and not _is_counter(rest[0]):
            data.passing = _passing(game, rest.pop(0))
    if game.rules.check_counting:
        data.checks = _checks(game, rest)
    if len(rest) > 2:
        raise PositionError("position", f"{counted(len(rest) - 2, 'field')} too many")
    data.clock = parse_counter(rest[0], "halfmove clock", 10_000) if rest else 0
    data.number = parse_counter(rest[1], "move number", MAX_MOVE_NUMBER) if len(rest) > 1 else 1
    data.number = max(data.number, 1)
    return data


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


def _side(game: Definition, data: PositionData, text: str) -> None:
    """Read the side to move, and how many moves it has left."""
    if not game.has_long_turns():
        data.side = parse_side(text)
        return
    data.side = parse_side(text[:1])
    most = game.turn_moves()[data.side]
    left = text[1:] or str(most)
    if left not in [str(number) for number in range(1, most + 1)]:
        raise PositionError("side", f"'{text[:20]}' is not like {text[:1]}{most}, with moves left")
    data.moves_left = int(left)


def _hands(game: Definition, text: str) -> dict[str, int]:
    if not text.endswith("]"):
        raise PositionError("holdings", "']' is missing")
    held: dict[str, int] = {}
    text, at = text[:-1].strip("-"), 0
    while match := _HELD.match(text, at):
        count, letter = match.groups()
        if letter.upper() not in game.letters:
            break
        if len(count) > 3:
            raise PositionError("holdings", f"'{count[:8]}' is not a count of pieces")
        held[letter] = held.get(letter, 0) + int(count or 1)
        at = match.end()
    if at != len(text):
        raise PositionError("holdings", f"'{text[at : at + 8]}' is no piece")
    if max(held.values(), default=0) > MAX_HELD:
        raise PositionError("holdings", f"more than {MAX_HELD} pieces of a kind")
    return held


def _castling(game: Definition, data: PositionData, text: str) -> None:
    """Read rights and gates; PositionError for what the board or the game has not."""
    if text == "-":
        return
    if len(set(text)) != len(text):
        raise PositionError("castling", f"a letter stands twice in '{text[:20]}'")
    rights: set[str] = set()
    gates: set[Square] = set()
    for letter in text:
        side = int(letter.islower())
        gate = _file_of(game, data, letter, side) if game.rules.gating else None
        if letter in "KQkq":
            ways = [way for way in game.ways if way.right == letter]
        elif gate is not None:
            if not _stands(data, gate, side):
                raise PositionError("castling", f"'{letter}' needs a piece on {square_name(gate)}")
            gates.add(gate)
            continue
        else:  # the file of a rook
            ways = [way for way in game.ways if letter == _letter_of(way)]
        if not ways and letter not in game.idle_rights:
            reason = f"'{letter}' is not a castling right of {game.name}"
            raise PositionError("castling", reason)
        for way in ways:
            both = _stands(data, way.king_from, side) and _stands(data, way.rook_from, side)
            if not both and letter in game.idle_rights:
                continue  # a right from drops
            _refuse_way(game, data, letter, way)
            rights.add(way.right)
            gates |= {way.king_from, way.rook_from}
    if game.rules.gating and not game.rules.opposite_castling:  # king and rook have not moved
        rights |= {w.right for w in game.ways if {w.king_from, w.rook_from} <= gates}
    data.castling = "".join(letter for letter in "KQkq" if letter in rights)
    data.gates = frozenset(gates) if game.rules.gating else frozenset()


def _file_of(game: Definition, data: PositionData, letter: str, side: int) -> Square | None:
    """Return the square on a side's first rank of the file that a letter names, if it is one."""
    file = ord(letter.upper()) - ord("A") if letter.isascii() else -1
    if not 0 <= file < game.files:
        return None
    ranks = [at[1] for at in data.board if _stands(data, at, side)]
    return file, (min(ranks, default=0) if side == 0 else max(ranks, default=0))


def _letter_of(way: Way) -> str:
    """Return the letter of the file of a way's partner, as in Shredder-FEN."""
    name = file_name(way.rook_from[0])
    return name if way.right.islower() else name.upper()


def _refuse_way(game: Definition, data: PositionData, letter: str, way: Way) -> None:
    """Raise PositionError if king or partner do not stand where a way to castle begins."""
    partners = game.rules.castling_rook_pieces[way.right.islower()]
    for at, default in ((way.king_from, {game.royal}), (way.rook_from, partners)):
        wanted = {game.castlers[at]} if at in game.castlers else default
        sign = data.board.get(at, "").strip("~")
        if sign.upper() not in wanted or sign.islower() != way.right.islower():
            piece = "".join(sorted(wanted))
            piece = piece.lower() if way.right.islower() else piece
            raise PositionError("castling", f"'{letter}' needs {piece} on {square_name(at)}")


def _stands(data: PositionData, at: Square, side: int) -> bool:
    sign = data.board.get(at, "")
    return bool(sign) and sign != "*" and sign.strip("+~").isupper() == (side == 0)


def _passing(game: Definition, text: str) -> frozenset[Square]:
    if text == "-":
        return frozenset()
    names = re.findall("[a-z][0-9]{1,2}", text)
    if not names or "".join(names) != text:
        raise PositionError("en passant", f"'{text[:20]}' is not a square")
    try:
        return frozenset(parse_square(name, game.files, game.ranks) for name in names)
    except ValueError as error:
        raise PositionError("en passant", str(error)) from None


def format_text(game: Definition, data: PositionData) -> str:
    """Return the canonical text."""
    rows = []
    for rank in range(game.ranks - 1, -1, -1):
        row, empty = "", 0
        for file in range(game.files):
            sign = data.board.get((file, rank))
            if sign is None:
                empty += 1
                continue
            row += (str(empty) if empty else "") + sign
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    text = "/".join(rows)
    if has_hands(game):
        signs = list(game.letters + game.letters.lower())
        text += f"[{''.join(sign * data.hands.get(sign, 0) for sign in signs)}]"
    left = str(data.moves_left) if game.has_long_turns() else ""
    words = [text, "wb"[data.side] + left, _rights(game, data)]
    words.append("".join(square_name(at) for at in sorted(data.passing)) or "-")
    if game.rules.check_counting:
        words.append(f"{data.checks[0]}+{data.checks[1]}")
    return " ".join([*words, str(data.clock), str(data.number)])


def _rights(game: Definition, data: PositionData) -> str:
    text = data.castling
    corners = {at for way in game.ways if way.right in data.castling for at in way[1:4:2]}
    for side in range(2):
        for at in sorted(data.gates - corners):
            name = file_name(at[0]).upper() if side == 0 else file_name(at[0])
            if _stands(data, at, side) and at == _file_of(game, data, name, side):
                text += name
    return text or "-"
