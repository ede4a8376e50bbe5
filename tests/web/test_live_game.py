"""A game that is played, without a page: clocks, lost turns, moves taken back, variations."""

from __future__ import annotations

import random

import pytest

from ryugi_engine.clocks.game_clock import GameClock
from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.errors import UserError
from ryugi_engine.games.notation import square_name
from ryugi_engine.games.registry import registry
from ryugi_engine.records.pgn import format_record, parse_records
from ryugi_engine.records.playback import Playback
from ryugi_engine.web.live_game import PEOPLE, UNTIMED, LiveGame, Player
from ryugi_engine.web.live_page import LivePage
from tests.conftest import GAMES


def begun(name: str, control: str = "inf", fen: str | None = None) -> LiveGame:
    return LiveGame.begin(registry().game(name), fen, PEOPLE, TimeControl.read(control))


def read_again(game: LiveGame) -> Playback:
    """The record as a file would have it."""
    return Playback.of(parse_records(format_record(game.playback.record))[0], registry())


def test_clocks() -> None:
    now = [0.0]
    clock = GameClock(TimeControl.read("60+2"), lambda: now[0])
    clock.start(0)
    now[0] = 10.0
    assert (clock.left(0), clock.left(1), clock.running) == (50.0, 60.0, 0)
    clock.stop()
    now[0] = 20.0
    assert clock.left(0) == 50.0
    assert clock.moved(0) == 52.0
    clock.start(1)
    now[0] = 85.0
    assert clock.left(1) == -5.0
    untimed = GameClock(UNTIMED, lambda: now[0])
    untimed.start(0)
    assert untimed.running is None


def test_lost_turns_and_moves_taken_back() -> None:
    """The board and the record agree, after any undo and replay."""
    game = begun("goryujin", "st=30")
    for move in ("P2@b1", "P2@d28"):
        game.push(move)
    game.lose_turn()
    game.push("P2@m28")
    game.undo()
    game.push("P2@m28")
    game.undo()
    game.undo()
    game.push("I0@c4")
    assert game.playback.position.moves == ["P2@b1", "P2@d28", "I0@c4"]
    for _ in range(4):
        game.lose_turn()
    assert game.outcome() is None
    game.lose_turn()
    outcome = game.outcome()
    assert outcome is not None
    assert "five passes" in outcome.reason
    assert read_again(game).position.moves == game.playback.position.moves
    with pytest.raises(UserError, match="is over"):
        game.push("P2@p28")


def test_taken_back_to_the_persons_move() -> None:
    """With the engine's answer; a resignation alone is taken back first."""
    game = begun("chess")
    game.players = (Player(), Player(engine=True))
    for move in ("e2e4", "e7e5", "g1f3"):
        game.push(move)
    game.resign()
    assert game.playback.record.result == "0-1"
    game.undo()
    assert len(game.playback.position.moves) == 3
    game.undo()
    assert game.playback.position.moves == ["e2e4", "e7e5"]
    game.undo()
    assert game.playback.position.moves == []
    with pytest.raises(UserError, match="no move to take back"):
        game.undo()


def test_a_clock_in_the_record_goes_on() -> None:
    game = begun("chess", "60+0")
    for move in ("e2e4", "e7e5", "g1f3"):
        game.push(move)
        game.run_clock()
    assert "[%clk 0:0" in format_record(game.playback.record)
    again = LiveGame(read_again(game), PEOPLE, TimeControl.read("60+0"))
    assert 55 < again.clock.left(0) <= 60


@pytest.mark.parametrize("name", [*GAMES, "duck", "crazyhouse", "shogi"])
def test_what_pages_know_of_every_game(name: str, source: random.Random) -> None:
    """A move sent alone is what the whole page has; letters, places and hands are the rules'."""
    game = begun(name)
    page = LivePage(game.playback)
    whole = page.everything()
    for _ in range(6):
        if game.outcome() is not None:
            break
        game.push(source.choice(game.playback.position.legal_moves()))
        if game.outcome() is not None:
            break
        step = page.last_step()
        for kind in ("parts", "figures", "texts"):
            whole[kind] += step[kind]
        whole["games"][0]["line"].append(step["node"])
    again = LivePage(game.playback).everything()
    if game.outcome() is None:
        assert drawn(whole) == drawn(again)
    view = next(iter(again["views"].values()))
    places = {cell[0] for cell in view["cells"]}
    state = game.state()
    assert state["letters"].keys() <= places
    assert len(places) == len(view["cells"])
    for letter in state["letters"].values():
        assert letter.upper().strip("+") in view["names"]
    for move in state["moves"]:
        for at in game.playback.position.rules.squares(move):
            assert square_name(at) in places


def drawn(page: dict[str, object]) -> list[list[object]]:
    """The elements of every position of a page's first game."""
    parts, games = page["parts"], page["games"]
    assert isinstance(parts, list)
    assert isinstance(games, list)
    pictures = []
    picture: list[int] = []
    for node in (games[0]["start"], *games[0]["line"]):
        new: list[int] = []
        at, changes = 0, list(node["d"])
        while changes:
            stay, go, come = changes[:3]
            new += picture[at : at + stay] + changes[3 : 3 + come]
            at += stay + go
            changes = changes[3 + come :]
        picture = new + picture[at:]
        pictures.append([parts[number] for number in picture])
    # figures have other numbers in another page
    return [[part if len(part) < 5 else part[1:] for part in one] for one in pictures]


@pytest.mark.parametrize(
    ("late", "result", "reason"),
    [(0, "1/2-1/2", "timeout against insufficient material"), (1, "1-0", "time forfeit")],
)
def test_a_side_whose_time_is_over(late: int, result: str, reason: str) -> None:
    """It loses to a side that can still win; the record says so, until it is taken back."""
    game = begun("chess", "1", "8/8/8/8/8/k7/8/KQ6 w - - 0 1")
    game.push("b1h1")
    comment = game.playback.record.steps[-1].comment
    game.forfeit(late)
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.result, outcome.reason) == (result, reason)
    record = read_again(game).record
    assert (record.result, record.tags["Termination"]) == (result, "time forfeit")
    game.undo()
    assert game.outcome() is None
    assert game.playback.record.steps[-1].comment == comment
