"""Who plays whom, and that a match goes on where it was when its runner was killed."""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.match.game_files import GameFiles
from ryugi_engine.match.journal import Journal
from ryugi_engine.match.openings import Opening
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.match.schedule import GameTask, Knockout, make_schedule, round_robin
from tests.support.helpers import ROOT, SUPPORT, command, read_journal, read_to

ENGINE = f"'{sys.executable}' '{SUPPORT / 'match_engine.py'}' none"
OPENINGS = [Opening(letter, (), letter) for letter in "abc"]
SEED = int(os.environ.get("RYUGI_TEST_SEED", random.randrange(1 << 30)))


def listed(players: int, **words: object) -> list[GameTask]:
    """All games of a schedule whose games do not depend on one another."""
    given = {"games": None, "rounds": None, "repeat": 2, "heroes": 1, "kind": "roundrobin"}
    plan = make_schedule(
        players=players,
        openings=OPENINGS,
        **{**given, **words},  # type: ignore
    )
    return list(iter(plan.take, None))


@pytest.mark.parametrize("players", range(2, 9))
def test_everybody_meets_everybody(players: int) -> None:
    assert sorted(round_robin(players)) == list(itertools.combinations(range(players), 2))
    games = listed(players, rounds=3)
    assert [game.number for game in games] == list(range(1, len(games) + 1))
    met = Counter((game.white, game.black) for game in games)
    assert set(met.values()) == {3}
    assert len(met) == players * (players - 1)
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert (one.pair, one.opening) == (other.pair, other.opening)
        assert (one.white, one.black) == (other.black, other.white)
    # in a part of them, as with --games, no one has far fewer
    played = Counter(p for game in games[: len(games) // 2] for p in (game.white, game.black))
    assert max(played.values()) - min(played.values()) <= 4


def test_gauntlets_and_single_games() -> None:
    games = listed(4, kind="gauntlet", rounds=1)
    assert {frozenset((g.white, g.black)) for g in games} == {
        frozenset((0, other)) for other in (1, 2, 3)
    }
    assert len(listed(5, kind="gauntlet", heroes=2, rounds=1)) == 12
    single = listed(2, games=4, repeat=1)
    assert [(g.white, g.opening) for g in single] == [
        (0, OPENINGS[0]), (1, OPENINGS[1]), (0, OPENINGS[2]), (1, OPENINGS[0])
    ]  # fmt: skip
    assert len(listed(3, games=7)) == 7
    assert len(listed(2, games=4, rounds=3)) == 12


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("kind", ["roundrobin", "gauntlet"])
@pytest.mark.parametrize(("games", "repeat"), [(None, 2), (2, 2), (4, 2), (3, 2), (1, 2), (2, 1)])
def test_a_round_has_an_opening(kind: str, players: int, games: int | None, repeat: int) -> None:
    """Every pairing meets the same, in both colours; the next round has the next ones."""
    book = [Opening(str(n), (), str(n)) for n in range(100)]
    schedule = make_schedule(
        kind, players, games=games, rounds=3, repeat=repeat, heroes=1, openings=book
    )
    tasks = list(iter(schedule.take, None))
    each = games or repeat
    a_round = -(-each // min(repeat, each))
    for number in (1, 2, 3):
        met: dict[frozenset[int], list[GameTask]] = {}
        for task in tasks:
            if task.round == number:
                met.setdefault(frozenset((task.white, task.black)), []).append(task)
        first = (number - 1) * a_round
        expected = [book[first + game // min(repeat, each)] for game in range(each)]
        assert len(met) == (players - 1 if kind == "gauntlet" else players * (players - 1) // 2)
        for meeting in met.values():
            assert [task.opening for task in meeting] == expected
    for pair in {task.pair for task in tasks}:
        both = [task for task in tasks if task.pair == pair]
        assert len({task.opening for task in both}) == 1
        assert len({task.white for task in both}) == len(both)
    # a part that has been played changes nothing of the rest
    schedule = make_schedule(
        kind, players, games=games, rounds=3, repeat=repeat, heroes=1, openings=book
    )
    for task in tasks[::3]:
        schedule.record_result(task.number, "1-0")
    rest = [task for n, task in enumerate(tasks) if n % 3]
    assert list(iter(schedule.take, None)) == rest


def test_openings_without_rounds_are_those_of_rounds() -> None:
    games = listed(3, games=14)
    assert [game.opening.root for game in games] == [*"aaaaaabbbbbbcc"]
    schedule = make_schedule(
        "knockout", 4, games=2, rounds=None, repeat=2, heroes=1, openings=OPENINGS
    )
    played = []
    while (task := schedule.take()) is not None:
        played.append((task.round, task.opening.root))
        schedule.record_result(task.number, "1-0" if task.white < task.black else "0-1")
    assert played == [(1, "a")] * 4 + [(2, "b")] * 2


def knocked_out(players: int, source: random.Random, results: dict[int, str]) -> Knockout:
    """Play a knockout, several games at a time that end in any order; ``results`` are kept."""
    schedule = make_schedule(
        "knockout", players, games=2, rounds=None, repeat=2, heroes=1, openings=OPENINGS
    )
    assert isinstance(schedule, Knockout)
    for number, result in results.items():
        schedule.record_result(number, result)
    running: list[GameTask] = []
    while True:
        while len(running) < 3 and (task := schedule.take()) is not None:
            running.append(task)
        if not running:
            return schedule
        task = running.pop(source.randrange(len(running)))
        assert task.number not in results
        # who wins is a matter of the game, not of the moment
        dice = random.Random(f"{SEED} {players} {task.number} {task.white} {task.black}")
        results[task.number] = dice.choice(["1-0", "0-1", "1/2-1/2"])
        schedule.record_result(task.number, results[task.number])


@pytest.mark.parametrize("players", [2, 3, 4, 5, 7, 8, 13])
def test_a_knockout_is_the_same_in_whatever_order_games_end(players: int) -> None:
    results: dict[int, str] = {}
    winner = knocked_out(players, random.Random(SEED), results).winner
    assert winner is not None, SEED
    again: dict[int, str] = {}
    assert knocked_out(players, random.Random(SEED + 1), again).winner == winner, SEED
    assert again == results, SEED
    # and when it is gone on with
    kept = dict(random.Random(SEED).sample(sorted(results.items()), len(results) // 2))
    first = {n: r for n, r in results.items() if n <= max(kept, default=0)}
    assert knocked_out(players, random.Random(SEED + 2), first).winner == winner, SEED
    assert first == results, SEED


def game(number: int, text: str = "") -> FinishedGame:
    record = f'[Round "{number}"]\n\n{text or number} 1-0\n\n'
    return FinishedGame(number, 1, 1, "a", "b", "1-0", "x", "", 0, 0.0, record)


@pytest.mark.parametrize("lost", ["nothing", "record", "half a record", "line", "half a line"])
def test_whenever_the_runner_was_killed(lost: str, tmp_path: Path) -> None:
    """What was being written is written again or forgotten; nothing stands there twice."""
    pgn, path = tmp_path / "g.pgn", tmp_path / "g.journal"
    pgn.write_text('[Event "somebody else\'s"]\n\n*\n\n')
    journal = Journal(path, new=True)
    books = GameFiles(pgn, journal)
    books.begin({"seed": 1})
    for number in (1, 2, 3):
        books.add(game(number, "\N{LATIN SMALL LETTER E WITH ACUTE}"))
    journal.close()
    whole, lines = pgn.read_bytes(), path.read_bytes().splitlines(keepends=True)
    last = game(3, "\N{LATIN SMALL LETTER E WITH ACUTE}").record.encode()
    if "record" in lost:
        pgn.write_bytes(whole[: -len(last)] + (last[:20] if "half" in lost else b""))
    if "line" in lost:
        pgn.write_bytes(whole[: -len(last)])
        path.write_bytes(b"".join(lines[:-1]) + (lines[-1][:20] if "half" in lost else b""))
    journal = Journal(path, new=False)
    saved = journal.saved
    assert saved is not None
    again = GameFiles(pgn, journal)
    again.resume(saved)
    assert [g.number for g in saved.games] == ([1, 2] if "line" in lost else [1, 2, 3])
    again.add(game(4 - ("line" in lost), "\N{LATIN SMALL LETTER E WITH ACUTE}"))
    assert re.findall(r'Round "(\d)"', pgn.read_text())[:3] == ["1", "2", "3"]
    assert pgn.read_bytes().startswith(whole)
    assert [g.number for g in journal.read().games] == [1, 2, 3, 4][: 4 - ("line" in lost)]


def test_no_journal(tmp_path: Path) -> None:
    path = tmp_path / "j"
    for text, output in (
        ("", "no match in the journal"),
        ("nonsense\n", "j:1: no journal of a match"),
        ('{"game": {}, "at": 0}\n', "j:1: no journal of a match: a game before its match"),
        ('{"match": {}, "format": 99}\n', "j:1: no journal of a match: format 99 is not"),
    ):
        path.write_text(text)
        with pytest.raises(UserError, match=output):
            Journal(path, new=False)
    done = command("match", "--resume", str(tmp_path / "none"))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def tags(pgn: Path) -> list[tuple[str, ...]]:
    """Round, players and opening of each game of a file, in the order of their numbers."""
    games = [dict(re.findall(r'\[(\w+) "(.*)"\]', g)) for g in pgn.read_text().split("[Event ")]
    value = [(g["Round"], g["White"], g["Black"], g.get("FEN", "")) for g in games if g]
    return sorted(value, key=lambda game: int(game[0]))


@pytest.mark.slow
def test_a_killed_match_goes_on(tmp_path: Path) -> None:
    """Killed at random moments a round robin ends as if it never had been."""
    source = random.Random(SEED)
    words = ["match", "--variant", "chess", "--games", "20", "--tc", "60", "--seed", "7"]
    words += ["--engine", "name=a", f"cmd={ENGINE}", "--engine", "name=c", f"cmd={ENGINE}"]
    words += ["--engine", "name=b", f"cmd={ENGINE} xboard", "proto=xboard"]
    words += ["--concurrency", "2", "--max-plies", "24", "--quiet"]
    whole, pgn = tmp_path / "whole.pgn", tmp_path / "killed.pgn"
    done = command(*words, "--pgn-out", str(whole))
    assert done.returncode == 0, done.stdout + done.stderr
    journal = tmp_path / "killed.pgn.journal"
    call = [*words, "--pgn-out", str(pgn)]
    reported = set[str]()
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-m", "ryugi_engine", *call],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        for _count in range(source.randrange(1, 4)):
            line = read_to(process.stdout, "Game ").splitlines()[-1]
            reported.add(line.split(":")[0])
        time.sleep(source.random() / 10)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        call = ["match", "--resume", str(journal), "--quiet"]
        written = {f"Game {game.number}" for game in read_journal(journal).games}
        assert reported <= written, (SEED, "a game was reported before it was written")
    assert len(reported) >= 3
    assert len(written) < 20
    done = command(*call)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Faults: illegal move 0" in done.stdout
    assert tags(pgn) == tags(whole), SEED
    assert [int(number) for number, *_ in tags(pgn)] == list(range(1, 21))
    first = json.loads(journal.read_text().splitlines()[0])["match"]
    assert first["names"] == ["a", "c", "b"]
