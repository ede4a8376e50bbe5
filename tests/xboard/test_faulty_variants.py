"""A faulty file of definitions, told where a GUI's user sees it."""

from __future__ import annotations

import argparse
import subprocess
import time
from pathlib import Path

import pytest

from ryugi_engine.commands import command_line
from ryugi_engine.games.definitions import DefinitionError, read_text
from tests.support.gui import engine_command, needs_xboard, xboard
from tests.support.helpers import ROOT, EngineUnderTest, command, patient

FAULTY = "[mine]\nfiles = 99\nranks = 8\n"
TOLD = ":2: mine.files: 99 is not in 1..16"


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    path = tmp_path / "faulty.toml"
    path.write_text(FAULTY)
    return path


@pytest.mark.parametrize("words", [("xboard",), ()])
def test_xboard_is_told_once_it_has_asked(words: tuple[str, ...], faulty: Path) -> None:
    engine = EngineUnderTest(*words, "--variants", str(faulty))
    engine.send("xboard", "protover 2")
    engine.wait("feature done=0")  # else XBoard would say that the pipe is broken
    assert engine.wait("tellusererror") == f"tellusererror ryugi-engine: {faulty}{TOLD}"
    assert engine.process.wait(patient(20)) == 2
    assert engine.errors() == f"ryugi-engine: {faulty}{TOLD}\n"
    engine.close()


def test_xboard_is_told_without_the_words_that_it_acts_on(tmp_path: Path) -> None:
    for words in (("--variants", str(tmp_path / "draw.toml")), ("--variant", "offer")):
        done = command("xboard", *words, input="xboard\nprotover 2\n")
        assert done.returncode == 2
        assert done.stdout.count("tellusererror ryugi-engine: ") == 1
        output = (done.stdout + done.stderr).lower()
        assert not any(word in output for word in ("draw", "offer", "no such file"))


@pytest.mark.parametrize("words", [("uci",), ()])
def test_uci_is_told(words: tuple[str, ...], faulty: Path) -> None:
    done = command(*words, "--variants", str(faulty), input="uci\nisready\n")
    assert (done.returncode, done.stdout) == (2, f"info string error: {faulty}{TOLD}\n")
    assert done.stderr == f"ryugi-engine: {faulty}{TOLD}\n"


@pytest.mark.parametrize("words", [("uci",), ("xboard",), ()])
def test_an_end_of_input_is_no_reason_to_wait(words: tuple[str, ...], faulty: Path) -> None:
    done = command(*words, "--variants", str(faulty), stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert done.stderr == f"ryugi-engine: {faulty}{TOLD}\n"
    assert "tellusererror" not in done.stdout


def test_every_action_takes_variants() -> None:
    """Behind the action as before it, whichever command has actions."""
    commands = _choices(command_line.parser())
    with_actions = {name: _choices(parser) for name, parser in commands.items()}
    assert {name for name, actions in with_actions.items() if actions} >= {"record", "train"}
    for name, actions in with_actions.items():
        for action, parser in actions.items():
            assert "--variants" in parser.format_help(), (name, action)


def _choices(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    results = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    return dict(results[0].choices) if results else {}


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("N = NF", '"NF"'),
        ("promotion = Q # queen", '"Q"'),
        ("K = [e1 g1 h1 f1]", '"e1"'),
        ("N = true false", ""),
        ("files = ", ""),
        ('K = "e1', ""),
        ("files = 8 8", ""),
        ("# K = x\n]", ""),
    ],
)
def test_quotes_that_are_missing_are_named(line: str, hint: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        read_text(f"[mine]\n{line}\n", "mine.toml")
    assert caught.value.reason.partition("; a text stands in quotes: ")[2] == hint


def test_the_first_start_says_that_it_makes_an_environment(tmp_path: Path) -> None:
    """Before it is made; a GUI, which reads both streams as one, is not told."""
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "engine").write_text((ROOT / "scripts" / "engine").read_text())
    (scripts / "engine").chmod(0o755)
    (scripts / "prepare").write_text("#!/bin/sh\necho making\nexit 1\n")
    (scripts / "prepare").chmod(0o755)
    for words, output in ((["warmup"], True), (["record", "x"], True), ([], False)):
        done = subprocess.run(
            [str(scripts / "engine"), *words], capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 1
        assert done.stderr.startswith(f"scripts/engine: making {tmp_path}/.venv") is output
        assert output or not done.stderr
        assert done.stdout.startswith("feature done=0") is (not words)


@needs_xboard
def test_xboard_shows_a_window(faulty: Path) -> None:
    with xboard(faulty.parent, "-fcp", _engine(faulty), "-variant", "mine") as window:
        window.wait("first : tellusererror")
        # a second window of XBoard's on the screen
        end = time.monotonic() + patient(30)
        while len(window.windows()) < 2:
            assert time.monotonic() < end
            time.sleep(0.1)
        assert "roken pipe" not in window.log


def _engine(faulty: Path) -> str:
    folder = faulty.parent / "program"
    folder.mkdir()
    return engine_command(folder, "xboard", "--variants", str(faulty))
