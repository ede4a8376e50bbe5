"""Work on Dask's workers: killed workers, a scheduler elsewhere."""

from __future__ import annotations

import collections
import contextlib
import json
import os
import pickle
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ryugi_engine.cluster import Cluster
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.games.sent_game import SentGame
from ryugi_engine.perft.count import Perft
from ryugi_engine.records.pgn import parse_records
from ryugi_engine.train.compare import compare
from ryugi_engine.train.datagen import generate
from ryugi_engine.train.player import Player
from ryugi_engine.train.positions import records
from ryugi_engine.train.settings import ComparisonSettings, SelfPlaySettings
from tests.match.test_engines import OWN, SCRIPTED
from tests.support.effort import effort
from tests.support.helpers import ROOT, command, completed, patient, read_journal, read_to

_PYTHON = [sys.executable, "-m", "ryugi_engine"]
ENGINE = f"{SCRIPTED} none"
#: How its command line ends.
_ENGINE = "match_engine.py none"
_NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
#: In the environment of all that a test starts, and of what that starts.
_MARK = "RYUGI_TEST_CLUSTER"


class _Processes:
    """All processes that a test has started, directly or not."""

    def __init__(self) -> None:
        self.mark = secrets.token_hex(8)
        self.env = {**os.environ, _MARK: self.mark}

    def alive(self) -> dict[int, str]:
        """Their command lines."""
        results = {}
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                if f"{_MARK}={self.mark}".encode() not in (entry / "environ").read_bytes():
                    continue
                if (entry / "stat").read_text().rpartition(")")[2].split()[0] in "ZX":
                    continue
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except (OSError, UnicodeDecodeError):
                continue
            results[int(entry.name)] = words
        return results

    def wait_until(self, what: str, there: bool, seconds: float = 60.0) -> list[int]:
        """Wait until some, or none, of them have a command line with this end."""
        end = time.monotonic() + patient(seconds)
        while True:
            results = [pid for pid, words in self.alive().items() if words.rstrip().endswith(what)]
            if bool(results) == there:
                return results
            assert time.monotonic() < end, self.alive()
            time.sleep(0.1)

    def end(self) -> None:
        for pid in self.alive():
            os.kill(pid, signal.SIGKILL)


@pytest.fixture
def processes() -> Iterator[_Processes]:
    result = _Processes()
    yield result
    result.end()


@contextmanager
def _running(processes: _Processes, *words: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*_PYTHON, *words],
        cwd=ROOT,
        env=processes.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def _read_to(process: subprocess.Popen[str], wanted: str) -> str:
    assert process.stdout is not None
    try:
        return read_to(process.stdout, wanted, 120)
    except AssertionError as error:
        process.kill()
        raise AssertionError(f"{error}\n{_rest(process)}") from None


def _rest(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What it says until its end."""
    output, errors = process.communicate(timeout=300)
    return output, errors or ""


def _games(text: str) -> collections.Counter[int]:
    return collections.Counter(map(int, re.findall(r"^Game (\d+): ", text, re.MULTILINE)))


class _Pool(NamedTuple):
    """A scheduler and workers that run for it, one unit at a time each."""

    processes: _Processes
    address: str
    workers: list[subprocess.Popen[bytes]]


@contextmanager
def _scheduler(
    processes: _Processes, folder: Path, *environments: dict[str, str]
) -> Iterator[_Pool]:
    """A pool; ``environments``: what its workers' have in addition."""
    note = folder / "scheduler.json"
    dask = [sys.executable, "-W", "ignore", "-m"]
    words = ["--no-dashboard", "--host", "127.0.0.1", "--port", "0"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with contextlib.ExitStack() as ends:

        def started(words: list[str], **more: str) -> subprocess.Popen[bytes]:
            env = {**processes.env, **more}
            process = subprocess.Popen([*dask, *words], cwd=folder, env=env, **quiet)  # type: ignore[call-overload]
            result: subprocess.Popen[bytes] = ends.enter_context(process)
            ends.callback(result.kill)
            return result

        started(["distributed.cli.dask_scheduler", *words, "--scheduler-file", str(note)])
        end = time.monotonic() + patient(60)
        while not note.exists() or not note.read_text():
            assert time.monotonic() < end
            time.sleep(0.1)
        address = json.loads(note.read_text())["address"]
        words = ["distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"]
        words.append("--no-nanny")
        workers = [started(words, **more) for more in environments]
        from distributed import Client  # late: it is no dependency of most tests

        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(len(workers), timeout=patient(60))
        yield _Pool(processes, address, workers)


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Pool]:
    """Four workers: three tests kill one each."""
    processes = _Processes()
    with _scheduler(processes, tmp_path_factory.mktemp("pool"), {}, {}, {}, {}) as result:
        yield result
    processes.end()


def test_without_distributed_a_line_says_what_to_install() -> None:
    words = ["match", "--variant", "gorogo", "--engine", ENGINE, "--engine", ENGINE]
    code = (
        "import sys\n"
        "sys.modules['distributed'] = sys.modules['dask'] = None\n"
        "from ryugi_engine.commands import cli\n"
        f"sys.exit(cli.main({[*words, '--cluster', 'local:2']!r}))\n"
    )
    done = completed([sys.executable, "-c", code])
    assert done.returncode == 2
    message = "ryugi-engine: --cluster needs Dask: pip install 'ryugi-engine[cluster]'"
    assert done.stderr.splitlines()[-1] == message


def test_a_user_s_game_travels_as_its_text(tmp_path: Path) -> None:
    """A worker need not have the file."""
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    sent = pickle.dumps(SentGame.of("own", str(path)))
    path.unlink()
    game, there = pickle.loads(sent).load(str(tmp_path))
    assert game.name == "own"
    assert Path(there).read_text() == OWN
    assert tmp_path in Path(there).parents


def _match(pgn: Path, *words: str) -> list[str]:
    return [
        *("match", "--variant", "chess", "--engine", ENGINE, "--engine", "name=B"),
        *(f"cmd={ENGINE}", "--max-plies", "40", "--tc", "depth=1", "--pgn-out", str(pgn), *words),
    ]


@pytest.mark.soak
def test_a_cluster_s_games_are_those_of_one_machine(tmp_path: Path) -> None:
    """Games, journal and table are the same, as far as engines play the same."""
    words = ["--games", "4", "--seed", "3", "--quiet"]
    results = []
    for name, more in (("alone", []), ("spread", ["--cluster", "local:2"])):
        pgn = tmp_path / f"{name}.pgn"
        done = command(*_match(pgn, *words, *more))
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stderr == ""
        records = sorted(parse_records(pgn.read_text()), key=lambda r: int(r.tags["Round"]))
        games = [([step.move for step in r.steps], r.tags) for r in records]
        saved = read_journal(pgn.with_name(pgn.name + ".journal"))
        noted = [
            (g.number, g.pair, g.white, g.black, g.result, g.reason, g.plies, g.opening)
            for g in sorted(saved.games, key=lambda g: g.number)
        ]
        table = done.stdout[done.stdout.index("\nResults") : done.stdout.index("Games written")]
        results.append((games, noted, table))
    assert results[0] == results[1]
    assert len(results[0][0]) == 4


class _Killing(Cluster):
    """A cluster that loses a worker, with the units that it has, when the first result comes."""

    def __init__(self, where: str, game: SentGame, workers: list[subprocess.Popen[bytes]]) -> None:
        super().__init__(where, game)
        self._victim = next(worker for worker in workers if worker.poll() is None)

    def results(self, *arguments: Any) -> Generator[Any, None, None]:
        with contextlib.closing(super().results(*arguments)) as results:
            for item in results:
                if item is not None:
                    self._victim.kill()
                yield item


@contextmanager
def _losing_a_worker(pool: _Pool, game: str) -> Iterator[Cluster]:
    cluster = _Killing(pool.address, SentGame(game), pool.workers)
    with contextlib.closing(cluster):
        cluster.open()
        yield cluster
    assert cluster._victim.wait(60) == -signal.SIGKILL


@pytest.mark.slow
@_NEEDS_PROC
def test_perft_counts_each_part_once(pool: _Pool) -> None:
    """Though a worker is killed: all counts are those of one process."""
    position = Position(registry().game("ryugi"))
    position.push(position.legal_moves()[3])
    plain = Perft(position, 4).run()
    with _losing_a_worker(pool, "ryugi") as cluster:
        count = Perft(position, 4, cluster=cluster).run()
    assert count.divide == plain.divide
    assert count.nodes == plain.nodes


@pytest.mark.slow
@_NEEDS_PROC
def test_games_of_self_play_are_there_once(pool: _Pool, tmp_path: Path) -> None:
    """Though a worker is killed: each game is the one of its number, with all of its records."""
    game, settings, path = registry().game("ryugi"), SelfPlaySettings(nodes=50), tmp_path / "a.pos"
    with _losing_a_worker(pool, "ryugi") as cluster:
        generate(game, path, 900, settings, threads=1, seed=5, report=print, cluster=cluster)
    held = records(path)
    numbers = held["game"]
    begins = [0, *(i for i in range(1, len(held)) if numbers[i] != numbers[i - 1]), len(held)]
    player = Player(game, settings, 5)
    for begin, end in pairwise(begins):
        assert held[begin:end].tobytes() == player.play(int(numbers[begin]))
    assert len(begins) - 1 == len(set(numbers.tolist())) > 8


@pytest.mark.slow
def test_a_comparison_on_a_cluster(pool: _Pool) -> None:
    """Who plays alike is equal in every pair; what is left at the end is not waited for."""
    settings = ComparisonSettings(games=10, nodes=60, equal_nodes=True)
    cluster = Cluster(pool.address, SentGame("ryugi"))
    with contextlib.closing(cluster):
        cluster.open()
        game = registry().game("ryugi")
        sample = compare(game, None, None, settings, report=print, cluster=cluster).sample
    assert sample.counts == (0, 0, 5, 0, 0)


@pytest.mark.slow
@_NEEDS_PROC
def test_a_killed_worker_s_games_are_played_again(pool: _Pool, tmp_path: Path) -> None:
    """All games of the match are there once, and no engine is left."""
    pgn = tmp_path / "games.pgn"
    words = _match(pgn, "--games", "60", "--quiet", "--cluster", pool.address)
    with _running(pool.processes, *words) as match:
        output = _read_to(match, "Game ")
        next(worker for worker in pool.workers if worker.poll() is None).kill()
        rest, errors = _rest(match)
    output += rest
    assert match.returncode == 0, output + errors
    assert _games(output) == collections.Counter(range(1, 61))
    rounds = [int(record.tags["Round"]) for record in parse_records(pgn.read_text())]
    assert sorted(rounds) == list(range(1, 61))
    saved = read_journal(tmp_path / "games.pgn.journal")
    assert sorted(game.number for game in saved.games) == list(range(1, 61))
    assert "crash 0" in output
    pool.processes.wait_until(_ENGINE, False)


@pytest.mark.slow
@_NEEDS_PROC
@pytest.mark.more
@pytest.mark.parametrize("number", effort([signal.SIGINT], [signal.SIGINT, signal.SIGKILL]))
def test_workers_end_with_their_runner(
    number: signal.Signals, processes: _Processes, tmp_path: Path
) -> None:
    pgn = tmp_path / "games.pgn"
    words = _match(pgn, "--games", "10000", "--quiet")
    with _running(processes, *words, "--cluster", "local:2") as match:
        output = _read_to(match, "Game 2: ")
        match.send_signal(number)
        rest, errors = _rest(match)
    if number == signal.SIGINT:
        assert match.returncode == 130, errors
        assert errors == ""
        assert "Go on with: ryugi-engine match --resume" in rest
        assert len(parse_records(pgn.read_text())) == sum(_games(output + rest).values())
    processes.wait_until("", False)


@pytest.mark.slow
@_NEEDS_PROC
def test_a_scheduler_elsewhere(pool: _Pool, tmp_path: Path) -> None:
    """Whichever way the runner ends, the workers stay and its engines go; it is resumed there."""
    pgn = tmp_path / "games.pgn"
    journal = tmp_path / "games.pgn.journal"
    words = _match(pgn, "--games", "40", "--quiet")
    address, processes = pool.address, pool.processes
    with _running(processes, *words, "--cluster", address) as match:
        output = _read_to(match, "Game ")
        match.send_signal(signal.SIGTERM)
        rest, errors = _rest(match)
    assert match.returncode == 143, errors
    assert f"{address}: " in errors
    assert _games(output + rest)
    processes.wait_until(_ENGINE, False)
    again = ["match", "--resume", str(journal), "--quiet", "--cluster", address]
    with _running(processes, *again) as match:
        _read_to(match, "Game ")
        match.kill()
        match.wait()
    processes.wait_until(_ENGINE, False)
    done = completed([*_PYTHON, *again], env=processes.env)
    assert done.returncode == 0, done.stdout + done.stderr
    processes.wait_until(_ENGINE, False)
    assert [w for w in processes.alive().values() if "dask_worker" in w]
    saved = read_journal(journal)
    assert sorted(game.number for game in saved.games) == list(range(1, 41))
    rounds = sorted(int(record.tags["Round"]) for record in parse_records(pgn.read_text()))
    assert rounds == list(range(1, 41))


@pytest.mark.slow
def test_what_cannot_be_played_on_a_cluster_is_told(tmp_path: Path) -> None:
    words = ["match", "--variant", "chess", "--engine", ENGINE, "--engine", "/no/such/engine"]
    done = command(*words, "--cluster", "local:1")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    message = "local:1: '/no/such/engine' did not start: No such file or directory"
    assert line == f"ryugi-engine: {message}"
    done = command(*words, "--cluster", "tcp://127.0.0.1:1")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("ryugi-engine: tcp://127.0.0.1:1: ")


@pytest.mark.slow
@_NEEDS_PROC
def test_workers_that_cannot_play_are_named_and_left_out(
    processes: _Processes, tmp_path: Path
) -> None:
    """One has no engine, one another version, one no package: the fourth plays all games."""
    pgn, other, none = (tmp_path / name for name in ("games.pgn", "other", "none"))
    for folder, text in ((other, "__version__ = '0'"), (none, "raise ImportError('none here')")):
        (folder / "ryugi_engine").mkdir(parents=True)
        (folder / "ryugi_engine" / "__init__.py").write_text(text)
    engine = tmp_path / "bin" / "this-engine"
    engine.parent.mkdir()
    engine.write_text(f"#!/bin/sh\nexec {ENGINE}\n")
    engine.chmod(0o755)
    lacking = [{}, {"PYTHONPATH": str(other)}, {"PYTHONPATH": str(none)}]
    path = os.environ["PATH"]
    processes.env["PATH"] = f"{engine.parent}:{path}"
    lacking[0]["PATH"] = path
    words = _match(pgn, "--games", "8", "--quiet")
    words[words.index(ENGINE)] = "this-engine"
    with (
        _scheduler(processes, tmp_path, *lacking, {}) as pool,
        _running(processes, *words, "--cluster", pool.address) as match,
    ):
        output, errors = _rest(match)
    assert match.returncode == 0, output + errors
    assert sorted(int(r.tags["Round"]) for r in parse_records(pgn.read_text())) == [*range(1, 9)]
    assert "crash 0" in output
    left_out = [line for line in errors.splitlines() if "is left out: " in line]
    assert len(left_out) == 3, errors
    assert len({line.split()[3] for line in left_out}) == 3
    message = "'this-engine' did not start: No such file or directory"
    assert len([line for line in left_out if line.endswith(message)]) == 1
    assert "Traceback" not in errors
