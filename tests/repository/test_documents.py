"""Every command of every document runs, and prints what the document shows.

A document's commands run in order in a folder of their own, see :mod:`tests.support.documents`.
Long ones run with smaller numbers, by SHORTER. ``<!-- not run: why -->`` above a block marks what
cannot run here.
"""

from __future__ import annotations

import argparse
import queue
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ryugi_engine.commands import command_line
from tests.support.documents import (
    COMMAND,
    Block,
    Command,
    alike,
    blocks,
    commands,
    difference,
    documents,
    environment,
    files,
    lay_out,
    write_files,
)
from tests.support.helpers import ROOT, EngineUnderTest, completed

DOCUMENTS = documents()
BLOCKS = {path: list(blocks(path)) for path in DOCUMENTS}
RUN = ("transcript", "commands", "program", "conversation")
#: Documents with something to run.
LIVELY = [path for path in DOCUMENTS if any(b.kind in RUN and not b.excuse for b in BLOCKS[path])]

#: (what, what instead): a match of hours is one of seconds here. Each has to be needed.
SHORTER = [
    (r"^scripts/play +#.*", "true"),  # its transcript is the next block
    (r"^scripts/play$", "scripts/play --tc st=0.05 --max-plies 12 --time-margin 60000"),
    (r"^scripts/test.*", "echo this is it"),
    (r"^scripts/prepare dev$", "scripts/prepare"),
    # the environment stays as it is; tests/repository/test_wheel.py installs
    (r"^pip install '\.\[(\w+)\]'", r"grep '^\1 = ' pyproject.toml"),
    (r"^scripts/engine train .*--hours \d+", "true"),  # as in TRAINING.md
    (r"--hours [\d.]+", "--hours 0.002 --threads 1"),
    (r"--positions \d+", "--positions 4000 --nodes 30"),
    (r" train net", " train net --epochs 1"),
    (r"( train compare .*)--games \d+", r"\1--games 2 --nodes 50"),
    (r"--games \d\d+", "--games 2"),
    (r"--openings 20", "--openings 2 --depth 2 --balance 1000"),
    (r"tcp://scheduler:8786", "local:1"),
    (r"local:\d", "local:1"),
    (r"(?<= )(tc=|--tc )(?!st=0)\S+", r"\1st=0.05"),
]
#: Programs that not every machine has, and what plays their part.
PEERS = {"stockfish": "scripts/engine", "fairy-stockfish": "scripts/engine"}
PEERS["other-engine"] = "scripts/engine"
#: Commands of a timed search: moves, scores and counts are others each time.
TIMED = re.compile(r"\b(match|play|doctor|train|analyse(?!.* --(depth|nodes)))\b")
#: What a document takes for granted, by the names that it uses.
GIVEN = {"my.toml": "README.md", "mygame.toml": "README.md"}
#: GUIs' programs, which open windows or are not everywhere; tests/xboard/test_gui.py has XBoard.
GUIS = ("xboard", "cutechess", "cutechess-cli")
#: Programs that change the machine.
KEPT_OUT = ("pipx", "apt-get", "sudo", "git")
#: What a GUI says that makes the engine search.
_SEARCHES = re.compile(r"> (go (?!perft)|usermove )")
_REFUSED = "ryugi-engine: "


def prepared(text: str) -> str:
    """A command as it is run here."""
    for pattern, instead in SHORTER:
        text = re.sub(pattern, instead, text)
    for name, instead in PEERS.items():
        # an installed Fairy-Stockfish need not know large boards
        path = environment(Path("/nowhere"))["PATH"]
        if name == "fairy-stockfish" or shutil.which(name, path=path) is None:
            text = re.sub(rf"(?<![\w-]){name}(?![\w-])", instead, text)
    if re.search(r"\bmatch\b.* --engine", text):
        text += " --max-plies 12 --time-margin 60000"
        if not re.search(r"\btc=|--tc |--resume", text):
            text += " --tc st=0.05"
    return text


def _idle(lines: list[str]) -> list[str]:
    """What ``doctor`` would print on an idle machine."""
    lines = [
        re.sub(r", [\d.]+ s of them its own: the machine is busy$", "", line) for line in lines
    ]
    return [line for line in lines if not line.strip().startswith("GUIs give up after 10 s: try")]


class Reader:
    """Somebody who does what a document says."""

    def __init__(self, home: Path) -> None:
        self.folder = lay_out(home)
        self.environment = environment(home)
        cache = self.environment["RYUGI_CACHE_DIR"]
        self._names = {str(home): "/home/you", cache: "/home/you/.cache/ryugi-engine"}
        self._exports = ""
        for name, document in GIVEN.items():
            (text,) = files(BLOCKS[ROOT / document]).values()
            write_files(self.folder, {name: text})
        self._read: list[Block] = []
        self.wrong: list[str] = []
        self._done: set[str] = set()

    def _run(self, text: str, said: str = "") -> tuple[int, str, str]:
        """Exit status, standard output and standard error."""
        done = completed(
            ["sh", "-c", f"{self._exports}{text}"],
            cwd=self.folder,
            env=self.environment,
            input=said,
        )
        lines = [done.stdout, done.stderr]
        for path, name in self._names.items():
            lines = [text.replace(path, name) for text in lines]
        return done.returncode, lines[0], lines[1]

    def read(self, block: Block) -> None:
        """Do what a block says; what goes wrong is kept in ``wrong``."""
        if block.kind == "file":
            self._read.append(block)
            write_files(self.folder, files(b for b in self._read if b.name == block.name))
        elif block.excuse:
            return
        elif block.kind == "program":
            code, printed, errors = self._run("python -", "\n".join(block.lines) + "\n")
            if code:
                self.wrong.append(f"{block.where}: exit status {code}\n{printed}{errors}")
        elif block.kind == "conversation":
            self._talk(block)
        elif block.kind in ("transcript", "commands"):
            for command in commands(block):
                self._obey(command)

    def _obey(self, command: Command) -> None:
        text = prepared(command.text)
        if text.split()[0] in GUIS:
            return
        assert text.split()[0] not in KEPT_OUT, f"{command.where}: <!-- not run: why -->"
        if text.startswith("export "):
            self._exports += text + "\n"
            return
        shown = command.shown
        if text in self._done and not shown:
            return  # two that differ in the document alone
        self._done.add(text)
        code, printed, errors = self._run(text)
        wanted = 2 if shown and shown[-1].startswith(_REFUSED) else 0
        complaint = f"exit status {code}" if code != wanted else ""
        if not complaint and shown:
            lines = (printed + errors * bool(wanted)).splitlines()
            complaint = difference(shown, _idle(lines), bool(TIMED.search(text)))
        if complaint:
            message = f"{command.where}: {text}\n  {complaint}"
            self.wrong.append(f"{message}\n{printed}{errors}")

    def _talk(self, block: Block) -> None:
        """Hold a conversation; between two answers there may be others."""
        engine = EngineUnderTest(env=self.environment)
        if block.lines[0] not in ("> uci", "> xboard"):
            engine.ready()
        timed = False
        try:
            for line in block.lines:
                if line.startswith("> "):
                    timed = bool(_SEARCHES.match(line))
                    engine.send(line[2:])
                elif not self._hears(engine, line[2:], timed):
                    self.wrong.append(f"{block.where}: not heard: {line}\n{engine.log[-20:]}")
                    break
            engine.quit()
        finally:
            engine.process.kill()

    def _hears(self, engine: EngineUnderTest, wanted: str, timed: bool) -> bool:
        """Whether the engine says something like that within a while."""
        while True:
            try:
                line = engine.lines.get(timeout=300.0)
            except queue.Empty:
                return False
            if line is None:
                return False
            engine.log.append(line)
            if alike(wanted, line, timed):
                return True


@pytest.mark.slow
@pytest.mark.parametrize("path", LIVELY, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_document_says_is_so(path: Path, tmp_path: Path) -> None:
    reader = Reader(tmp_path / "you")
    for block in BLOCKS[path]:
        reader.read(block)
    assert not reader.wrong, "\n\n".join(reader.wrong)


def test_the_documents_are_read_whole() -> None:
    """No command hides in a block that is not run, and none is left out without a reason."""
    assert len(LIVELY) >= 10
    assert sum(len(commands(b)) for path in LIVELY for b in BLOCKS[path] if b.kind in RUN[:2]) > 60
    excused = [block for path in DOCUMENTS for block in BLOCKS[path] if block.excuse]
    assert len(excused) <= 12, [block.where for block in excused]
    for path in DOCUMENTS:
        marked = re.findall(r"^<!-- not run: .+ -->$", path.read_text(), re.MULTILINE)
        assert len(marked) == sum(bool(b.excuse) for b in BLOCKS[path]), path
        for block in BLOCKS[path]:
            if block.kind == "other":
                hidden = [line for line in block.lines if COMMAND.match(line.removeprefix("$ "))]
                assert not hidden, f"{block.where}: {hidden}"


def test_whatever_is_made_shorter_is_there() -> None:
    texts = [c.text for path in LIVELY for b in BLOCKS[path] if b.kind in RUN for c in commands(b)]
    for pattern, _ in SHORTER:
        assert any(re.search(pattern, text) for text in texts), pattern
    for name in PEERS:
        assert any(name in text for text in texts), name


#: Commands in the midst of a text, and options.
_INLINE = re.compile(r"`(?:scripts/engine|ryugi-engine)((?: [^`]*)?)`", re.DOTALL)
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
#: Options of other programs: pytest's, Dask's, ruff's, and those of scripts/.
_OTHERS = {"--fix", "--nthreads", "--nworkers", "--balance", "--dry-run", "--last"}
_OTHERS |= {"--further", "--near", "--seconds", "--short"}


def prose(path: Path) -> str:
    """A document without its blocks, which are run."""
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"(?<=\n\n)    .*(\n+    .*)*", "", text)


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and those of its commands and actions."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from parsers(inner)


def options(parser: argparse.ArgumentParser) -> set[str]:
    return {word for action in parser._actions for word in action.option_strings}


def test_commands_in_the_text_have_such_options() -> None:
    every = {parser.prog: options(parser) for parser in parsers(command_line.parser())}
    known = set().union(*every.values()) | _OTHERS
    seen = 0
    for path in DOCUMENTS:
        if path.name == "CONTRIBUTING.md":
            continue  # which speaks of other programs
        text = prose(path)
        for option in _OPTION.findall(text):
            assert option in known, f"{path}: {option}"
        for words in _INLINE.findall(text):
            output = words.split()
            program = "ryugi-engine"
            while output and f"{program} {output[0]}" in every:
                program += " " + output.pop(0)
            seen += 1
            for option in _OPTION.findall(" ".join(output)):
                assert option in every[program], f"{path}: {words}"
            first = output[0] if output else "-"
            assert program != "ryugi-engine" or first == "COMMAND" or first[0] == "-", words
    assert seen > 15


def test_every_option_is_described() -> None:
    """``--help`` says of every word what it is, and of a choice what it chooses."""
    seen = 0
    for parser in parsers(command_line.parser()):
        assert parser.description or parser.prog.endswith("-engine"), parser.prog
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for choice in action._choices_actions:
                    assert len((choice.help or "").split()) >= 2, f"{parser.prog} {choice.dest}"
                continue
            seen += 1
            words = (action.help or "").split()
            named = f"{parser.prog} {action.option_strings or action.dest}"
            assert len(words) >= 2, named
            number = isinstance(action.default, int | float) and action.nargs != 0
            assert not number or "default" in words or "(default:" in words, named
    assert seen > 150


def test_links_lead_somewhere() -> None:
    seen = 0
    for path in DOCUMENTS:
        text = prose(path)
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            assert target.exists(), f"{path}: {link}"
            if anchor:
                heads = re.findall(r"^#+ (.*)", target.read_text(), re.MULTILINE)
                anchors = {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}
                assert anchor in anchors, f"{path}: {link}"
            seen += 1
    assert seen > 30


def test_numbers_and_names_in_the_text_are_those_of_the_code() -> None:
    from ryugi_engine.search import time_management

    protocol, contributing = (prose(ROOT / n) for n in ("uci/PROTOCOL.md", "CONTRIBUTING.md"))
    (processes,) = re.findall(r"pytest\" -n (\d+)", (ROOT / "scripts/test").read_text())
    named = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"]
    assert f"{named[time_management._RESERVE]} times as much is kept" in protocol.lower()
    assert f"{named[int(processes)]} processes share the tests" in contributing.lower()


def test_the_first_page_says_what_a_wheel_has() -> None:
    """Kernels of their own for some games, which are named by their titles, and no other game."""
    from ryugi_engine.commands import warmup
    from ryugi_engine.games.registry import catalogue, registry

    page = " ".join(prose(ROOT / "README.md").split())
    (text,) = re.findall(r"`pip install` on Linux.*? kernels of their own there", page)
    own = [registry().game(name) for name in catalogue()]
    named = {g.name for g in own if g.family.startswith("general") and g.title in text}
    assert named == {*warmup._POPULAR}


def test_a_document_that_is_wrong_is_found_out(tmp_path: Path) -> None:
    """Of commands, of what they print, of answers, and of ends."""
    reader = Reader(tmp_path / "you")

    def wrong(tag: str, *lines: str) -> str:
        reader.wrong.clear()
        reader.read(Block("PAGE.md:1", tag, "", lines, ""))
        return "\n".join(reader.wrong)

    assert "exit status 2" in wrong("", "ryugi-engine games --nothing")
    assert wrong("", "$ ryugi-engine games", "Ryugi and its kin", "...") == ""
    assert "is printed than shown" in wrong("", "$ ryugi-engine games", "Ryugi and its kin")
    assert "shown is" in wrong("", "$ ryugi-engine games", "...", "capablanca: Chess, 10x8", "...")
    assert "exit status 1" in wrong("python", "raise SystemExit(1)")
