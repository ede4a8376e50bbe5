"""A search's clock without a search: by a time that passes only while somebody waits for it."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.search import iterative_deepening, parameters
from ryugi_engine.search import layout as L
from ryugi_engine.search.clock import SearchClock
from ryugi_engine.search.game_length import GameLengths
from ryugi_engine.search.iterative_deepening import aspiration_search
from ryugi_engine.search.lag import LagMeter
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.parameters import PARAMETERS, Parameter
from ryugi_engine.search.searcher import Searcher
from ryugi_engine.search.time_management import (
    USUAL_LENGTH,
    Budget,
    Iteration,
    moves_ahead,
    soft_limit_factor,
    time_budget,
)
from ryugi_engine.search.worker import Worker

BEGIN = 100.0
#: Seconds of a test that hangs.
HANGS = 300.0
LATE = [parameter for parameter in PARAMETERS if not parameter.compiled]


class Waits(threading.Condition):
    """What is waited for: the wait itself lets the time pass, and others do what a test says."""

    def __init__(self) -> None:
        super().__init__()
        self.at = BEGIN
        #: Seconds that were to be waited for, None without an end.
        self.asked: list[float | None] = []
        #: What happens during the waits, each after so many seconds; then they end by time.
        self.steps: list[tuple[float, Callable[[], None]]] = []

    def now(self) -> float:
        return self.at

    def wait(self, timeout: float | None = None) -> bool:
        assert len(self.asked) < 10, "it wakes up again and again"
        self.asked.append(timeout)
        if self.steps:
            after, step = self.steps.pop(0)
            assert timeout is None or after < timeout
            self.at += after
            step()
            return True
        assert timeout is not None, "nobody would ever wake it"
        self.at += timeout
        return False


class Setting:
    """A clock with its flag and its time."""

    def __init__(self, limits: Limits, overhead: float = 0.0) -> None:
        self.flag, self.waits = threading.Event(), Waits()
        self.clock = SearchClock(self.flag, self.waits.now, self.waits)
        self.clock.prepare(limits, 0, overhead)

    def during(self, *steps: tuple[float, Callable[[], None]]) -> Setting:
        self.waits.steps += steps
        return self

    def run(self) -> float:
        """Search until the flag is set; the seconds that it took."""
        with self.clock.running():
            assert self.flag.wait(HANGS)
        return self.waits.at - BEGIN


def budget(limits: Limits, overhead: float = 0.0) -> Budget:
    """Return the time limits of an engine's first move."""
    meter = LagMeter()
    meter.clock_read(limits, 0)
    allowed = time_budget(limits, 0, overhead, None, meter.lag)
    assert allowed is not None
    return allowed


def hard(limits: Limits) -> float:
    return budget(limits).hard


def test_a_search_ends_at_its_hard_limit_after_one_wait() -> None:
    for limits in (Limits(move_time=3.0), Limits(time=(60.0, 1.0)), Limits(time=(1e9, None))):
        setting = Setting(limits)
        assert setting.run() == pytest.approx(hard(limits))
        assert setting.waits.asked == [pytest.approx(hard(limits))]


def test_a_stop_ends_the_wait() -> None:
    setting = Setting(Limits(move_time=3.0))
    setting.during((1.0, setting.clock.stop))
    assert setting.run() == 1.0
    assert len(setting.waits.asked) == 1


def test_pondering_has_no_end_before_its_move_is_played() -> None:
    limits = Limits(time=(60.0, 60.0), ponder=True)
    setting = Setting(limits)
    setting.during((1000.0, setting.clock.start))
    assert setting.clock.budget is None
    assert not setting.clock.soft_limit_passed(0.0)
    with setting.clock.running():
        setting.clock.wait_for_leave()
        assert setting.waits.asked[0] is None
        assert setting.flag.wait(HANGS)
    assert setting.waits.at - BEGIN == pytest.approx(1000.0 + hard(limits))
    # reports have the nodes of all that time, so they have its seconds too
    assert setting.clock.seconds == pytest.approx(hard(limits))
    assert setting.clock.searched == pytest.approx(1000.0 + hard(limits))
    assert limits.ponder  # its own limits are the clock's
    assert setting.clock.limits == limits._replace(ponder=False)


def test_the_soft_limit_and_its_factor() -> None:
    limits = Limits(time=(60.0, 60.0))
    allowed = budget(limits, 0.1)
    setting = Setting(limits, 0.1)
    assert setting.clock.budget == allowed
    for share, times, spent in ((0.9, 1.0, False), (1.1, 1.0, True), (1.1, 1.2, False)):
        setting.waits.at = BEGIN + share * allowed.soft
        assert setting.clock.soft_limit_passed(times) == spent
    assert setting.clock.seconds == pytest.approx(1.1 * allowed.soft)
    for free in (Limits(move_time=1.0), Limits(infinite=True, time=(1.0, 1.0)), Limits(depth=1)):
        setting = Setting(free)
        setting.waits.at += 1e6
        assert not setting.clock.soft_limit_passed(1.0)


def test_doubt_takes_time_and_trust_saves_it() -> None:
    base = soft_limit_factor(Iteration(8, 0, 0, 0))
    assert base == 1.0
    more = [soft_limit_factor(Iteration(8, 0, 0, changes)) for changes in range(10)]
    less = [soft_limit_factor(Iteration(8, 0, stable, 0)) for stable in range(20)]
    assert more == sorted(more)
    assert less == sorted(less, reverse=True)
    assert less[-1] > 0
    shares = [soft_limit_factor(Iteration(8, 0, 0, 0, n / 10)) for n in range(11)]
    assert shares == sorted(shares, reverse=True)
    falls = [soft_limit_factor(Iteration(8, 0, 0, 0, 0.5, fall)) for fall in range(-200, 200, 5)]
    assert falls == sorted(falls)
    assert falls[0] > 0
    assert shares[0] > 1 > shares[-1] > 0
    assert falls[0] < 1 < falls[-1]


def test_a_game_has_a_horizon_of_its_own() -> None:
    clock = Limits(time=(10.0, 10.0))
    short, usual = time_budget(clock, 0, 0.0, moves_ahead(5)), time_budget(clock, 0, 0.0)
    assert short is not None
    assert usual is not None
    assert short.soft == pytest.approx(usual.soft * parameters.TIME_HORIZON / 5)
    # what the clock's control says comes before it
    given = Limits(time=(10.0, 10.0), moves_to_go=40)
    assert time_budget(given, 0, 0.0, moves_ahead(5)) == time_budget(given, 0, 0.0)


def test_the_moves_played_reach_the_clock() -> None:
    """A searcher spends more of the same clock on a later move."""
    game = registry().game("chess")
    position, searcher = Position(game), Searcher(1)
    budgets = []
    for _ in range(6):
        searcher.prepare(position, Limits(time=(10.0, 10.0)))
        assert searcher.clock.budget is not None
        budgets.append(searcher.clock.budget.soft)
        for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
            position.push(position.parse_move(move))
    assert budgets == sorted(set(budgets))


def _left_at_the_end(moves: int, base: float, increment: float) -> float:
    """Return the clock after so many moves that each take their soft limit, a little overhead."""
    left = base
    for played in range(moves):
        limits = Limits(time=(left, left), increment=(increment, increment))
        allowed = time_budget(limits, 0, 0.02, moves_ahead(0, played))
        assert allowed is not None
        left -= min(1.1 * allowed.soft, allowed.hard) + 0.002
        assert left > 0
        left += increment
    return left


@pytest.mark.parametrize(("base", "increment"), [(2.0, 0.02), (10.0, 0.1), (8.0, 0.08)])
def test_the_clock_is_used(base: float, increment: float) -> None:
    assert _left_at_the_end(60, base, increment) <= base / 8
    # what is kept back is of use in the middle of the game, not at its end
    assert _left_at_the_end(25, base, increment) >= base / 4
    # a long game does not lose on time
    assert _left_at_the_end(400, base, increment) > 0


# ---- lag -----------------------------------------------------------------------------------------


class Control(NamedTuple):
    """A time control, and the seconds that each move loses on its way."""

    base: float
    increment: float
    moves: int
    lag: float
    #: Step of the clocks that the engine is sent, in seconds: UCI's or CECP's.
    step: float = 0.001

    def slack(self, played: int) -> float:
        """Return the time of a game as a multiple of what moves without a search take."""
        number = self.moves or played
        return (self.base + number * self.increment) / (number * max(self.lag, 0.0002))


def _lost_on_time(control: Control, played: int, source: random.Random | None) -> int | None:
    """Return the move that comes too late, None if none does.

    Each search takes its hard limit or, with a random source, some time around its soft limit.
    """
    meter, left, to_go = LagMeter(), control.base, control.moves
    for move in range(played):
        shown = control.step * math.floor(left / control.step)
        limits = Limits((shown, shown), (control.increment,) * 2, to_go or None)
        meter.clock_read(limits, 0)
        allowed = time_budget(limits, 0, 0.01, moves_ahead(0, move), meter.lag)
        assert allowed is not None
        spent = allowed.hard
        if source is not None:
            spent = min(spent, allowed.soft * source.uniform(0.2, 2.0))
        meter.searched(spent)
        left -= spent + control.lag
        if left < 0:
            return move
        left += control.increment
        to_go = max(to_go - 1, 0)
        if control.moves and to_go == 0:
            left, to_go = left + control.base, control.moves
    return None


@pytest.mark.parametrize("lag", [0.0, 0.0005, 0.001, 0.003, 0.01, 0.03])
def test_no_game_is_lost_by_lag(lag: float, source: random.Random) -> None:
    """400 moves, where less than a third of the time is lost, or less than a sixth.

    The latter if each search takes all it may.
    """
    bases = (0.1, 0.5, 1.0, 5.0, 20.0, 180.0, 3600.0)
    for base, increment, moves in product(bases, (0.0, 0.005, 0.01, 1.0), (0, 1, 40)):
        control = Control(base, increment, moves, lag)
        if control.slack(400) > 3.5:
            assert _lost_on_time(control, 400, source) is None, control
            if base >= 5:  # as CECP has it
                control = control._replace(step=0.01)
                assert _lost_on_time(control, 400, source) is None, control
        if control.slack(400) > 6.0:
            control = control._replace(step=0.001)
            assert _lost_on_time(control, 400, None) is None, control


def test_lag_is_measured_by_the_clocks() -> None:
    meter = LagMeter()
    usual = meter.lag.seconds
    assert 0 < usual < 0.005
    left = 10.0
    for _ in range(200):
        meter.clock_read(Limits((left, 99.0), (0.1, 0.0)), 0)
        meter.searched(0.05)
        left += 0.1 - 0.05 - 0.02
    usual = meter.lag.seconds
    assert usual == pytest.approx(0.022, rel=0.01)  # a tenth more, for safety
    # another game, the other side, a fixed time a move and a search without a clock tell nothing
    for limits, side in (
        (Limits((60.0, 60.0)), 0),
        (Limits((60.0, 9.0)), 1),
        (Limits(move_time=1.0, time=(1.0, 1.0)), 0),
        (Limits(depth=1), 0),
        (Limits((0.1, 0.1)), 0),
    ):
        meter.clock_read(limits, side)
        meter.searched(0.01)
    assert meter.lag.seconds == usual
    assert meter.lag.base == 0.1


def test_lag_reaches_the_clock() -> None:
    """Half a second is gone between two moves: the second one gets less of what is left."""
    soft = []
    for left in (10.0, 9.5):
        flag, waits = threading.Event(), Waits()
        clock = SearchClock(flag, waits.now, waits)
        for time in (10.0, left):
            clock.prepare(Limits(time=(time, 1.0)), 0, 0.0)
            assert clock.budget is not None
            waits.steps.append((0.0, clock.stop))
            with clock.running():
                assert flag.wait(HANGS)
        soft.append(clock.budget.soft / time)
    assert soft[1] < 0.6 * soft[0]


def test_the_time_runs_from_the_command_on() -> None:
    setting = Setting(Limits(move_time=1.0))
    limits = Limits(move_time=3.0)
    setting.clock.prepare(limits, 0, 0.0, None, BEGIN - 1.0)
    assert setting.run() == pytest.approx(hard(limits) - 1.0)


def test_with_little_time_a_node_limit_ends_the_search() -> None:
    """A thread that watches the time may be woken up too late."""
    position, searcher = Position(registry().game("chess")), Searcher(1)
    searcher.clock = SearchClock(threading.Event(), lambda: BEGIN)  # no time passes
    searcher.prepare(position, Limits(time=(0.01, 0.01)))
    result = searcher.run(position, lambda report: None)
    assert result.best
    assert result.nodes <= 1000


def test_a_slow_machine_does_not_end_a_long_game() -> None:
    """1+0 with 3 ms a move: 150 moves and more, each with the hard limit."""
    lost = _lost_on_time(Control(1.0, 0.0, 0, 0.003), 400, None)
    assert lost is None or lost > 150


def test_the_worst_lag_of_late_is_kept_back() -> None:
    """The last move of a period gets less of it after a move that came 40 ms late."""
    left = []
    for late in (0.0, 0.04):
        meter = LagMeter()
        for clock in (1.0, 0.9 - late):
            meter.clock_read(Limits((clock, clock), moves_to_go=10), 0)
            meter.searched(0.1)
        last = Limits((0.4, 0.4), moves_to_go=1)
        allowed = time_budget(last, 0, 0.01, moves_ahead(0, 9), meter.lag)
        assert allowed is not None
        left.append(0.4 - allowed.hard)
    assert left[0] >= 0.08
    assert left[1] >= 0.12


def test_longer_games_share_out_their_time() -> None:
    """Tori Shogi at 3+0, 110 moves: there is time left to think after move 80."""
    tori = registry().game("torishogi")
    assert tori.length > 90
    left = {}
    for length in (USUAL_LENGTH, tori.length):
        clock = 3.0
        for played in range(80):
            allowed = time_budget(Limits((clock, clock)), 0, 0.01, moves_ahead(0, played, length))
            assert allowed is not None
            clock -= allowed.soft
        left[length] = clock
    assert left[USUAL_LENGTH] < 0.3
    assert left[tori.length] > 0.5


def test_shorter_games_use_their_time() -> None:
    """Minishogi at 2+0.02 uses half of its time in a game of 20 moves, and never runs out of it."""
    minishogi = registry().game("minishogi")
    assert minishogi.length < 30
    left = {}
    for length in (USUAL_LENGTH, minishogi.length):
        clock = 2.0
        for played in range(200):
            if played == 20:
                left[length] = clock
            limits = Limits((clock, clock), (0.02, 0.02))
            allowed = time_budget(limits, 0, 0.01, moves_ahead(0, played, length))
            assert allowed is not None
            assert allowed.hard < clock
            clock += 0.02 - allowed.soft
            assert clock > 0.1
    assert left[minishogi.length] < 1.0 < left[USUAL_LENGTH]


def test_lengths_of_games_are_measured() -> None:
    lengths = GameLengths()
    assert lengths.mean("chess", 65) == 65
    assert lengths.mean("mine", 0) == USUAL_LENGTH
    for moves in (200, 200, 200, 3):  # the last one was broken off
        for played in range(moves + 1):
            lengths.moves_played("mine", played)
    lengths.moves_played("chess", 0)
    assert lengths.mean("mine", 100) == pytest.approx((4 * 100 + 3 * 200) / 7)
    assert lengths.mean("chess", 65) == 65


# ---- the parameters that no kernel has -----------------------------------------------------------


@pytest.mark.parametrize("parameter", LATE, ids=lambda p: p.name)
def test_no_value_oversteps_the_clock(
    parameter: Parameter, monkeypatch: pytest.MonkeyPatch, source: random.Random
) -> None:
    for value in (parameter.low, parameter.high):
        monkeypatch.setattr(parameters, parameter.name.upper(), value)
        for _ in range(200):
            left = 10 ** source.uniform(-3, 4)
            more = source.choice((0.0, 0.01, 1.0))
            moves = source.choice((None, 1, 2, 40))
            limits = Limits(time=(left, left), increment=(more, more), moves_to_go=moves)
            spent = time_budget(limits, 0, 0.02, moves_ahead(0, source.choice((0, 30, 400))))
            assert spent is not None
            assert 0 < spent.soft <= spent.hard <= max(0.9 * left, 0.001)
            assert math.isfinite(soft_limit_factor(Iteration(5, 0, 9, 9)))


def test_missed_windows_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[tuple[int, str]] = []

    def search(address: int, depth: int, alpha: int, beta: int, first: int, own: int) -> int:
        return max(alpha, min(target, beta))

    monkeypatch.setattr(iterative_deepening, "search_root", search)
    for target, bound in ((500, "lowerbound"), (-500, "upperbound"), (3, "")):
        lines.clear()
        result = aspiration_search(
            Worker(), 12, 0, 0, lambda value, kind: lines.append((value, kind))
        )
        assert result == target
        assert {kind for _value, kind in lines} == ({bound} if bound else set())
    assert aspiration_search(Worker(), 12, L.MATE - 3) == 3
