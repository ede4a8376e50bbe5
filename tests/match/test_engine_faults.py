"""Whatever an engine does in a match: it loses for the right reason, and nothing is left."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.effort import by_turns, turn
from tests.support.helpers import ROOT, SUPPORT, alive, command, patient, read_to

SCRIPT = SUPPORT / "match_engine.py"
ENGINE = f"'{sys.executable}' '{SCRIPT}'"
#: What each fault loses by: the reason, and the message.
FAULTS = {
    "no-uci": ("stall", "did not start: no "),
    "no-ready": ("stall", "did not start: no answer to '"),
    "die-warm": ("crash", "did not start: the engine ended: exit code 5"),
    "hang-warm": ("stall", "did not start: no answer in"),
    "exit": ("crash", "did not start: the engine ended: exit code 3"),
    "die": ("crash", "the engine ended: exit code 5"),
    "hang": ("time forfeit", "no answer in"),
    "late": ("time forfeit", "ms too late"),
    "illegal": ("illegal move", "illegal move 'e2e5'"),
    "twice": ("illegal move", "out of turn"),
    "flood": ("crash", "more than 64 MB of output for nothing"),
    "line": ("crash", "more than 64 MB of output for nothing"),
    "binary": ("illegal move", "illegal move"),
    "claim": ("false claim", "'1/2-1/2 {I say so}' in a game that goes on"),
    "hang-quit": ("", ""),
    "fork": ("", ""),
}


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("how", ["to its end", "a signal", "a check"])
def test_nothing_that_an_engine_has_started_is_left(how: str, tmp_path: Path) -> None:
    """Not even what has a session of its own."""
    pids = tmp_path / "pids"
    engine = ["name=fork", f"cmd={ENGINE} fork", "restart=on"]
    words = ["match", "--variant", "chess", "--tc", "60"]
    if how == "a check":
        words += ["--check", *engine]
    else:
        words += ["--engine", *engine, "--engine", "name=b", f"cmd={ENGINE} none", "--quiet"]
        words += ["--max-plies", "8", "--games", "2" if how == "to its end" else "10000"]
    with subprocess.Popen(
        [sys.executable, "-m", "ryugi_engine", *words],
        cwd=ROOT, stdout=subprocess.PIPE, env={**os.environ, "MATCH_ENGINE_PIDS": str(pids)},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        if how == "a signal":
            read_to(process.stdout, "Game 2")
            process.terminate()
        process.communicate(timeout=patient(300))
    assert process.returncode == {"to its end": 0, "a signal": 143}.get(how, process.returncode)
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) >= 3
    assert not [pid for pid in started if alive(pid)]


def test_an_engine_that_starts_at_the_second_attempt(tmp_path: Path) -> None:
    """The message about the first one is true: its games are played."""
    script = tmp_path / "engine.sh"
    script.write_text(
        f"[ -e '{tmp_path}/been' ] || {{ touch '{tmp_path}/been'; exit 3; }}\nexec {ENGINE} none\n"
    )
    words = ["match", "--variant", "chess", "--tc", "60", "--max-plies", "8", "--quiet"]
    words += ["--engine", "name=late", f"cmd=sh {script}", "--engine", f"cmd={ENGINE} none"]
    done = command(*words)
    assert done.returncode == 0, done.stdout
    message = (
        "'late' did not start: the engine ended: exit code 3; it is started again for its games"
    )
    assert done.stderr == f"ryugi-engine: {message}\n"
    assert done.stdout.count("(adjudication after 8 plies)") == 2


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.more
@pytest.mark.parametrize("protocol", by_turns(["uci", "xboard"], 1))
def test_every_fault_loses_its_games(protocol: str, tmp_path: Path) -> None:
    print(turn())
    faults = [
        fault
        for fault in FAULTS
        if not (protocol == "uci" and fault == "claim")
        and not (protocol == "xboard" and fault == "binary")  # no move, so it is late
        # 64 MB of output for the runner to read, four times
        and fault != {"uci": "line", "xboard": "flood"}[protocol]
    ]
    pids, pgn = tmp_path / "pids", tmp_path / "games.pgn"
    words = ["--engine", "name=good", f"cmd={ENGINE} none"]
    for fault in faults:
        proto = f"{protocol}" if protocol == "xboard" else ""
        words += ["--engine", f"name={fault}", f"cmd={ENGINE} {fault} {proto}", f"proto={protocol}"]
    words += ["--variant", "chess", "--tournament", "gauntlet", "--rounds", "1", "--json"]
    words += ["--tc", "1+1", "--time-margin", "1000"]
    words += ["--start-timeout", f"{min(patient(4), 24):.0f}"]
    words += ["--max-plies", "40", "--concurrency", "4", "--pgn-out", str(pgn)]
    with open(tmp_path / "out", "wb") as out, open(tmp_path / "err", "wb") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "ryugi_engine", "match", *words],
            cwd=ROOT,
            stdout=out,
            stderr=err,
            env={**os.environ, "MATCH_ENGINE_PIDS": str(pids)},
        )
        most = 0  # kilobytes; what wait4 tells begins with the size of the process that forked
        end = time.monotonic() + patient(300)
        while process.poll() is None:
            assert time.monotonic() < end, (tmp_path / "out").read_text()[-2000:]
            with contextlib.suppress(OSError):
                output = Path(f"/proc/{process.pid}/status").read_text()
                if peak := re.search(r"VmHWM:\s*(\d+) kB", output):
                    most = int(peak[1])
            time.sleep(0.2)
    errors = (tmp_path / "err").read_text()
    assert "Traceback" not in errors, errors
    assert process.returncode == 1, errors
    games = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    games = [entry for entry in games if entry["event"] == "game"]
    assert len(games) == 2 * len(faults)
    for game in games:
        fault = game["black"] if game["white"] == "good" else game["white"]
        reason, detail = FAULTS[fault]
        if reason:
            assert (game["reason"], detail in game["detail"]) == (reason, True), game
            assert game["result"] == ("1-0" if game["white"] == "good" else "0-1"), game
            letter = "a" if game["white"] == fault else "b"
            message = (tmp_path / f"games.game{game['number']}{letter}.log").read_text()
            assert message.startswith(f"# ryugi-engine transcript: {fault}\n")
            assert len(message) < 3 << 20
            asked = re.search(" > (go|uci|isready|xboard|ping)", message)
            assert asked or "out of turn" in detail or not message.partition("\n")[2], message[:300]
        else:
            assert game["reason"].startswith(("adjudication", "threefold")), game
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) > len(faults)
    assert not [pid for pid in started if alive(pid)]
    assert 10 << 10 < most < 300 << 10


def test_time_is_over_against_a_bare_king(tmp_path: Path) -> None:
    """The side with the queen draws when it is late (FIDE 6.9); the bare king loses."""
    positions, pgn = tmp_path / "bare.epd", tmp_path / "games.pgn"
    positions.write_text("7k/8/8/8/8/8/8/1KQ5 w - - 0 1\n")
    words = ["match", "--variant", "chess", "--tc", "1+1", "--time-margin", "1000"]
    words += ["--engine", "name=late", f"cmd={ENGINE} late", "--engine", f"cmd={ENGINE} none"]
    words += ["--openings", str(positions), "--games", "2", "--pgn-out", str(pgn)]
    words += ["--max-plies", "60"]
    done = command(*words)
    assert "Terminations: timeout against insufficient material 1, time forfeit 1" in done.stdout
    assert "time forfeit 1, crash 0" in done.stdout  # of two late moves one is a fault
    text = pgn.read_text()
    assert text.count('[Termination "time forfeit"]') == 2
    assert re.findall(r'\[(?:White|Result) "(.*)"\]', text) == [
        "late", "1/2-1/2", "faulty none", "1-0",
    ]  # fmt: skip
