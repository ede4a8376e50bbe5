"""Chu Shogi once more, for tests: moves counted from the rules in prose, as Lishogi words them.

It shares nothing with the kernels, the reference rules or the definition's notation. A move has the
square between, also where that is empty. Lishogi counts such moves; the engine counts what differs
on the board (``effects``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

Square = tuple[int, int]
SIZE = 12
_UP, _DOWN, _LEFT, _RIGHT = (0, 1), (0, -1), (-1, 0), (1, 0)
_STRAIGHT = [_UP, _DOWN, _LEFT, _RIGHT]
_FORWARD, _BACKWARD = [(-1, 1), (1, 1)], [(-1, -1), (1, -1)]
_DIAGONAL = [*_FORWARD, *_BACKWARD]
_AROUND = [*_STRAIGHT, *_DIAGONAL]
_WITHIN_TWO = [(x, y) for x in range(-2, 3) for y in range(-2, 3) if x or y]
_DOUBLE = {"stab": [_UP], "stabs": _FORWARD, "lion": _AROUND}
#: What a piece steps or jumps to, along what it slides, and which second moves it has.
_WALKS: dict[str, tuple[list[Square], list[Square], str]] = {
    "king": (_AROUND, [], ""),
    "elephant": ([s for s in _AROUND if s != _DOWN], [], ""),
    "tiger": ([s for s in _AROUND if s != _UP], [], ""),
    "gold": ([*_STRAIGHT, *_FORWARD], [], ""),
    "silver": ([*_DIAGONAL, _UP], [], ""),
    "copper": ([_UP, _DOWN, *_FORWARD], [], ""),
    "leopard": ([*_DIAGONAL, _UP, _DOWN], [], ""),
    "go-between": ([_UP, _DOWN], [], ""),
    "pawn": ([_UP], [], ""),
    "kirin": ([*_DIAGONAL, (0, 2), (0, -2), (2, 0), (-2, 0)], [], ""),
    "phoenix": ([*_STRAIGHT, (2, 2), (2, -2), (-2, 2), (-2, -2)], [], ""),
    "lion": (_WITHIN_TWO, [], "lion"),
    "queen": ([], _AROUND, ""),
    "rook": ([], _STRAIGHT, ""),
    "bishop": ([], _DIAGONAL, ""),
    "dragon": (_DIAGONAL, _STRAIGHT, ""),
    "horse": (_STRAIGHT, _DIAGONAL, ""),
    "lance": ([], [_UP], ""),
    "chariot": ([], [_UP, _DOWN], ""),
    "side": ([_UP, _DOWN], [_LEFT, _RIGHT], ""),
    "vertical": ([_LEFT, _RIGHT], [_UP, _DOWN], ""),
    "white horse": ([], [_UP, _DOWN, *_FORWARD], ""),
    "whale": ([], [_UP, _DOWN, *_BACKWARD], ""),
    "stag": ([_LEFT, _RIGHT, *_DIAGONAL], [_UP, _DOWN], ""),
    "boar": ([], [_LEFT, _RIGHT, *_DIAGONAL], ""),
    "ox": ([], [_UP, _DOWN, *_DIAGONAL], ""),
    "falcon": ([(0, 1), (0, 2)], [_DOWN, _LEFT, _RIGHT, *_DIAGONAL], "stab"),
    "eagle": ([*_FORWARD, (2, 2), (-2, 2)], [*_STRAIGHT, *_BACKWARD], "stabs"),
}
_NAMES = {
    "K": "king", "E": "elephant", "T": "tiger", "G": "gold", "S": "silver", "C": "copper",
    "F": "leopard", "I": "go-between", "P": "pawn", "O": "kirin", "X": "phoenix", "N": "lion",
    "Q": "queen", "R": "rook", "B": "bishop", "D": "dragon", "H": "horse", "L": "lance",
    "A": "chariot", "M": "side", "V": "vertical",
    "+E": "king", "+T": "stag", "+G": "rook", "+S": "vertical", "+C": "side", "+F": "bishop",
    "+I": "elephant", "+P": "gold", "+O": "lion", "+X": "queen", "+R": "dragon", "+B": "horse",
    "+D": "eagle", "+H": "falcon", "+L": "white horse", "+A": "whale", "+M": "boar", "+V": "ox",
}  # fmt: skip
_ROYAL = ("K", "+E")


class Move(NamedTuple):
    """A move: squares and whether it promotes; ``via`` is the square between, if it names one."""

    start: Square
    via: Square | None
    end: Square
    promotes: bool


class Position(NamedTuple):
    """A board by squares with signs, White's in capitals; the side to move; a captured lion's
    square."""

    board: dict[Square, str]
    side: int
    lion: Square | None


def parse(text: str) -> Position:
    """Return the position of a text of the engine."""
    rows, side, _rights, mark, *_counters = text.split()
    board: dict[Square, str] = {}
    for number, row in enumerate(rows.split("/")):
        file = 0
        for sign in re.findall(r"\d+|\+?[A-Za-z]", row):
            if sign.isdigit():
                file += int(sign)
            else:
                board[file, SIZE - 1 - number] = sign
                file += 1
    lion = None if mark == "-" else (ord(mark[0]) - ord("a"), int(mark[1:]) - 1)
    return Position(board, "wb".index(side), lion)


def _side(sign: str) -> int:
    return 0 if sign.isupper() else 1


def _add(at: Square, step: Square, side: int) -> Square:
    turn = 1 if side == 0 else -1
    return at[0] + turn * step[0], at[1] + turn * step[1]


def _inside(at: Square) -> bool:
    return 0 <= at[0] < SIZE and 0 <= at[1] < SIZE


def _apart(a: Square, b: Square) -> int:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def _reach(sign: str, at: Square, occupied: set[Square]) -> Iterator[Square]:
    """Yield what a piece reaches in one go, the first piece in its way included."""
    steps, slides, _double = _WALKS[_NAMES[sign.upper()]]
    for step in steps:
        if _inside(to := _add(at, step, _side(sign))):
            yield to
    for step in slides:
        to = _add(at, step, _side(sign))
        while _inside(to):
            yield to
            if to in occupied:
                break
            to = _add(to, step, _side(sign))


def _guarded(position: Position, at: Square, gone: set[Square]) -> bool:
    """Return whether the side not to move attacks a square when some pieces are in nobody's way."""
    occupied = {*position.board} - gone
    return any(
        at in _reach(sign, square, occupied)
        for square, sign in position.board.items()
        if _side(sign) != position.side and square != at
    )


def _is_lion(position: Position, at: Square) -> bool:
    return _NAMES[position.board[at].upper()] == "lion" if at in position.board else False


def _lion_may_end(position: Position, start: Square, via: Square | None, end: Square) -> bool:
    if end == start or not _is_lion(position, end) or _apart(start, end) < 2:
        return True
    if via in position.board and position.board[via].upper() not in ("P", "I"):
        return True
    return not _guarded(position, end, {start} | ({via} if via is not None else set()))


def _may_capture(position: Position, start: Square, via: Square | None, end: Square) -> bool:
    """Return whether the rules about lions allow a move."""
    if _is_lion(position, start):
        return _lion_may_end(position, start, via, end)
    taken = [at for at in (via, end) if at is not None and at != start and _is_lion(position, at)]
    return position.lion is None or all(at == position.lion for at in taken)


def _promotes(position: Position, start: Square, end: Square) -> bool:
    sign = position.board[start]
    if sign[0] == "+" or sign.upper() in "KNQ":
        return False
    zone = range(8, 12) if position.side == 0 else range(4)
    if end[1] in zone and start[1] not in zone:
        return True
    if end in position.board and (end[1] in zone or start[1] in zone):
        return True
    return sign.upper() in "PL" and end[1] == (11 if position.side == 0 else 0)


def moves(position: Position) -> Iterator[Move]:
    """Yield all moves as Lishogi counts them; nothing where the game is over."""
    if result(position) is not None:
        return
    board, side = position.board, position.side
    for start, sign in board.items():
        if _side(sign) != side:
            continue
        first = [
            to for to in dict.fromkeys(_reach(sign, start, {*board}))
            if (to not in board or _side(board[to]) != side)
        ]  # fmt: skip
        for end in first:
            if _may_capture(position, start, None, end):
                yield Move(start, None, end, False)
                if _promotes(position, start, end):
                    yield Move(start, None, end, True)
        double = _WALKS[_NAMES[sign.upper()]][2]
        for step in _DOUBLE[double] if double else ():
            via = _add(start, step, side)
            if via not in first or not _may_capture(position, start, None, via):
                continue
            onward = _AROUND if double == "lion" else [step, (-step[0], -step[1])]
            for further in onward:
                end = _add(via, further, side)
                free = end == start or end not in board or _side(board[end]) != side
                if _inside(end) and free and _may_capture(position, start, via, end):
                    yield Move(start, via, end, False)


def made(position: Position, move: Move) -> Position:
    """Return the position after a move."""
    board = dict(position.board)
    lion = None
    if not _is_lion(position, move.start):
        for at in (move.via, move.end):
            if at is not None and at != move.start and _is_lion(position, at):
                lion = at
    sign = board.pop(move.start)
    if move.via is not None:
        board.pop(move.via, None)
    board[move.end] = ("+" if move.promotes else "") + sign
    return Position(board, 1 - position.side, lion)


def spelled(position: Position, move: Move) -> str:
    """Return the engine's text of a move: the square between only where a piece is captured."""

    def name(at: Square) -> str:
        return f"{'abcdefghijkl'[at[0]]}{at[1] + 1}"

    start, end = name(move.start), name(move.end)
    if move.via in position.board:
        return f"{start}{name(move.via)},{name(move.via)}{end}"
    return start + end + "+" * move.promotes


def effects(position: Position) -> dict[str, Position]:
    """Return the positions after all moves that differ on the board, by the engine's texts."""
    return {spelled(position, move): made(position, move) for move in moves(position)}


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of moves that differ on the board."""
    after = effects(position)
    if depth == 1:
        return len(after)
    return sum(perft(child, depth - 1) for child in after.values())


def _alive(position: Position, side: int, without: str) -> list[Square]:
    last = 11 if side == 0 else 0
    return [
        at for at, sign in position.board.items()
        if _side(sign) == side and sign.upper() not in without.split()
        and not (sign.upper() in "PL" and at[1] == last)
    ]  # fmt: skip


def _royals(position: Position, side: int) -> list[Square]:
    board = position.board
    return [at for at in board if _side(board[at]) == side and board[at].upper() in _ROYAL]


def _in_check(position: Position, side: int) -> bool:
    seen = position._replace(side=side)
    return any(_guarded(seen, at, set()) for at in _royals(position, side))


def result(position: Position) -> str | None:
    """Return how the game has ended before any move is looked for: ``win``, ``loss``, ``draw``."""
    side = position.side
    if not _royals(position, side):
        return "loss"
    for bare in (0, 1):
        own, theirs = _royals(position, bare), _royals(position, 1 - bare)
        others = _alive(position, 1 - bare, "P I")
        if _alive(position, bare, "") != own or len(own) != 1 or len(others) < 2 or not theirs:
            continue
        near = any(_apart(own[0], at) == 1 for at in others)
        if not _in_check(position, 1 - bare) and (len(others) > 2 or not near):
            return "loss" if bare == side else "win"
    kings = all(
        len(_royals(position, of)) == 1 and _alive(position, of, "") == _royals(position, of)
        and not _in_check(position, of)
        for of in (0, 1)
    )  # fmt: skip
    return "draw" if kings else None
