"""Reference rules of a simple game: its own functions, run by Python.

They find faults of the compiler and of the derived kernels, not of the game's functions.
"""

from __future__ import annotations

import sys
from functools import cached_property
from typing import Any

from ryugi_engine.errors import GameError
from ryugi_engine.kernel.declarations import DRAWN, LOST, ONGOING, WON
from ryugi_engine.simple_game import moves, position
from ryugi_engine.simple_game.definition import Definition
from ryugi_engine.simple_game.interpreted import interpret


class Found:
    """The moves that the game's function ``moves`` adds: a list that Python keeps."""

    def __init__(self) -> None:
        self.state: dict[int, int] = {}
        self.next = 0
        self.last = sys.maxsize  # a list of Python's has no end
        self.tactical = 0

    def codes(self) -> list[int]:
        """Return the move codes, in the order of their listing."""
        return list(self.state.values())


class SimpleReference:
    """See :class:`ryugi_engine.games.game.Reference`."""

    def __init__(self, data: position.PlainPosition) -> None:
        self.data = data

    @classmethod
    def parse(cls, definition: Definition, text: str) -> SimpleReference:
        """Return the position of a text; PositionError if it is wrong."""
        return cls(position.parse_text(definition, text))

    def _call(self, name: str, *args: Any, default: int) -> int:
        function = self.data.definition.function(name)
        if function is None:
            return default
        value = interpret(function)(*args)
        if not isinstance(value, int):
            raise GameError(f"{name}: it returns {value!r}, which is no integer, in {self.text()}")
        return int(value)

    @cached_property
    def _codes(self) -> list[int]:
        if self._call("result", self.data.copy(), default=ONGOING) != ONGOING:
            return []
        found = Found()
        function = self.data.definition.function("moves")
        assert function is not None
        before = position.format_text(self.data)
        interpret(function)(self.data, found)
        if position.format_text(self.data) != before:
            raise GameError(f"moves: it changes the position {before}")
        return found.codes()

    def legal_moves(self) -> dict[str, SimpleReference]:
        """Return the positions after every legal move, keyed by the move's text."""
        definition = self.data.definition
        play = definition.function("play")
        assert play is not None
        found: dict[str, SimpleReference] = {}
        for code in self._codes:
            after = self.data.copy()
            interpret(play)(after, code)
            after.side = 1 - self.data.side
            after.number += self.data.side
            text = moves.move_text(code, definition.board.files, definition.letters)
            found[text] = SimpleReference(after)
        return found

    def evaluate(self) -> int:
        """Return the game's own evaluation for the side to move, without limits."""
        data = self.data.copy()
        if self.data.definition.function("score") is not None:
            return self._call("score", data, default=0)
        us = data.side
        return self._call("worth", data, us, default=0) - self._call(
            "worth", data, 1 - us, default=0
        )

    def order_scores(self) -> dict[str, int]:
        """Return the ``hint`` of every legal move, by its text."""
        board, letters = self.data.definition.board, self.data.definition.letters
        return {
            moves.move_text(code, board.files, letters): self._call(
                "hint", self.data.copy(), code, default=0
            )
            for code in self._codes
        }

    def text(self) -> str:
        """Return the canonical position text."""
        return position.format_text(self.data)

    def result(self) -> tuple[str, str] | None:
        """Return (result, reason) of a finished game, else None."""
        value = self._call("result", self.data.copy(), default=ONGOING)
        if value == ONGOING and not self._codes:
            value = self._call("no_moves", self.data.copy(), default=LOST)
        if value == ONGOING:
            return None
        if value == DRAWN:
            return "1/2-1/2", self.data.definition.reason(self.data.copy())
        winner = self.data.side if value == WON else 1 - self.data.side
        return ("1-0", "0-1")[winner], self.data.definition.reason(self.data.copy())
