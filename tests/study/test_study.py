"""``study``: its games, how it is resumed, and what it writes."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.commands.cli import main
from ryugi_engine.games.registry import registry
from ryugi_engine.study.journal import Journal
from ryugi_engine.study.plan import LEAST, Plan, digest_of, plan_of
from ryugi_engine.study.rounds import Rounds
from tests.support.helpers import ROOT, command, patient

#: Games that are over at once.
QUICK = ("--nodes", "20", "40", "60", "--rounds", "1", "--threads", "2")


def kept(path: Path) -> dict[str, Any]:
    """The games of a journal by their units; each is there once."""
    games: dict[str, Any] = {}
    for line in path.read_text().splitlines()[1:]:
        entry = json.loads(line)
        assert entry["unit"] not in games
        games[entry["unit"]] = entry["game"]
    return games


def studied(game: str, folder: Path, *more: str) -> dict[str, Any]:
    """Study a game; return the figures."""
    out, figures = folder / "page.html", folder / "figures.json"
    words = ("study", game, *QUICK, "--out", str(out), "--json", str(figures), *more)
    done = command(*words)
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(figures.read_text())
    return found


@pytest.mark.parametrize("game", ["chess", "gorogo", "gomokuroku"])
def test_figures_are_those_of_the_games(game: str, tmp_path: Path) -> None:
    found = studied(game, tmp_path)
    games = kept(tmp_path / "page.games")
    played = [(key[:6], one["moves"]) for key, one in games.items() if key.startswith("play ")]
    assert found["games"] == len(set(played)) == 32 - found["repeated games"]
    for number, balance in enumerate(found["balance"]):
        those = [one for key, one in games.items() if key.startswith(f"play {number} ")]
        points = [*{one["moves"]: one["points"] for one in those}.values()]
        assert balance["first"]["games"] == len(points)
        assert balance["first"]["value"] == pytest.approx(sum(points) / len(points), abs=1e-6)
        assert balance["draws"]["value"] == pytest.approx(points.count(0.5) / len(points), abs=1e-6)
    assert sum(end["value"] for end in found["course"]["ends"].values()) == pytest.approx(1, 1e-5)
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")


def test_first_moves_that_are_as_good_are_all_drawn(tmp_path: Path) -> None:
    """On an empty board a search finds all moves equal, and lists them in the order of squares."""
    studied("gorogo", tmp_path)
    games = kept(tmp_path / "page.games").values()
    assert len({game["moves"].split()[0] for game in games}) > 12


def test_killed_and_resumed(tmp_path: Path) -> None:
    """After kill -9 at five moments the games are those of a study that nobody disturbed."""
    studied("chess", tmp_path)
    undisturbed = kept(tmp_path / "page.games")
    out = tmp_path / "killed.html"
    words = [sys.executable, "-m", "ryugi_engine", "study", "chess", *QUICK, "--out", str(out)]
    journal = out.with_suffix(".games")
    # of its own session: a child that outlives it would be found by its group
    for enough in (0, 1, 6, 12, 24):
        run = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, start_new_session=True)
        end = time.monotonic() + patient(90)
        while not (journal.exists() and journal.read_text().count("\n") > enough):
            assert time.monotonic() < end
            if run.poll() is not None:
                break
            time.sleep(0.01)
        run.kill()
        run.wait()
        if enough == 6:  # a line that was not written to its end
            with journal.open("a") as handle:
                handle.write('{"unit":"play 0 1","sp')
    assert subprocess.run(words, cwd=ROOT, stdout=subprocess.DEVNULL, check=False).returncode == 0
    assert kept(journal) == undisturbed


def test_an_interrupt_keeps_the_games(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    words = [sys.executable, "-m", "ryugi_engine", "study", "chess", "--nodes", "20", "40", "60"]
    run = subprocess.Popen(
        [*words, "--out", str(out)], cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    journal = out.with_suffix(".games")
    end = time.monotonic() + patient(90)
    while not (journal.exists() and journal.read_text().count("\n") > 3):
        assert time.monotonic() < end
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=patient(60))
    assert run.returncode == 130
    assert errors.decode() == f"{journal}: stopped; the same command resumes it\n"
    assert out.exists()


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    """The games so far stay, and the same command resumes them."""
    out = tmp_path / "page.html"
    words = [sys.executable, "-m", "ryugi_engine", "study", "gorogo", *QUICK, "--out", str(out)]

    def no_larger_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))

    done = subprocess.run(
        words, cwd=ROOT, preexec_fn=no_larger_files, capture_output=True, text=True, check=False
    )
    journal = out.with_suffix(".games")
    assert done.returncode == 2
    assert done.stderr == f"ryugi-engine: {journal}: File too large\n"
    before = kept(journal)
    assert command("study", "gorogo", *QUICK, "--out", str(out)).returncode == 0
    after = kept(journal)
    assert 0 < len(before) < len(after)
    assert {key: after[key] for key in before} == before


def test_other_rules_are_refused(tmp_path: Path) -> None:
    studied("gorogo", tmp_path)
    done = command("study", "chess", *QUICK, "--out", str(tmp_path / "page.html"))
    assert done.returncode == 2
    assert "page.games: games of other rules than those of Chess now" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("[]", "the line is no JSON object"),
        ('{"unit":"play 0","spent":1,"game":{}}', "this is no game of a study"),
        ('{"unit":"play 0 1","spent":1,"game":{"points":0.3}}', "this is no game of a study"),
        ('{"unit":"odds 0 1","spent":1,"game":{"points":1,"reason":"","moves":""}}', "'lacking'"),
        ('{"unit":"else 0 1","spent":1,"game":{"points":1,"reason":"","moves":""}}', "'else'"),
        ("{", "Expecting property name"),
    ],
)
def test_hostile_journals(
    line: str, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "page.games"
    game = registry().game("gorogo")
    plan = Plan("gorogo", digest_of(game, ""), 0, (1, 2, 3), 1, (1, 1, 1), 0)
    journal.write_text(f"{json.dumps(plan.to_json())}\n{line}\n")
    before = journal.read_bytes()
    assert main(["study", "gorogo", *QUICK, "--out", str(tmp_path / "page.html")]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"ryugi-engine: {journal}:2: no games of a study: ")
    assert fault in errors
    assert errors.count("\n") == 1
    assert journal.read_bytes() == before


@pytest.mark.parametrize("name", ["chess", "gorogo", "shogi"])
def test_rounds_have_as_many_units_as_they_say(name: str, tmp_path: Path) -> None:
    game = registry().game(name)
    plan = plan_of(game, "", seed=1, seconds=60, processes=4, speed=1e6)
    with Journal(tmp_path / "x.games", plan.rules, game.title) as journal:
        rounds = Rounds(game, plan, journal)
        units = [unit for number in range(14) for unit in rounds.units(number)]
    assert len({unit.key for unit in units}) == len(units) == rounds.total(14)
    assert all(low >= least for low, least in zip(plan.nodes, LEAST, strict=True))
