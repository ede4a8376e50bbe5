"""A session's parts by themselves: the board, the jobs, loading."""

from __future__ import annotations

import threading
from typing import Any
from unittest.mock import Mock

import pytest

from ryugi_engine.core.events import Event, Note
from ryugi_engine.core.jobs import Jobs
from ryugi_engine.core.loading import Loading
from ryugi_engine.core.session import Session
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import registry, rules_of

#: Seconds of a test that hangs.
HANGS = 300.0


# ---- the board -----------------------------------------------------------------------------------


def test_a_game_that_goes_on_is_not_played_again() -> None:
    session = Session(lambda event: None)
    session.set_variant("chess")
    session.set_position(None, ["e2e4"])
    first = session.position
    session.set_position(None, ["e2e4", "e7e5"])
    assert session.position is first
    assert first.moves == ["e2e4", "e7e5"]
    session.set_position(None, ["d2d4"])
    assert session.position is not first
    assert session.position.moves == ["d2d4"]


# ---- jobs ----------------------------------------------------------------------------------------


def test_a_job_that_fails_is_told_of() -> None:
    events: list[Event] = []
    jobs = Jobs(events.append)

    def fail() -> None:
        raise RuntimeError("no paper")

    jobs.start(Mock(), "print", fail)
    jobs.stop()
    assert events == [Note("error: print failed: RuntimeError('no paper')")]


# ---- who owns what -------------------------------------------------------------------------------


def test_another_game_while_the_evaluation_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was to be evaluated again is the game of then, not the one that it was asked for."""
    go, load = threading.Event(), Loading._load

    def late(self: Loading, game: Game, earlier: threading.Thread | None) -> None:
        assert go.wait(HANGS)
        load(self, game, earlier)

    monkeypatch.setattr(Loading, "_load", late)
    session = Session(lambda event: None)
    session.set_variant("chess")
    session.begin_loading()
    session.options.set("Use NNUE", "false")
    session.set_variant("gorogo")
    go.set()
    assert session.position.text() == registry().game("gorogo").start
    assert session.position.rules is rules_of(registry().game("gorogo"))


def test_options_that_come_while_loading_count() -> None:
    """In any order: the last one is what is evaluated by."""
    session = Session(lambda event: None)
    for name, use in (("ryugi", "false"), ("chess", "true"), ("janus", "false"), ("ryugi", "true")):
        session.set_variant(name)
        session.begin_loading()
        session.options.set("Use NNUE", use)
        own: Any = rules_of(session.game)
        result: Any = session.position.rules
        assert (result is own) == (use == "true")
        assert (result.net is None) == (use == "false")
