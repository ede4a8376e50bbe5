"""Golden transcripts of both protocols: every line except times is compared.

``python -m tests.core.test_golden_transcripts`` records the answers again in four minutes (run
``warmup`` first); commit a change of them only if it is intended.
"""

from __future__ import annotations

import queue
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ryugi_engine import __version__
from tests.support.helpers import EngineUnderTest

GOLDEN = Path(__file__).resolve().parent / "golden"
#: Seconds without a line, all of its threads asleep, after which an engine has said everything.
_QUIET = 0.6
#: Seconds for a line that is due; a busy machine takes long to load kernels.
_DUE = 180.0
#: What is only said with an empty cache or on a busy machine, or comes from another thread.
_LOADING = (
    *("#", "telluser ryugi-engine: ", "info string compiling", "info string kernels"),
    "info string net ",
)
#: What depends on the machine and the moment.
_TIMES = (
    (re.compile(r"\b(time|nps|hashfull) \d+"), r"\1 T"),
    (re.compile(r"^(\d+ -?\d+) \d+ (\d+ )"), r"\1 T \2"),
    (re.compile(r"^stat01: .*"), "stat01: T"),
    (re.compile(re.escape(__version__)), "VERSION"),
)


def normal(line: str) -> str:
    for pattern, text in _TIMES:
        line = pattern.sub(text, line)
    return line


def conversation(path: Path) -> list[tuple[str, list[str]]]:
    """(what the GUI says, what is answered) of a golden file."""
    exchanges: list[tuple[str, list[str]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("> "):
            exchanges.append((line[2:], []))
        elif line.startswith("<"):
            exchanges[-1][1].append(line[2:])
    return exchanges


def works(pid: int) -> bool:
    """Whether a thread of a process runs or would, if the machine let it."""
    states = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/stat")]
    return any(state.rpartition(")")[2].split()[0] in "RD" for state in states)


def answers(engine: EngineUnderTest, expected: int, quiet: float) -> Iterator[str]:
    """As many lines as expected, and then those of a quiet while that should not come."""
    while True:
        try:
            line = engine.lines.get(timeout=_DUE if expected > 0 else quiet)
        except queue.Empty:
            return
        if line is None:
            return
        if line.startswith(_LOADING):
            continue
        expected -= 1
        yield normal(line)


def all_answers(engine: EngineUnderTest) -> Iterator[str]:
    """Lines sent before the engine waits for input."""
    since = time.monotonic()
    while time.monotonic() - since < _QUIET:
        for line in answers(engine, 0, 0.01):
            since = time.monotonic()
            yield line
        if works(engine.process.pid):
            since = time.monotonic()


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_conversation(path: Path) -> None:
    engine = EngineUnderTest()
    try:
        for output, expected in conversation(path):
            engine.send(output)
            lines = list(answers(engine, len(expected), 0.02))
            assert lines == expected, output
        assert engine.quit() == ""
    finally:
        engine.process.kill()
        engine.process.wait()
        engine.close()


def write() -> None:
    """Hold the conversations again and keep what the engine says."""
    for path in sorted(GOLDEN.glob("*.txt")):
        lines = [line for line in path.read_text().splitlines() if line.startswith("#")]
        engine = EngineUnderTest()
        for output, _expected in conversation(path):
            engine.send(output)
            lines.append(f"> {output}")
            lines += [f"< {line}".rstrip() for line in all_answers(engine)]
        engine.process.kill()
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
