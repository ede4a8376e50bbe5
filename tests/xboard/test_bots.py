"""``xboard/GUIS.md``'s bots: games over a stand-in of lichess's and pychess.org's bot API.

The real lichess-bot plays where RYUGI_LICHESS_BOT names its folder, the bot of pychess.org where
RYUGI_PYCHESS_BOT does. Their Python is ``venv/bin/python`` in that folder.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chess
import pytest
import yaml

from tests.support.bot_client import Client
from tests.support.bot_games import LICHESS, BotGame, Terms
from tests.support.bot_site import TOKEN, Site
from tests.support.documents import blocks
from tests.support.effort import by_turns, turn
from tests.support.gui import engine_command
from tests.support.helpers import ROOT, patient, python_chess

GUIDE = ROOT / "xboard" / "GUIS.md"
#: Castling rights of both sides, and a position that standard chess does not begin with.
FROM_POSITION = "r3k2r/pppq1ppp/2np1n2/2b1p1B1/2B1P1b1/2NP1N2/PPPQ1PPP/R3K2R w KQkq - 6 8"


def printed(name: str) -> dict[str, Any]:
    """A configuration that the guide prints."""
    (block,) = (block for block in blocks(GUIDE) if block.name == name)
    read: dict[str, Any] = yaml.safe_load("\n".join(block.lines))
    return read


def config_for(site: Site, folder: Path) -> dict[str, Any]:
    """The guide's configuration with what a user has to put in."""
    config = printed("config.yml")
    if site.pychess:
        other = printed("config.yml, for pychess.org")
        config["challenge"] |= other.pop("challenge")
        config |= other
    config |= {"token": TOKEN, "url": site.url}
    config["engine"]["dir"] = str(Path(engine_command(folder)).parent)
    return config


@dataclass
class Waiter:
    """Waits for games while a bot is there."""

    #: fails where the bot has ended
    alive: Callable[[], None]

    def __call__(self, game: BotGame, moves: int | None = None, seconds: float = 120.0) -> BotGame:
        """Wait until the game is over, or has so many moves."""
        began = time.monotonic()
        while game.status in ("created", "started") and (moves is None or len(game.moves) < moves):
            assert time.monotonic() < began + patient(seconds), (game.terms, game.moves)
            self.alive()
            time.sleep(0.02)
        return game


@contextmanager
def running(site: Site, config: dict[str, Any]) -> Iterator[Waiter]:
    """The tests' own bot; what it raises is raised here."""
    client = Client(config, pychess=site.pychess)
    with site, ThreadPoolExecutor(1) as threads:
        future = threads.submit(client.run)
        try:
            yield Waiter(lambda: future.result(0) if future.done() else None)
        finally:
            client.end()
            site.break_streams()
        future.result(patient(60))


def terms(variant: str, **more: Any) -> Terms:
    """Terms with a start position where the variant needs one; the seed is shown by a failure."""
    fen = {"fromPosition": FROM_POSITION}.get(variant, "")
    if variant == "chess960":
        fen = chess.Board.from_chess960_pos(more.get("seed", 0) * 37 % 960).fen(shredder=True)
    return Terms(variant, fen=fen, **more)


def well_played(site: Site, *games: BotGame) -> None:
    """No game is lost by silence, by time or by a move that is none."""
    assert not site.faults
    for game in games:
        assert not game.reason.startswith("bot:"), (game.terms, game.reason, game.moves)
        assert game.status != "created", game.terms
        if game.status not in ("aborted", "declined"):
            assert game.offers, game.terms  # it has moved


def test_the_printed_configuration_fits_the_engine() -> None:
    config = printed("config.yml")
    assert sorted(config["challenge"]["variants"]) == sorted(LICHESS)
    folder, name = Path(config["engine"]["dir"]), config["engine"]["name"]
    assert os.access(ROOT / folder.name / name, os.X_OK)
    text = GUIDE.read_text()
    with python_chess("uci") as engine:
        engine.configure(config["engine"]["uci_options"])
        for name in ("Level", "UCI_LimitStrength", "UCI_Elo"):
            assert f"`{name}: " in text
            assert name in engine.options
        names = engine.options["UCI_Variant"].var
    for key, title in LICHESS.items():
        if key not in ("standard", "chess960", "fromPosition"):
            assert chess.variant.find_variant(title).uci_variant in names
    for key in printed("config.yml, for pychess.org")["challenge"]["variants"]:
        assert key in names


def test_games_a_break_an_abort_and_a_refusal(tmp_path: Path) -> None:
    """The stream breaks in mid-game and comes again: a new engine plays on."""
    site = Site()
    config = config_for(site, tmp_path)
    config["challenge"]["variants"].remove("horde")
    with running(site, config) as wait:
        broken = site.challenge(terms("crazyhouse", turns=6, seed=1))
        wait(broken, moves=2)
        site.break_streams(0.3)
        wait(broken)
        aborted = wait(site.challenge(terms("atomic", aborts=True)))
        refused = wait(site.challenge(terms("horde")))
        last = wait(site.challenge(terms("chess960", bot_white=False, turns=3, seed=2)))
    well_played(site, broken, aborted, refused, last)
    assert broken.joined == 2
    assert (aborted.status, aborted.reason) == ("aborted", "opponent: aborts")
    assert (refused.status, refused.declined) == ("declined", "variant")


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize("protocol", by_turns(["uci", "xboard"], 1))
def test_twenty_games_of_all_variants(tmp_path: Path, protocol: str) -> None:
    print(turn())
    site = Site()
    config = config_for(site, tmp_path)
    config["engine"] |= {"protocol": protocol, "xboard_options": {}}
    games = []
    with running(site, config) as wait:
        for number, variant in enumerate(2 * list(LICHESS)):
            white = number < len(LICHESS)
            game = site.challenge(terms(variant, bot_white=white, turns=6, seed=number))
            games.append(game)
            if number == 2:
                wait(game, moves=2)
                site.break_streams(0.2)
            wait(game)
    well_played(site, *games)
    assert games[2].joined == 2


@pytest.mark.slow
def test_pychess_variants(tmp_path: Path) -> None:
    """Each variant of pychess.org's that the guide lists begins as there, and is played by it."""
    site = Site(pychess=True)
    config = config_for(site, tmp_path)
    games = []
    with running(site, config) as wait:
        for number, variant in enumerate(config["challenge"]["variants"]):
            game = site.challenge(Terms(variant, bot_white=number % 2 == 0, turns=3, seed=number))
            games.append(game)
            if number == 1:
                wait(game, moves=2)
                site.break_streams(0.2)
            wait(game)
    well_played(site, *games)
    assert games[1].joined == 2


# ---- the real bots -----------------------------------------------------------------------------


def folder_of(variable: str) -> Path:
    name = os.environ.get(variable)
    if not name:
        pytest.skip(f"{variable} does not name a folder with the bot")
    return Path(name)


@contextmanager
def real_bot(folder: Path, config: dict[str, Any], place: Path) -> Iterator[Waiter]:
    """The real bot's process; one that ends by itself fails the test."""
    path = place / "config.yml"
    path.write_text(yaml.safe_dump(config))
    words = [str(folder / "venv/bin/python"), "lichess-bot.py", "--config", str(path)]
    words += ["--disable_auto_logging", "-v"]
    with (place / "bot.log").open("w") as log:
        process = subprocess.Popen(
            words, cwd=folder, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )

    def alive() -> None:
        assert process.poll() is None, (place / "bot.log").read_text()[-3000:]

    try:
        yield Waiter(alive)
    finally:
        os.killpg(process.pid, 9)
        process.wait()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variable", "pychess"), [("RYUGI_LICHESS_BOT", False), ("RYUGI_PYCHESS_BOT", True)]
)
def test_the_real_bot(tmp_path: Path, variable: str, pychess: bool) -> None:
    """Twenty games, a break, a bot that is ended and started again, and an abort."""
    folder = folder_of(variable)
    site = Site(pychess=pychess)
    config = config_for(site, tmp_path)
    variants = config["challenge"]["variants"]
    games: list[BotGame] = []

    def offer(variant: str, **more: Any) -> BotGame:
        made = Terms(variant, **more) if pychess else terms(variant, **more)
        games.append(site.challenge(made))
        return games[-1]

    with site:
        with real_bot(folder, config, tmp_path) as wait:
            wait(offer(variants[0], seconds=60, turns=12, seed=1), moves=4)
            site.break_streams(1.0)
            assert wait(games[-1]).joined == 2
            wait(offer(variants[1], aborts=True))
            for number in range(18):
                variant = variants[number % len(variants)]
                wait(offer(variant, seconds=60, bot_white=number % 2 == 0, turns=6, seed=number))
            wait(offer(variants[-1], seconds=60, turns=12, seed=9), moves=4)
        with real_bot(folder, config, tmp_path) as wait:
            assert wait(games[-1]).joined == 2
    well_played(site, *games)
