"""Golden conversations in both protocols, word for word but for times.

``python -m tests.test_transcripts`` writes the answers anew (after a ``warmup``); a change of them
has to be meant.
"""

from __future__ import annotations

import queue
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ryugi_engine import __version__
from tests.helpers import EngineUnderTest

GOLDEN = Path(__file__).resolve().parent / "golden"
#: Seconds without a line after which nothing more is to be expected.
_QUIET = 3.0
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


def answers(engine: EngineUnderTest, expected: int, quiet: float) -> Iterator[str]:
    """As many lines as expected, and then those of a quiet while that should not come."""
    while True:
        try:
            line = engine.lines.get(timeout=60.0 if expected > 0 else quiet)
        except queue.Empty:
            return
        if line is None:
            return
        compiling = ("#", "info string compiling", "info string kernels", "telluser ryugi-engine: ")
        if line.startswith(compiling):
            continue  # only with an empty cache
        expected -= 1
        yield normal(line)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_conversation(path: Path) -> None:
    engine = EngineUnderTest()
    try:
        for said, expected in conversation(path):
            engine.send(said)
            heard = list(answers(engine, len(expected), 0.02))
            assert heard == expected, said
        assert engine.quit() == ""
    finally:
        engine.process.kill()
        engine.process.wait()
        engine.close()


def test_there_are_conversations() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} >= {"uci", "xboard"}


def write() -> None:
    """Hold the conversations again and keep what the engine says."""
    for path in sorted(GOLDEN.glob("*.txt")):
        head = [line for line in path.read_text().splitlines() if line.startswith("#")]
        engine = EngineUnderTest()
        lines = list(head)
        for number, (said, _expected) in enumerate(conversation(path)):
            engine.send(said)
            lines.append(f"> {said}")
            patience = 4.0 if number == 0 else _QUIET
            lines += [f"< {line}".rstrip() for line in answers(engine, 0, patience)]
        engine.process.kill()
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
