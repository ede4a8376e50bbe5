"""Matches on Dask's workers: killed workers, a scheduler elsewhere."""

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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from ryugi_engine.cluster.work import Definitions
from ryugi_engine.records.pgn import parse_records
from tests.match.test_engines import OWN
from tests.support.effort import effort
from tests.support.helpers import ROOT, command, completed, patient, read_journal, read_to

_PYTHON = [sys.executable, "-m", "ryugi_engine"]
ENGINE = " ".join([*_PYTHON, "uci"])
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


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@contextmanager
def _running(
    processes: _Processes, *words: str, errors: int | IO[str] = subprocess.PIPE
) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*_PYTHON, *words],
        cwd=ROOT,
        env=processes.env,
        stdout=subprocess.PIPE,
        stderr=errors,
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
    message = (
        "ryugi-engine: --cluster needs Dask's distributed: pip install 'ryugi-engine[cluster]'"
    )
    assert done.stderr.splitlines()[-1] == message


def test_a_user_s_game_travels_as_its_text(tmp_path: Path) -> None:
    """A worker need not have the file."""
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    sent = pickle.dumps(Definitions.of("own", str(path)))
    path.unlink()
    with pickle.loads(sent).file() as (game, there):
        assert game.name == "own"
        assert Path(there).read_text() == OWN
    assert not Path(there).exists()


def _match(pgn: Path, *words: str) -> list[str]:
    return [
        *("match", "--variant", "gorogo", "--engine", ENGINE, "--engine", "name=B"),
        *(f"cmd={ENGINE}", "--pgn-out", str(pgn), *words),
    ]


@pytest.mark.soak
def test_a_cluster_s_games_are_those_of_one_machine(tmp_path: Path) -> None:
    """Games, journal and table are the same, as far as engines play the same."""
    words = ["--games", "4", "--tc", "depth=2", "--seed", "3", "--quiet"]
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


@pytest.mark.slow
@_NEEDS_PROC
def test_a_killed_worker_s_games_are_played_again(processes: _Processes, tmp_path: Path) -> None:
    """All games are there once, and no engine is left."""
    pgn = tmp_path / "games.pgn"
    words = [*_match(pgn, "--games", "10", "--tc", "st=0.05", "--time-margin", "60000")]
    output = r"worker tls://\S+ is gone; what it did is done again"
    note = tmp_path / "errors"
    with (
        note.open("w") as errors,
        _running(processes, *words, "--quiet", "--cluster", "local:2", errors=errors) as match,
    ):
        message = _read_to(match, "Game 1: ")
        end = time.monotonic() + patient(90)
        engine = processes.wait_until(ENGINE, True)[0]
        os.kill(_parent(engine), signal.SIGKILL)
        while not re.search(output, note.read_text()):
            assert time.monotonic() < end, note.read_text()
            time.sleep(0.1)
        rest, _ = _rest(match)
    assert match.returncode == 0, message + rest + note.read_text()
    assert _games(message + rest) == collections.Counter(range(1, 11))
    records = parse_records(pgn.read_text())
    assert sorted(int(record.tags["Round"]) for record in records) == list(range(1, 11))
    saved = read_journal(tmp_path / "games.pgn.journal")
    assert sorted(game.number for game in saved.games) == list(range(1, 11))
    assert "crash 0" in rest
    processes.wait_until("", False)


@pytest.mark.slow
@_NEEDS_PROC
@pytest.mark.more
@pytest.mark.parametrize("number", effort([signal.SIGINT], [signal.SIGINT, signal.SIGKILL]))
def test_workers_end_with_their_runner(
    number: signal.Signals, processes: _Processes, tmp_path: Path
) -> None:
    pgn = tmp_path / "games.pgn"
    words = _match(pgn, "--games", "100", "--tc", "st=0.05", "--time-margin", "60000", "--quiet")
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


@contextmanager
def _scheduler(
    processes: _Processes, folder: Path, others: Sequence[dict[str, str]] = ()
) -> Iterator[str]:
    """A scheduler of its own with a worker for two games at a time; its address.

    ``others``: what the environments of more workers have in addition.
    """
    note = folder / "scheduler.json"
    dask = [sys.executable, "-W", "ignore", "-m"]
    words = ["--no-dashboard", "--host", "127.0.0.1", "--port", "0"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": processes.env}
    with subprocess.Popen(
        [*dask, "distributed.cli.dask_scheduler", *words, "--scheduler-file", str(note)], **quiet
    ) as scheduler:
        end = time.monotonic() + patient(60)
        while not note.exists() or not note.read_text():
            assert time.monotonic() < end
            time.sleep(0.1)
        address = json.loads(note.read_text())["address"]
        words = [*dask, "distributed.cli.dask_worker", address, "--nthreads", "2", "--no-dashboard"]
        with contextlib.ExitStack() as workers:
            try:
                for more in (*others, {}):
                    env = {**quiet, "env": {**processes.env, **more}}
                    worker = workers.enter_context(subprocess.Popen(words, cwd=folder, **env))
                    workers.callback(worker.kill)
                yield address
            finally:
                scheduler.kill()


@pytest.mark.slow
@_NEEDS_PROC
def test_a_scheduler_elsewhere(processes: _Processes, tmp_path: Path) -> None:
    """Whichever way the runner ends, the workers stay and its engines go; it is resumed there."""
    pgn = tmp_path / "games.pgn"
    journal = tmp_path / "games.pgn.journal"
    words = _match(pgn, "--games", "8", "--tc", "st=0.03", "--time-margin", "60000", "--quiet")
    entries: collections.Counter[int] = collections.Counter()
    with _scheduler(processes, tmp_path) as address:
        with _running(processes, *words, "--cluster", address) as match:
            output = _read_to(match, "Game 1: ")
            match.send_signal(signal.SIGTERM)
            rest, errors = _rest(match)
        assert match.returncode == 143, errors
        assert f"{address}: " in errors
        entries += _games(output + rest)
        processes.wait_until(ENGINE, False)
        again = ["match", "--resume", str(journal), "--quiet", "--cluster", address]
        with _running(processes, *again) as match:
            _read_to(match, "Game ")
            match.kill()
            match.wait()
        processes.wait_until(ENGINE, False)
        done = completed([*_PYTHON, *again], env=processes.env)
        assert done.returncode == 0, done.stdout + done.stderr
        processes.wait_until(ENGINE, False)
        assert [w for w in processes.alive().values() if "dask_worker" in w]
    saved = read_journal(journal)
    assert sorted(game.number for game in saved.games) == list(range(1, 9))
    rounds = sorted(int(record.tags["Round"]) for record in parse_records(pgn.read_text()))
    assert rounds == list(range(1, 9))
    assert entries


@pytest.mark.slow
def test_what_cannot_be_played_on_a_cluster_is_told(tmp_path: Path) -> None:
    words = ["match", "--variant", "gorogo", "--engine", ENGINE, "--engine", "/no/such/engine"]
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
    engine.write_text(f"#!/bin/sh\ncd {ROOT} && exec {ENGINE}\n")
    engine.chmod(0o755)
    lacking = [{}, {"PYTHONPATH": str(other)}, {"PYTHONPATH": str(none)}]
    path = os.environ["PATH"]
    processes.env["PATH"] = f"{engine.parent}:{path}"
    lacking[0]["PATH"] = path
    words = _match(pgn, "--games", "8", "--tc", "depth=2", "--quiet")
    words[words.index(ENGINE)] = "this-engine"
    with _scheduler(processes, tmp_path, lacking) as address:
        from distributed import Client  # late: it is no dependency of most tests

        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(4, timeout=patient(60))
        with _running(processes, *words, "--cluster", address) as match:
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
