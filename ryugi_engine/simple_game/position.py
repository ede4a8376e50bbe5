"""A position of a simple game as plain Python, and its text.

    board[hands] side counters - 0 number

The hands, ``[SSs]``, are there in games that have any; the counters are ``-`` in games without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import counted
from ryugi_engine.games.notation import (
    PositionError,
    format_board,
    parse_board,
    parse_constants,
    parse_counter,
    parse_holdings,
    parse_side,
    split_holdings,
)
from ryugi_engine.simple_game.definition import Definition
from ryugi_engine.simple_game.fields import Counter, Field, Hand, Neutral, Pieces
from ryugi_engine.simple_game.squares import Squares


class PlainPosition:
    """The fields of a position as attributes, with ``side`` and ``number``.

    Sets of squares are :class:`Squares`; fields with one value for each side are lists of two.
    """

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.side, self.number = 0, 1
        for name, field in definition.fields.items():
            setattr(self, name, _empty(field))

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in ("definition", "side", "number") and name not in self.definition.fields:
            raise AttributeError(f"the position has no field '{name}'")
        super().__setattr__(name, value)

    def copy(self) -> PlainPosition:
        """Return an independent copy."""
        other = PlainPosition(self.definition)
        other.side, other.number = self.side, self.number
        for name in self.definition.fields:
            value = getattr(self, name)
            setattr(other, name, list(value) if isinstance(value, list) else value)
        return other

    def sets(self) -> dict[str, tuple[Callable[[], Squares], Callable[[Squares], None]]]:
        """Return (get, set) of every set of squares, by the letter in position texts."""
        found: dict[str, tuple[Callable[[], Squares], Callable[[Squares], None]]] = {}

        def one_side(sets: list[Squares], side: int) -> None:
            letter = field.letter.lower() if side else field.letter
            found[letter] = (lambda: sets[side]), (lambda value: sets.__setitem__(side, value))

        def neutral(name: str) -> None:
            found[field.letter] = (
                lambda: getattr(self, name),
                lambda value: setattr(self, name, value),
            )

        for name, field in self.definition.fields.items():
            if isinstance(field, Pieces):
                for side in range(2):
                    one_side(getattr(self, name), side)
            elif isinstance(field, Neutral):
                neutral(name)
        return found


def _empty(field: Field) -> Any:
    if isinstance(field, Pieces):
        return [Squares(0), Squares(0)]
    if isinstance(field, Hand):
        return [0, 0]
    return Squares(0) if isinstance(field, Neutral) else 0


def _named(definition: Definition, kind: type[Field]) -> list[tuple[str, Any]]:
    return [(name, field) for name, field in definition.fields.items() if isinstance(field, kind)]


def parse_text(definition: Definition, text: str) -> PlainPosition:
    """Parse a position; PositionError names the field and the reason."""
    words = text.split()
    if not 2 <= len(words) <= 6:
        raise PositionError("position", f"{counted(len(words), 'field')} instead of 6")
    position = PlainPosition(definition)
    rows = words[0]
    if _named(definition, Hand):
        rows, hands = split_holdings(rows)
        _parse_hands(position, hands)
    board = definition.board
    sets = position.sets()
    try:
        letters = parse_board(rows, board.files, board.ranks, "".join(sets).upper())
        for (file, rank), letter in letters.items():
            # GUIs know no neutral pieces: there they are of a side
            get, put = sets[letter] if letter in sets else sets[letter.upper()]
            put(get() | Squares(1 << (rank * board.files + file)))
    except UserError as error:
        raise PositionError("board", str(error)) from None
    position.side = parse_side(words[1])
    _parse_counters(position, words[2] if len(words) > 2 else "")
    position.number = parse_constants([*words[:2], "-", *words[3:]])
    return position


def _parse_hands(position: PlainPosition, text: str) -> None:
    hands = _named(position.definition, Hand)
    held = parse_holdings(text, "".join(field.letter for _, field in hands))
    for name, field in hands:
        counts = [held.get(letter, 0) for letter in (field.letter, field.letter.lower())]
        if max(counts) > field.high:
            raise PositionError("holdings", f"{max(counts)} '{field.letter}' are too many")
        setattr(position, name, counts)


def _parse_counters(position: PlainPosition, text: str) -> None:
    counters = _named(position.definition, Counter)
    values = [] if text in ("", "-") else text.split(",")
    if not values:
        return
    if not counters:
        raise PositionError("third field", f"'{text[:20]}' instead of '-': there are no counters")
    example = f"as '{','.join('0' for _ in counters)}'"
    if len(values) != len(counters):
        expected = f"{counted(len(counters), 'counter')}, {example}"
        raise PositionError("third field", f"{counted(len(values), 'value')} instead of {expected}")
    for (name, field), value in zip(counters, values, strict=True):
        if not (value.isascii() and value.isdecimal()):
            fault = f"'{value[:20]}' is not a whole number"
            raise PositionError(name, f"{fault}: the third field has the counters, {example}")
        setattr(position, name, parse_counter(value, name, field.high))


def format_text(position: PlainPosition) -> str:
    """Return the canonical text."""
    definition = position.definition
    files = definition.board.files
    letters = {
        (square % files, square // files): letter
        for letter, (get, _) in position.sets().items()
        for square in get()
    }
    board = format_board(letters, files, definition.board.ranks)
    hands = _named(definition, Hand)
    if hands:
        held = [
            letter * getattr(position, name)[side]
            for side in range(2)
            for name, field in hands
            for letter in (field.letter.lower() if side else field.letter)
        ]
        board += f"[{''.join(held)}]"
    values = [str(getattr(position, name)) for name, _ in _named(definition, Counter)]
    return f"{board} {'wb'[position.side]} {','.join(values) or '-'} - 0 {position.number}"
