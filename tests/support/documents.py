"""Documents that can be run: the commands in them, how they are run, and what is alike.

A block is fenced, or indented by four blanks after an empty line. Its tag or its first line shows
its kind:

- ``$ command``: a transcript, commands with what they print;
- a program of PROGRAMS, a script or an assignment: commands, a line each;
- ``> words``: a conversation over a protocol; answers begin with ``< ``;
- ``python`` without a file's name: a program;
- ``toml NAME``, ``text NAME``, ``python FOLDER/NAME``: a file for the commands that follow. Blocks
  of the same name are parts of one file. ``python NAME`` is a passage of an existing file.

``...`` stands for any lines, or for anything within a line. ``<!-- not run: why -->`` above a block
leaves it out. Measured numbers may differ, see :func:`alike`.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ryugi_engine.terminal.compiling_line import QUIET
from tests.support.helpers import ROOT

#: Words that begin a command, besides paths of scripts/ and .venv/bin/.
PROGRAMS = (
    "ryugi-engine|python3?|pipx?|printf|export|cd|git|xboard|cutechess(-cli)?|man|apt-get|sudo|dask"
)
COMMAND = re.compile(rf"(scripts/|\.venv/bin/|[A-Z_]+=\S* |({PROGRAMS})( |$))")
_EXCUSE = re.compile(r"<!-- not run: (.+?) -->")
#: Folders without documents of ours.
_PASSED_OVER = {"build", "dist", "matches", "node_modules"}


@dataclass(frozen=True)
class Block:
    """A block of a document."""

    where: str  # document:line
    tag: str
    name: str
    lines: tuple[str, ...]
    excuse: str

    @property
    def kind(self) -> str:
        """transcript, commands, conversation, program, file or other."""
        first = next((line for line in self.lines if line and not line.startswith("#")), "")
        if self.tag in ("", "sh", "console"):
            if first.startswith("$ "):
                return "transcript"
            if first.startswith("> "):
                return "conversation"
            return "commands" if COMMAND.match(first) else "other"
        if self.tag == "python" and not self.name:
            return "program"
        written = self.tag in ("toml", "text") or (self.tag == "python" and "/" in self.name)
        return "file" if written and self.name else "other"


@dataclass(frozen=True)
class Command:
    """A command of a document and the lines that it prints there, if any are shown."""

    where: str
    text: str
    shown: tuple[str, ...]


def documents() -> list[Path]:
    """Every document but the changelog, which tells of commands that are gone."""
    results = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [f for f in folders if f[0] != "." and f not in _PASSED_OVER]
        results += [Path(folder, n) for n in names if n.endswith(".md") and n != "CHANGELOG.md"]
    return sorted(results)


def files(read: Iterable[Block]) -> dict[str, str]:
    """Return the contents of the files that blocks hold, by name; parts of a file are joined."""
    contents: dict[str, str] = {}
    for block in read:
        if block.kind == "file":
            gap = "\n\n" if block.name in contents else ""
            contents[block.name] = (
                contents.get(block.name, "") + gap + "\n".join(block.lines) + "\n"
            )
    return contents


def write_files(folder: Path, contents: Mapping[str, str]) -> None:
    """Write files below ``folder``, and make the folders that they need."""
    for name, text in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def blocks(path: Path) -> Iterator[Block]:
    """The blocks of a document, in order."""
    lines = path.read_text(encoding="utf-8").splitlines()
    at, before, excuse = 0, "", ""
    while at < len(lines):
        line = lines[at]
        start = at + 1
        tag = name = ""
        held: list[str] = []
        if line.startswith("```"):
            tag, _, name = line[3:].strip().partition(" ")
            at += 1
            while not lines[at].startswith("```"):
                held.append(lines[at])
                at += 1
        elif line.startswith("    ") and not before:
            while at < len(lines) and (lines[at].startswith("    ") or not lines[at]):
                held.append(lines[at][4:])
                at += 1
            while not held[-1]:
                held.pop()
                at -= 1
            at -= 1
        if held:
            where = f"{path.relative_to(ROOT)}:{start}"
            yield Block(where, tag, name, tuple(held), excuse)
        if lines[at]:
            marker = _EXCUSE.fullmatch(lines[at])
            excuse = marker[1] if marker else ""
        before = lines[at]
        at += 1


def commands(block: Block) -> list[Command]:
    """The commands of a transcript, or of a block of commands."""
    document, _, first = block.where.rpartition(":")
    results: list[Command] = []
    lines = list(enumerate(block.lines, int(first) + bool(block.tag or block.kind == "transcript")))
    transcript = block.kind == "transcript"
    while lines:
        number, line = lines.pop(0)
        if transcript and not line.startswith("$ "):
            last = results[-1]
            results[-1] = Command(last.where, last.text, (*last.shown, line))
            continue
        text = line[2:] if transcript else line
        while text.endswith("\\"):
            text = text[:-1] + lines.pop(0)[1].lstrip()
        if text and not text.startswith("#"):
            results.append(Command(f"{document}:{number}", text, ()))
    return results


# ---- what is alike -----------------------------------------------------------------------------

#: Anything within a line; a table of XBoard's has longer rows of dots.
_DOTS = re.compile(r"(?<!\.)\.{3}(?!\.)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
#: A number with these before or after it is measured: it depends on the machine and the moment.
_MEASURED_BEFORE = re.compile(
    r"(time|time \(ms\)|nodes/second|nps|hashfull|seconds\"?)\s*:?\s*$", re.IGNORECASE
)
_MEASURED_BEHIND = re.compile(r"\s*(s|ms|MB|KB|seconds|nodes/second)\b")
#: A number after these is never another one.
_CERTAIN = re.compile(r"(ryugi-engine|illegal move|time forfeit|crash|stall|false claim) $")
#: Moves and results, which differ from one timed search to the next.
_MOVE = re.compile(
    r"\b([a-k]\d{1,2}[a-k]\d{1,2}[a-z]?|[A-Z]\d?@[a-z]{1,2}\d{1,2}\+?(x\w+)?|1-0|0-1|1/2-1/2)(?!\w)"
)
_SCORE = re.compile(r"(score (cp|mate) -?|[+-]M?)(?=#)")


def _numbers(line: str) -> list[tuple[str, str]]:
    """(number, certain, exact or free) of each number of a line."""
    results = []
    for match in _NUMBER.finditer(line):
        before, behind = line[: match.start()], line[match.end() :]
        kind = "exact"
        if _CERTAIN.search(before):
            kind = "certain"
        elif _MEASURED_BEFORE.search(before) or _MEASURED_BEHIND.match(behind):
            kind = "free"
        results.append((match[0], kind))
    return results


def _plain(line: str, timed: bool) -> str:
    """A line without what a timed search may say otherwise, numbers excepted."""
    if timed:
        line = _MOVE.sub("MOVE", line)
        line = re.sub(r"\bpv MOVE.*|\b(ponder MOVE)", "", line)
        line = re.sub(r"(?<=MOVE )\([^()]*\)(?=,)", "(END)", line)  # how a game has ended
        line = re.sub(r"(?<=Elo: )(?:-(?!\d)|\S+ \+/- \S+?)(?=,|$)", "1.0 +/- 1.0", line)
        line = re.sub(r"\b(White|Black)\b", "SIDE", line)
    return line


def _skeleton(line: str, timed: bool) -> str:
    """A plain line without its numbers, and without its blanks' widths."""
    line = _NUMBER.sub("#", line)
    if timed:
        line = re.sub(r"[+-](?=#)", "", _SCORE.sub("SCORE", line))
    return " ".join(line.split())


def alike(shown: str, printed: str, timed: bool = False) -> bool:
    """Whether a line is what a document shows, but for what is measured.

    ``timed``: it comes of a search in time, so that moves and scores may be others too.
    """
    shown, printed = _plain(shown, timed), _plain(printed, timed)
    parts = _DOTS.split(shown)
    if len(parts) > 1:  # what stands between the dots is in the line as it is, but for numbers
        parts = [_skeleton(part, timed) for part in parts]
        pattern = ".*".join(re.escape(part) for part in parts)
        return re.fullmatch(pattern, _skeleton(printed, timed)) is not None
    if _skeleton(shown, timed) != _skeleton(printed, timed):
        return False
    for (ours, kind), (theirs, _) in zip(_numbers(shown), _numbers(printed), strict=False):
        if ours == theirs or kind == "free" or (timed and kind != "certain"):
            continue
        return False
    return True


def difference(shown: tuple[str, ...], printed: list[str], timed: bool) -> str:
    """The first line that a document shows and that was not printed in its place; or nothing.

    Empty lines do not count.
    """
    printed = [line for line in printed if line.strip()]
    at, skipping = 0, False
    for line in filter(str.strip, shown):
        if line.strip() == "...":
            skipping = True
            continue
        while skipping and at < len(printed) and not alike(line, printed[at], timed):
            at += 1
        if at >= len(printed) or not alike(line, printed[at], timed):
            got = printed[at] if at < len(printed) else "the end"
            return f"shown is    {line!r}\n  printed is  {got!r}"
        at, skipping = at + 1, False
    if not skipping and at < len(printed):
        return f"more is printed than shown: {printed[at]!r}"
    return ""


# ---- where they are run ------------------------------------------------------------------------


def lay_out(home: Path) -> Path:
    """A folder like the checkout in which commands may write; its environment is the tests' own."""
    folder = home / "ryugi-engine"
    folder.mkdir(parents=True)
    for path in ROOT.iterdir():
        if path.name not in {*_PASSED_OVER, "scripts", "tests"} and path.name[0] != ".":
            (folder / path.name).symlink_to(path)
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    # what it would make is there, and must not be installed into from here
    (folder / "scripts" / "prepare").write_text("#!/bin/sh\n")
    for games in ("games", "by_hand"):
        shutil.copytree(ROOT / "tests/support" / games, folder / "tests/support" / games)
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


def environment(home: Path) -> dict[str, str]:
    """A user's, with the kernels that are compiled already."""
    from ryugi_engine.kernel import cache

    kept = cache.place().folder
    assert kept is not None
    own = {name: text for name, text in os.environ.items() if not name.startswith("RYUGI_")}
    path = f"{home}/ryugi-engine/.venv/bin:{os.environ['PATH']}:/usr/games"
    more = {"HOME": str(home), "PATH": path, "RYUGI_CACHE_DIR": str(kept.parent)}
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "DISPLAY"):
        own.pop(name, None)
    return {**own, **more, "COLUMNS": "100", "TERM": "dumb", QUIET: "1"}
