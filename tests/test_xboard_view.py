"""What the GUI has of a game, without a GUI and without a search; which words are moves."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest

from ryugi_engine.core.conversation import Wire
from ryugi_engine.core.session import Session
from ryugi_engine.games.game import PASS, Outcome
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.conftest import GAMES
from xboard import writer
from xboard.loop import Loop
from xboard.pings import Pings
from xboard.view import View


class Board:
    """A session that has a board and nothing else."""

    def __init__(self, name: str) -> None:
        self.board = Position(registry().game(name))


class Seen:
    """A view and what the GUI has been told."""

    def __init__(self, name: str) -> None:
        self._said = io.StringIO()
        session: Any = Board(name)
        self.position: Position = session.board
        self.view = View(Wire(self._said), session)
        self.view.begin(None)

    def told(self) -> list[str]:
        lines = self._said.getvalue().splitlines()
        self._said.seek(0)
        self._said.truncate()
        return lines


def test_sides_take_turns_where_they_do() -> None:
    seen = Seen("ryugi")
    view = seen.view
    for move in ("e3e5", "d7d5"):
        assert not view.must_pass
        assert view.side == view.order.side == seen.position.side
        seen.position.push(move)
        view.played(move, "")
        view.order.moved(1)
    view.engine_side = 0
    assert view.engines_turn
    view.told(1)
    assert seen.told() == []


def test_white_is_black_where_black_begins() -> None:
    seen = Seen("gomokuroku")
    view = seen.view
    assert seen.position.side == 1
    assert view.must_pass
    view.first_move()
    assert view.order.mirrored
    assert not view.must_pass
    assert view.engines_colour == 0
    assert view.result(Outcome("1-0", "five")).result == "0-1"
    match = Seen("gomokuroku")
    match.view.computer = True
    match.view.first_move()
    assert not match.view.order.mirrored  # an engine passes
    assert match.view.must_pass


def test_several_turns_are_corrected_for_people_only() -> None:
    for computer in (False, True):
        seen = Seen("gomokuroku")
        seen.view.first_move()
        seen.view.computer = computer
        seen.position.push(seen.position.legal_moves()[0])
        seen.view.told(2)
        text = " ".join(seen.position.text().split()[:1]).swapcase()
        shown = [line for line in seen.told() if line.startswith("setboard ")]
        assert bool(shown) != computer
        if shown:
            assert shown[0].split()[1] == text
            assert seen.view.order.untouched
            assert not seen.view.engines_turn
            assert seen.view.correction.reacting


def test_a_pass_is_a_position_with_the_other_side() -> None:
    seen = Seen("gomokuroku")
    view, text = seen.view, seen.position.text()
    assert view.is_pass(text, 1)  # the GUI holds White to be on move, who cannot
    assert not view.is_pass(text, 0)
    other = Position(seen.position.game)
    other.push(other.legal_moves()[0])
    assert not view.is_pass(other.text(), 1)  # another position is no pass


def test_pings_are_answered_in_their_order() -> None:
    said, answered = io.StringIO(), list[str]()
    session: Any = None
    pings = Pings(Wire(said), session, lambda: answered.append(said.getvalue().splitlines()[-1]))
    pings.answer()
    for number in ("1", "2", "x"):
        pings.keep(number)
    assert said.getvalue() == ""
    pings.answer()
    pings.answer()
    assert said.getvalue().splitlines() == answered == ["pong 1", "pong 2", "pong x"]


# ---- words and moves -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_game_knows_its_moves_and_no_command(name: str, source: random.Random) -> None:
    game = registry().game(name)
    position = Position(game)
    for _ in range(60):
        moves = position.legal_moves()
        if not moves:
            break
        for move in moves:
            for word in (move, move.upper(), writer.wire_move(move)):
                assert game.looks_like_move(word), word
        position.push(source.choice(moves))
    commands = [word.removeprefix("_do_") for word in dir(Loop) if word.startswith("_do_")]
    assert len(commands) > 30
    for word in (*commands, "edit", "white", "black", "e2", "e2e4e6", "S@", "", "e2e4\n"):
        assert not game.looks_like_move(word), word


@pytest.mark.parametrize(
    ("name", "words", "others"),
    [
        ("chess", "e2e4 E7E8Q e7e8=q o-o 0-0-0 @@@@ e2d3,d3c4", "S@c3 P0@m1 e2+"),
        ("gorogo", "H@c3 s@a1 @@@@", "e2e4 H@c9 P0@m1"),
        ("gomokuroku", "S@f11 S@e5xc5d5 pass", "H@c3 e2e4"),
        ("goryujin", "P0@m1 z7@ab12+", "S@c3 e2e4"),
    ],
)
def test_moves_without_a_word_before_them(name: str, words: str, others: str) -> None:
    session = Session(lambda event: None)
    loop = Loop(Wire(io.StringIO()), session)
    loop.answer(f"variant {'normal' if name == 'chess' else name}")  # the game that is to come
    for word in words.split():
        assert loop.find(word) is not None, word
    for word in others.split():
        assert loop.find(word) is None, word
    assert registry().game(name).looks_like_move(PASS)
