"""Faulty command lines: each prints the line that ``faults.txt`` shows, and nothing else."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from ryugi_engine.commands.cli import main

_LINES = Path(__file__).with_name("faults.txt").read_text(encoding="utf-8").splitlines()[1:]
FAULTS = list(zip(_LINES[::2], _LINES[1::2], strict=True))


@pytest.mark.parametrize(("words", "shown"), FAULTS, ids=[words[15:] for words, _ in FAULTS])
def test_a_fault_is_one_line(
    words: str,
    shown: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    dollar, program, *arguments = shlex.split(words)
    assert (dollar, program) == ("$", "ryugi-engine")
    try:
        code: object = main(arguments)
    except SystemExit as leaving:  # of the parser
        code = leaving.code
    output, errors = capsys.readouterr()
    assert (code, output) == (2, "")
    line = ".*".join(map(re.escape, shown.split("...")))
    assert re.fullmatch(line + "\n", errors), errors
    assert list(tmp_path.iterdir()) == []
