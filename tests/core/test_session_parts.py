"""A session's parts by themselves: the board, the jobs, a search whose kernels come late."""

from __future__ import annotations

import queue
import random
import threading
from collections.abc import Callable
from typing import Any

import pytest

from ryugi_engine.core import search_task
from ryugi_engine.core.board import Board, played_on
from ryugi_engine.core.events import BestMove, Event, Note
from ryugi_engine.core.fallback import FallbackPosition
from ryugi_engine.core.jobs import Jobs
from ryugi_engine.core.loading import Loading
from ryugi_engine.core.search_task import SearchTask
from ryugi_engine.core.session import Session
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, Rules
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry, rules_of
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher

#: Seconds of a test that hangs.
HANGS = 300.0
GAME = registry().game("chess")


class Arriving(Loading):
    """Kernels that are there when a test says so."""

    def __init__(self, *, come: bool) -> None:
        super().__init__(Session(lambda event: None).options, lambda event: None)
        self.come = come
        self.searcher = Searcher(1)

    @property
    def alive(self) -> bool:
        return not self.come

    def wait(self, game: Game, seconds: float | None = None) -> bool:
        assert self.come or seconds is not None, "nobody may wait for the kernels here"
        self.rules = rules_of(game)
        return self.come

    def arrived(self, game: Game) -> bool:
        return self.come and self.wait(game)

    def call_when_over(self, seconds: float | None, action: Callable[[], None]) -> None:
        action()


# ---- the board -----------------------------------------------------------------------------------


@pytest.mark.parametrize("come", [True, False])
def test_a_game_that_goes_on_is_not_played_again(come: bool) -> None:
    board = Board(Arriving(come=come), GAME)
    board.set_up(None, ["e2e4"])
    first = board.present
    board.set_up(None, ["e2e4", "e7e5"])
    assert board.present is first
    assert first.moves == ["e2e4", "e7e5"]
    board.set_up(None, ["d2d4"])
    assert board.present is not first
    assert board.present.moves == ["d2d4"]


@pytest.mark.parametrize("come", [True, False])
def test_what_a_fault_leaves(come: bool) -> None:
    board = Board(Arriving(come=come), GAME)
    board.set_up(None, ["e2e4"])
    before = board.present.text()
    with pytest.raises(UserError):
        board.set_up("nonsense")
    assert board.present.text() == before
    with pytest.raises(UserError, match="^move 3: "):
        board.set_up(None, ["e2e4", "e7e5", "e4e5"])
    assert board.present.moves == ["e2e4", "e7e5"]


def test_the_kernels_take_a_game_over_when_it_settles() -> None:
    loading = Arriving(come=False)
    board = Board(loading, GAME)
    board.set_up(None, ["e2e4", "e7e5"])
    early = board.present
    assert isinstance(early, FallbackPosition)
    loading.come = True
    assert board.present is early  # not in the middle of a command
    board.adopt_kernels()
    late = board.present
    assert isinstance(late, Position)
    assert (late.text(), late.moves) == (early.text(), early.moves)
    other = registry().game("gorogo")
    board.change(other)
    assert board.present.text() == other.start


# ---- jobs ----------------------------------------------------------------------------------------


class Task:
    """A job that runs until it is told to stop."""

    def __init__(self, log: list[str], name: str) -> None:
        self._log, self._name = log, name
        self._end = threading.Event()
        self.begun = threading.Event()

    def stop(self) -> None:
        self._log.append(f"stop {self._name}")
        self._end.set()

    def run(self) -> None:
        self.begun.set()
        assert self._end.wait(HANGS)
        self._log.append(f"end {self._name}")


def test_one_job_at_a_time() -> None:
    log: list[str] = []
    jobs, one, two = Jobs(lambda event: None), Task(log, "one"), Task(log, "two")
    jobs.stop()  # nothing runs: nothing happens
    jobs.start(one, "one", one.run)
    assert one.begun.wait(HANGS)
    assert jobs.busy
    jobs.start(two, "two", two.run)
    assert log == ["stop one", "end one"]
    jobs.signal_stop()
    jobs.stop()
    assert log[-1] == "end two"
    assert not jobs.busy


def test_a_job_that_fails_is_told_of() -> None:
    events: list[Event] = []
    jobs = Jobs(events.append)

    def fail() -> None:
        raise RuntimeError("no paper")

    jobs.start(Task([], "print"), "print", fail)
    jobs.stop()
    assert events == [Note("error: print failed: RuntimeError('no paper')")]


# ---- who owns what -------------------------------------------------------------------------------


def test_a_searcher_in_use_is_not_changed() -> None:
    """By nobody, whatever has gone wrong before."""
    searcher, position = Searcher(1), Position(GAME)
    reports: queue.Queue[object] = queue.Queue()
    searcher.prepare(position, Limits(infinite=True))
    search = threading.Thread(target=searcher.run, args=(position, reports.put), daemon=True)
    search.start()
    reports.get(timeout=HANGS)
    changes: list[Callable[[], object]] = [
        lambda: searcher.resize(2),
        lambda: searcher.set_threads(2),
        searcher.clear,
        lambda: searcher.get_ready(position.rules),
        lambda: searcher.run(position, lambda report: None),
    ]
    for change in changes:
        with pytest.raises(RuntimeError, match="in use"):
            change()
    searcher.stop()
    search.join(HANGS)
    assert not search.is_alive()
    for change in changes[:-1]:
        change()


def test_a_game_is_loaded_once() -> None:
    """Whoever asks again finds what is there; a search goes on as it was."""
    events: queue.Queue[Event] = queue.Queue()
    session = Session(events.put)
    session.set_variant("ryugi")
    session.options.set("Hash", "1")
    session.begin_loading()
    session.begin_loading()
    session.wait_ready()
    rules, thread = session.position.rules, session._loading._thread
    session.go(Limits(infinite=True))
    for _ in range(3):
        session.begin_loading()
    assert session._loading._thread is thread
    assert session.position.rules is rules
    assert session.busy
    session.options.set("Use NNUE", "false")
    assert not session.busy
    assert session.position.rules is not rules
    session.options.set("Use NNUE", "true")
    assert session.position.rules is rules
    session.set_variant("gorogo")
    session.set_variant("ryugi")
    assert session.position.rules is rules
    assert [e for e in list(events.queue) if isinstance(e, BestMove)] != []


def test_another_game_while_the_evaluation_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was to be evaluated anew is the game of then, not the one that it was asked for."""
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


def test_who_catches_up_waits_for_who_has_begun_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search comes while the session's thread makes the searcher ready for another game."""
    session = Session(lambda event: None)
    session.set_variant("chess")
    session.begin_loading()
    loading = session._loading
    assert session.wait_ready()
    begun, go, ready = threading.Event(), threading.Event(), Searcher.get_ready

    def late(self: Searcher, rules: Rules) -> None:
        begun.set()
        assert go.wait(HANGS)
        ready(self, rules)

    monkeypatch.setattr(Searcher, "get_ready", late)
    session.set_variant("ryugi")
    first = threading.Thread(target=session.wait_ready)
    first.start()
    assert begun.wait(HANGS)
    seen: list[Rules | None] = []

    def search() -> None:
        loading.catch_up()
        seen.append(loading.rules)

    second = threading.Thread(target=search)
    second.start()
    second.join(0.2)
    go.set()
    first.join(HANGS)
    second.join(HANGS)
    assert seen == [rules_of(registry().game("ryugi"))]


def test_options_that_come_while_loading_count() -> None:
    """In whatever order it is done: the last one is what is evaluated by."""
    session = Session(lambda event: None)
    for name, use in (("ryugi", "false"), ("chess", "true"), ("janus", "false"), ("ryugi", "true")):
        session.set_variant(name)
        session.begin_loading()
        session.options.set("Use NNUE", use)
        own: Any = rules_of(session.game)
        result: Any = session.position.rules
        assert (result is own) == (use == "true")
        assert (result.net is None) == (use == "false")


# ---- a search whose kernels come late ------------------------------------------------------------


def _search(limits: Limits, monkeypatch: pytest.MonkeyPatch, act: Any) -> BestMove:
    """Search from the reference rules on; ``act(task)`` comes while the kernels take over."""
    loading, events = Arriving(come=False), list[Event]()
    task = SearchTask(loading, loading._options, events.append, limits, random.Random(1))

    def take_over(board: FallbackPosition, rules: Rules | None) -> Position:
        act(task)
        return played_on(board, rules)

    monkeypatch.setattr(search_task, "played_on", take_over)
    task.prepare(FallbackPosition(GAME))
    loading.come = True
    search = threading.Thread(target=task.run, daemon=True)
    search.start()
    search.join(HANGS)
    ended = not search.is_alive()
    task.stop()
    search.join(HANGS)
    assert ended
    results = [event for event in events if isinstance(event, BestMove)]
    assert len(results) == 1
    return results[0]


def test_a_stop_while_the_kernels_take_over(monkeypatch: pytest.MonkeyPatch) -> None:
    result = _search(Limits(infinite=True), monkeypatch, lambda task: task.stop())
    assert result.result.best


def test_a_ponder_hit_while_the_kernels_take_over(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(time=(60.0, 60.0), depth=3, ponder=True)
    hit = Limits(depth=2)
    result = _search(limits, monkeypatch, lambda task: task.ponder_hit(hit))
    assert result.result.best
