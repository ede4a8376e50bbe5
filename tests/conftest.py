"""What the tests share."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from ryugi_engine.core.conversation import Wire
from ryugi_engine.core.evaluation import Evaluation
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import registry, rules_of

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
GAMES = [game.name for game in registry().games()]
#: Those of the chess family, and the others.
FAMILY = [g.name for g in registry().games() if g.package == "variants.chess_family"]
OTHERS = [name for name in GAMES if name not in FAMILY]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow ones first: processes that share the tests then end at the same time."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def _refuse(code: int) -> None:
    raise RuntimeError(f"the engine would have ended the tests' process with exit code {code}")


def _own_net_again(game: Game) -> None:
    """Undo what EvalFile and Use NNUE have done to a game's rules, which sessions share."""
    from ryugi_engine.games.nets import read_net
    from ryugi_engine.games.training import Trainable

    rules = rules_of(game)
    if isinstance(rules, Trainable):
        own = None if rules.own_net is None else read_net(rules.own_net)
        if own is None or rules.net is None or own.digest != rules.net.digest:
            rules.use_net(own)


@pytest.fixture(autouse=True)
def _nothing_outlives_its_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An engine in this process ends it when nobody reads its lines any more: not the tests'.

    Who compiles is heard by the session that asked last, whose streams may be closed by then. A
    user's games, which a command has read into the registry, are the process's until others come,
    and a net is its game's until the options say otherwise.
    """
    monkeypatch.setattr(Wire, "_end_process", staticmethod(_refuse))
    evaluated: set[Game] = set()
    use = Evaluation.use

    def noted(self: Evaluation, game: Game, searcher: Any) -> None:
        evaluated.add(game)
        use(self, game, searcher)

    monkeypatch.setattr(Evaluation, "use", noted)
    yield
    for game in evaluated:
        _own_net_again(game)
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
