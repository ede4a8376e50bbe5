"""What the GUI has of a game, without a GUI and without a search; which words are moves."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest

from ryugi_engine.core.conversation import GuiConnection
from ryugi_engine.core.session import Session
from ryugi_engine.games.game import PASS, Outcome
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.conftest import GAMES
from xboard import writer
from xboard.gui_state import GuiState
from xboard.pings import Pings
from xboard.protocol import CecpProtocol


class Board:
    """A session that has a position and nothing else."""

    def __init__(self, name: str) -> None:
        self.position = Position(registry().game(name))


class Seen:
    """A gui and what the GUI has been told."""

    def __init__(self, name: str) -> None:
        self._said = io.StringIO()
        session: Any = Board(name)
        self.position: Position = session.position
        self.gui = GuiState(GuiConnection(self._said), session)
        self.gui.begin(None)

    def told(self) -> list[str]:
        lines = self._said.getvalue().splitlines()
        self._said.seek(0)
        self._said.truncate()
        return lines


def test_sides_take_turns_where_they_do() -> None:
    seen = Seen("ryugi")
    gui = seen.gui
    for move in ("e3e5", "d7d5"):
        assert not gui.must_pass
        assert gui.side == gui.order.side == seen.position.side
        seen.position.push(move)
        gui.user_moved(move, "")
        gui.order.add(1)
    gui.engine_side = 0
    assert gui.engine_to_move
    gui.move_sent(1)
    assert seen.told() == []


def test_white_is_black_where_black_begins() -> None:
    seen = Seen("gomokuroku")
    gui = seen.gui
    assert seen.position.side == 1
    assert gui.must_pass
    gui.before_user_move()
    assert gui.order.mirrored
    assert not gui.must_pass
    assert gui.engine_colour == 0
    assert gui.result(Outcome("1-0", "five")).result == "0-1"
    match = Seen("gomokuroku")
    match.gui.computer = True
    match.gui.before_user_move()
    assert not match.gui.order.mirrored  # an engine passes
    assert match.gui.must_pass


def test_several_turns_are_corrected_for_people_only() -> None:
    for computer in (False, True):
        seen = Seen("gomokuroku")
        seen.gui.before_user_move()
        seen.gui.computer = computer
        seen.position.push(seen.position.legal_moves()[0])
        seen.gui.move_sent(2)
        text = " ".join(seen.position.text().split()[:1]).swapcase()
        shown = [line for line in seen.told() if line.startswith("setboard ")]
        assert bool(shown) != computer
        if shown:
            assert shown[0].split()[1] == text
            assert seen.gui.order.at_start
            assert not seen.gui.engine_to_move
            assert seen.gui.resync.reacting


def test_a_pass_is_a_position_with_the_other_side() -> None:
    seen = Seen("gomokuroku")
    gui, text = seen.gui, seen.position.text()
    assert gui.is_pass(text, 1)  # the GUI holds White to be on move, who cannot
    assert not gui.is_pass(text, 0)
    other = Position(seen.position.game)
    other.push(other.legal_moves()[0])
    assert not gui.is_pass(other.text(), 1)  # another position is no pass


def test_pings_are_answered_in_their_order() -> None:
    output, answered = io.StringIO(), list[str]()
    pings = Pings(
        GuiConnection(output), lambda: answered.append(output.getvalue().splitlines()[-1])
    )
    pings.answer()
    for number in ("1", "2", "x"):
        pings.keep(number)
    assert output.getvalue() == ""
    pings.answer()
    pings.answer()
    assert output.getvalue().splitlines() == answered == ["pong 1", "pong 2", "pong x"]


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
            for word in (move, move.upper(), writer.protocol_move(move, game)):
                assert game.looks_like_move(word), word
        position.push(source.choice(moves))
    commands = [word.removeprefix("_do_") for word in dir(CecpProtocol) if word.startswith("_do_")]
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
    loop = CecpProtocol(GuiConnection(io.StringIO()), session)
    loop.answer(f"variant {'normal' if name == 'chess' else name}")  # the game that is to come
    for word in words.split():
        assert loop.find(word) is not None, word
    for word in others.split():
        assert loop.find(word) is None, word
    assert registry().game(name).looks_like_move(PASS)
