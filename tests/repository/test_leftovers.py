"""A test takes nothing else with it: what it leaves is ended, and is reported by that test."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tests.support.helpers import alive, completed

#: A module of tests: some fail or leave something, and those after them must not feel it.
_TESTS = """
import gc, signal, subprocess
from pathlib import Path
import pytest
from tests import conftest
from tests.support.helpers import EngineUnderTest

conftest.SECONDS_TO_END = 5.0
PIDS = Path(__file__).with_name("pids")

def test_fails_while_a_command_runs():
    engine = EngineUnderTest("perft", "--depth", "9")
    PIDS.write_text(f"{engine.process.pid} ")
    held = open("/dev/null")
    assert engine is None

def test_fails_in_an_error_in_an_error():
    try:
        held, process = open("/dev/null"), subprocess.Popen(["sleep", "1000"], text=True)
        held.no_such_attribute
    finally:
        process.no_such_attribute

@pytest.fixture
def broken():
    held, process = open("/dev/null"), subprocess.Popen(["sleep", "1000"])
    yield held.no_such_attribute

def test_is_not_begun(broken):
    pass

def test_behind_them_is_innocent():
    gc.collect()

def test_leaves_a_process_without_parent_and_environment():
    subprocess.run(["sh", "-c", f"setsid sleep 1000 & echo $! >> {PIDS}"], env={}, check=True)

def test_leaves_one_that_ends():
    subprocess.run(["sh", "-c", "sleep 1 &"], check=True)

@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM])
def test_children_can_be_interrupted(number):
    with subprocess.Popen(["sleep", "1000"]) as process:
        process.send_signal(number)
        assert process.wait(60) == -number
"""

#: Tests that do not end by themselves: in a wait, in one that expects an exception, in C code.
_ENDLESS = """
import asyncio, collections, contextlib, itertools, subprocess

def test_waits():
    with subprocess.Popen(["sleep", "1000"], stdout=subprocess.PIPE) as process:
        process.stdout.read()

def test_waits_and_hopes():
    async def never():
        with contextlib.suppress(Exception):
            await asyncio.get_running_loop().create_future()
    asyncio.run(never())

def test_computes():
    collections.deque(itertools.repeat(0), maxlen=0)

def test_goes_on():
    pass
"""


def _inner(folder: Path, tests: str, *words: str, ignored: str = "") -> str:
    """Run pytest on a module of tests of its own; return what it prints."""
    (folder / "test_inner.py").write_text(tests)
    given = "-m pytest -q -p no:cacheprovider -p tests.conftest -W error -c /dev/null --rootdir"
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    trapped = ["sh", "-c", f'trap "" {ignored or "PIPE"}; exec "$@"', "sh"]
    inner = [sys.executable, *given.split(), str(folder), str(folder), *words]
    done = completed([*trapped, *inner], env=environment)
    return done.stdout + done.stderr


@pytest.mark.slow
def test_every_test_ends(tmp_path: Path) -> None:
    """One that does not fails at its limit, and those after it are run."""
    output = _inner(tmp_path, _ENDLESS, "-n", "1", "--timeout", "4")
    entries = set(re.findall(r"^FAILED .*::(\w+)", output, re.MULTILINE))
    assert entries == {"test_waits", "test_waits_and_hopes", "test_computes"}, output
    # once more in the summary, where that is not cut to the terminal's width (CI)
    fault = r"^E +Failed: Timeout \(>4\.0s\) from pytest-timeout"
    assert len(re.findall(fault, output, re.MULTILINE)) == 2, output
    assert "crashed while running 'test_inner.py::test_computes'" in output
    assert re.search(r"^Timeout \(0:00:08\)!$", output, re.MULTILINE), output
    assert re.search(r"^3 failed, 1 passed in ", output, re.MULTILINE), output


@pytest.mark.slow
def test_what_tests_leave_is_their_own(tmp_path: Path) -> None:
    """Begun as by nohup and with ``&``, which have signals ignored."""
    output = _inner(tmp_path, _TESTS, ignored="INT HUP QUIT TERM")
    entries = set(re.findall(r"^(ERROR|FAILED) .*::(\w+)", output, re.MULTILINE))
    assert entries == {
        ("FAILED", "test_fails_while_a_command_runs"),
        ("FAILED", "test_fails_in_an_error_in_an_error"),
        ("ERROR", "test_is_not_begun"),
        ("ERROR", "test_leaves_a_process_without_parent_and_environment"),
    }, output
    assert "still running at the end: ['sleep 1000']" in output
    assert re.search(r"^2 failed, 7 passed, 2 errors in ", output, re.MULTILINE)
    pids = (tmp_path / "pids").read_text().split()
    assert len(pids) == 2
    assert not [pid for pid in pids if alive(int(pid))]
