"""``SimpleRules``: positions and moves of simple games as text."""

from __future__ import annotations

from typing import ClassVar

from ryugi_engine.games.game import MoveParts, Outcome
from ryugi_engine.games.rules import BaseRules
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import Entry
from ryugi_engine.simple_game import moves
from ryugi_engine.simple_game.definition import Definition
from ryugi_engine.simple_game.fields import Counter, Hand, Neutral
from ryugi_engine.simple_game.position import PlainPosition, format_text, parse_text
from ryugi_engine.simple_game.squares import Squares


def _joined(words: object) -> Squares:
    lo, hi = (int(word) & (1 << 64) - 1 for word in words)  # type: ignore[attr-defined]
    return Squares(lo | hi << 64)


class SimpleRules(BaseRules):
    """See :class:`ryugi_engine.games.game.Rules`; ``template/rules.py`` adds the kernels."""

    definition: ClassVar[Definition]
    #: The entry that publishes a frame which Python has written.
    refresh: ClassVar[Entry]
    not_trainable = "its 'define' has no 'inputs', the fields that a net sees"

    def new_state(self, text: str) -> Block:
        data = parse_text(self.definition, text)
        state = self.new_block()
        frame = self.current(state)
        frame["side"], frame["number"] = data.side, data.number
        for name, field in self.definition.fields.items():
            value = getattr(data, name)
            if isinstance(field, Counter | Hand):
                frame[name] = value
            elif isinstance(field, Neutral):
                frame[name] = value.lo, value.hi
            else:
                frame[name] = [(squares.lo, squares.hi) for squares in value]
        type(self).refresh(state.address)
        return state

    def position(self, state: Block) -> PlainPosition:
        """Return the current position as plain Python."""
        data = PlainPosition(self.definition)
        frame = self.current(state)
        data.side, data.number = int(frame["side"]), int(frame["number"])
        for name, field in self.definition.fields.items():
            value = frame[name]
            if isinstance(field, Counter):
                setattr(data, name, int(value))
            elif isinstance(field, Hand):
                setattr(data, name, [int(count) for count in value])
            elif isinstance(field, Neutral):
                setattr(data, name, _joined(value))
            else:
                setattr(data, name, [_joined(words) for words in value])
        return data

    def text(self, state: Block) -> str:
        return format_text(self.position(state))

    def move_text(self, state: Block, move: int) -> str:
        return moves.move_text(move, self.definition.board.files, self.definition.letters)

    def move_parts(self) -> MoveParts:
        letters = self.definition.letters
        promotions = ("", *(letter.lower() for letter in letters))
        return MoveParts(promotions, letters, third=True)

    def normal_move(self, state: Block, text: str) -> str:
        return moves.normal_move(text)

    def outcome(self, state: Block, has_moves: bool) -> Outcome | None:
        """Return the result with the reason that the game's function ``reason(p)`` gives."""
        found = super().outcome(state, has_moves)
        if found is None:
            return None
        return found._replace(reason=self.definition.reason(self.position(state)))

    def objection(self, state: Block, text: str) -> str:
        """Return the phrase of the game's function ``objection(p, move)``, if it has one."""
        explain = self.definition.optional("objection")
        return str(explain(self.position(state), text)) if explain else "no such move"

    def figure(self, letter: str) -> str:
        """Return the picture of the game's function ``figure(letter)``, if it has one."""
        draw = self.definition.optional("figure")
        return str(draw(letter)) if draw else super().figure(letter)
