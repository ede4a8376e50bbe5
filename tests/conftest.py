"""What the tests share."""

from __future__ import annotations

import gc
import os
import random
import shutil
import subprocess
import sys
import warnings
import weakref
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from ryugi_engine.core.conversation import GuiConnection
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel import background
from ryugi_engine.terminal.compiling_line import QUIET
from tests.support import effort, fork_server, leftovers, limits

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
GAMES = [game.name for game in registry().games()]
#: Those of the chess family, and the others.
FAMILY = [g.name for g in registry().games() if g.package == "variants.chess.fast"]
#: Seconds for processes to end that no test has waited for.
SECONDS_TO_END = 60.0
OTHERS = [name for name in GAMES if name not in FAMILY]


#: What a command says does not depend on how long a slow machine loads kernels.
os.environ.setdefault(QUIET, "1")
# nor is anything done beside the tests but where one is about that
os.environ.setdefault(background.NAME, "0")


def pytest_configure(config: pytest.Config) -> None:
    effort.begin(config.option.markexpr)
    if not effort.soaking():
        # the general family's kernels for all games; the long run compiles each game's
        os.environ.setdefault("RYUGI_KERNELS", "general")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The slow ones first: processes that share the tests then end at the same time."""
    left_out = effort.choose(items)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
    limits.mark(items)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let go of what a failed test held: its traceback would, up to the middle of a later test."""
    failures = item.session.testsfailed
    with limits.watched(item):
        result = yield
    if item.session.testsfailed > failures:
        for name in ("last_type", "last_value", "last_traceback", "last_exc"):
            vars(sys).pop(name, None)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()
    return result


@pytest.fixture(scope="session", autouse=True)
def _children_are_ours() -> None:
    """Where the tests are run: in every process of ``-n 2``."""
    leftovers.default_signals_for_children()
    leftovers.adopt_orphans()
    fork_server.start()


@pytest.fixture(autouse=True)
def _no_process_outlives_its_test(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, _children_are_ours: None
) -> Iterator[None]:
    """What still runs is killed, and fails the test that has started it.

    Fixtures of modules are set up before, so what they have started is not the test's. A test that
    fails in ``with subprocess.Popen(...)`` does not wait for that process to end by itself.
    """
    before, server = leftovers.children(), fork_server.server
    forked = set() if server is None else set(server.running)
    started: weakref.WeakSet[subprocess.Popen[bytes]] = weakref.WeakSet()
    begin, leave = subprocess.Popen.__init__, subprocess.Popen.__exit__

    def noted(self: subprocess.Popen[bytes], *arguments: Any, **more: Any) -> None:
        started.add(self)
        begin(self, *arguments, **more)

    def left_at_once(self: subprocess.Popen[bytes], kind: Any, *raised: Any) -> None:
        if kind is not None:
            self.kill()
        leave(self, kind, *raised)

    monkeypatch.setattr(subprocess.Popen, "__init__", noted)
    monkeypatch.setattr(subprocess.Popen, "__exit__", left_at_once)
    failures = request.session.testsfailed
    yield
    failed = request.session.testsfailed > failures
    left = leftovers.end_children(before, list(started), 0.0 if failed else SECONDS_TO_END)
    if server is not None:
        patience = 0.0 if failed else SECONDS_TO_END
        left += [f"process {pid}" for pid in server.end_all(patience, but=forked)]
    if left and not failed:
        pytest.fail(f"still running at the end: {left}", pytrace=False)


def _refuse(code: int) -> None:
    raise RuntimeError(f"the engine would have ended the tests' process with exit code {code}")


@pytest.fixture(autouse=True)
def _nothing_outlives_its_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An engine in this process ends it when no one reads its lines any more: not the tests'.

    Who compiles is heard by the session that asked last, whose streams may be closed by then. A
    user's games, which a command has read into the registry, are the process's until others come.
    """
    monkeypatch.setattr(GuiConnection, "_end_process", staticmethod(_refuse))
    yield
    registry().load_file("")
    jit = sys.modules.get("ryugi_engine.kernel.jit")
    if jit is not None:
        jit.report_to(None)


@pytest.fixture
def ryugi() -> Game:
    return registry().game("ryugi")


@pytest.fixture
def source(request: pytest.FixtureRequest) -> random.Random:
    """A random source whose seed is printed when the test fails; RYUGI_TEST_SEED repeats it."""
    seed = int(os.environ.get("RYUGI_TEST_SEED", random.randrange(2**32)))
    print(f"RYUGI_TEST_SEED={seed} for {request.node.nodeid}")
    return random.Random(seed)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Chromium without a window; the tests are left out where it is not installed."""
    if BROWSER is None or DRIVER is None:
        assert "RYUGI_NEED_BROWSER" not in os.environ, "chromium and chromedriver are missing"
        pytest.skip("needs Debian's chromium and chromium-driver")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for word in (
        "headless",
        "no-sandbox",
        "disable-gpu",
        "disable-quic",
        "no-first-run",
        "disable-background-networking",
        "disable-component-update",
        "disable-sync",
        "window-size=1500,950",
        f"user-data-dir={tmp_path_factory.mktemp('chromium')}",
    ):
        options.add_argument(f"--{word}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()
