"""Courses of games against pyffish: with all moves before, on which counts and repetition depend.

Positions with few pieces and moves back and forth bring about what random games hardly see.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import pyffish
import pytest

from ryugi_engine.games.game import Game, Outcome
from ryugi_engine.games.notation import PositionError
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.fairy.test_checks import definition_of
from tests.support.effort import effort
from variants.chess.definition.definition import Definition
from variants.chess.notation.text import PositionData, format_text
from variants.chess.reference.position import Reference

#: By game, how many endings its courses must show, by reason.
WANTED = {
    "makruk": {"counting rule": 1},
    "asean": {"counting rule": 1},
    "janggi": {"threefold repetition": 1, "normal": 1},
    "janggitraditional": {"threefold repetition": 1, "normal": 1},
    "janggimodern": {"fourfold repetition": 1},
    "janggicasual": {"threefold repetition": 1},
    "xiangqi": {"threefold repetition": 1},
}
POINTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}


@dataclass
class Course:
    """A game on its way, by the engine's kernels, its reference rules and pyffish."""

    game: Game
    start: str
    moves: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.position = Position(self.game, self.start)
        reference = self.game.reference(self.position.text())
        assert isinstance(reference, Reference)
        self.start, self.reference = self.position.text(), reference

    def play(self, move: str) -> None:
        self.position.push(self.position.parse_move(move))
        after = self.reference.legal_moves()[move]
        assert isinstance(after, Reference)
        self.reference = after
        self.moves.append(move)

    def theirs(self) -> int | None:
        """Return pyffish's result for the side to move: 1, 0, -1; None if the game goes on."""
        told = self.game.name, self.start, self.moves
        for ends in (pyffish.is_immediate_game_end, pyffish.is_optional_game_end):
            over, value = ends(*told)
            if over:
                return (value > 0) - (value < 0)
        if pyffish.legal_moves(*told):
            return None
        value = pyffish.game_result(*told)
        return (value > 0) - (value < 0)

    def compare(self) -> Outcome | None:
        """Assert that all three agree about text, moves and result; return the result."""
        name, start, moves = self.game.name, self.start, self.moves
        text, outcome = self.position.text(), self.position.outcome()
        course = f"{start} moves {' '.join(moves)}"
        assert text == self.reference.text() == pyffish.get_fen(name, start, moves), course
        assert (outcome and (outcome.result, outcome.reason)) == self.reference.result(), course
        if outcome is not None and outcome.reason == "dead position":
            return outcome  # of which Fairy-Stockfish knows no end
        theirs = pyffish.legal_moves(name, start, moves)
        assert sorted(self.position.legal_moves()) == sorted(theirs), course
        sign = -1 if self.position.side else 1
        assert (outcome and sign * POINTS[outcome.result]) == self.theirs(), course
        return outcome


def few_pieces(game: Definition, source: random.Random) -> str:
    """Return a position with up to three pieces a side besides the kings."""
    while True:
        board = {}
        for side, sign in enumerate((str.upper, str.lower)):
            others = source.choices([*game.pieces], k=source.choice((0, 0, 1, 2, 3)))
            for letter in (game.royal, *others):
                region = game.rules.mobility_region.get(letter, (game.on_board(),) * 2)[side]
                board[source.choice(sorted(region))] = sign(letter)
        text = format_text(game, PositionData(board, side=source.randrange(2)))
        try:
            position = Position(registry().game(game.name), text)
        except PositionError:
            continue
        if pyffish.validate_fen(text, game.name) == 1 and position.outcome() is None:
            return text


def courses(game: Game, source: random.Random, positions: int) -> Iterator[Course]:
    """Yield a course after each move, until so many positions have been seen."""
    definition, seen = definition_of(game), 0
    while seen < positions:
        course = Course(game, few_pieces(definition, source))
        back = source.random()
        for _ in range(150):
            yield course
            seen += 1
            moves = course.position.legal_moves()
            if not moves or course.position.outcome() is not None:
                break
            last = course.moves[-2] if len(course.moves) > 1 else ""
            turned = last[len(last) // 2 :] + last[: len(last) // 2]
            course.play(
                turned if turned in moves and source.random() < back else source.choice(moves)
            )


@pytest.mark.more
@pytest.mark.parametrize("name", WANTED)
def test_courses_are_those_of_fairy_stockfish(name: str, source: random.Random) -> None:
    """Texts, moves, results of 2,000 positions; the reference rules are held to them, too."""
    seen: Counter[str] = Counter()
    for course in courses(registry().game(name), source, effort(250, 2000)):
        outcome = course.compare()
        if outcome is not None:
            seen[outcome.reason] += 1
    for reason, least in WANTED[name].items():
        assert seen[reason] >= effort(0, least), seen
