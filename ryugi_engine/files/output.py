"""Protection of existing files: one rule for every output file of every command.

An output is never a file that the command reads, or another of its outputs, by any name or link. An
existing file is replaced or appended to only if its content is of the output's kind, and if it is
not read-only. ``--force`` lifts both conditions. Folders are not made.

The rule is applied twice: before a command begins, for all options of :func:`output_option`, and in
the functions of :mod:`ryugi_engine.files.writing`. Each of these takes a :class:`Kind`.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import itertools
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.files.reading import naming, opened
from ryugi_engine.files.writing import same, target_of

#: Bytes at the beginning of a file that show its kind; a size that no file reaches.
_HEAD, _ANY_SIZE = 1 << 14, 1 << 62


class FileName(str):
    """Type of a text argument that may name a file to read, alone or as ``key=FILE``."""


@dataclass(frozen=True)
class _Command:
    """The running command: the files that it reads, and its ``--force``, None if it has none."""

    reads: tuple[tuple[str, Path], ...] = ()
    force: bool | None = None


class _Running:
    """What this process is doing: one command at a time."""

    command = _Command()


@dataclass(frozen=True)
class Kind:
    """A kind of output file."""

    #: With its article, for messages.
    name: str
    #: Pattern of the beginning of a file of this kind.
    begins: re.Pattern[bytes]
    #: Of an output that is a folder: the file in it that is of this kind.
    inside: str = ""

    def check(self, path: Path) -> bool:
        """Return whether ``path`` is a file of this kind, to be replaced or resumed.

        False if it is missing or empty, or if ``--force`` overwrites it. OSError if it must not be
        written.
        """
        if self.inside and os.path.lexists(path):
            if not path.is_dir():
                raise OSError(errno.ENOTDIR, "is not a folder", str(path))
            path = path / self.inside
        target = target_of(path)
        if not target.parent.is_dir():
            missing = target.parent if path.parent.is_dir() else path.parent
            raise OSError(errno.ENOENT, f"there is no folder {missing}", str(path))
        for option, read in _Running.command.reads:
            if same(target, read):
                message = (
                    f"is the same file as {option}, which this command reads: choose another name"
                )
                raise OSError(errno.EEXIST, message, str(path))
        try:
            with opened(target, _ANY_SIZE) as handle:
                head = handle.read(_HEAD)
        except FileNotFoundError:
            return False
        own = self.begins.match(head) is not None
        if not _Running.command.force:
            advice = "choose another name" + ", or use --force" * (_Running.command.force is False)
            if head and not own:
                message = "is there already" + f" and is not {self.name}" * bool(self.name)
                raise OSError(errno.EEXIST, f"{message}: {advice}", str(path))
            if not (os.stat(target).st_mode & 0o222 and os.access(target, os.W_OK)):
                raise OSError(errno.EACCES, f"is read-only: {advice}", str(path))
        return own and bool(head)

    def resume(self, path: Path) -> bool:
        """Do :meth:`check` before appending; a file that ``--force`` overwrites is removed."""
        there = self.check(path)
        if _Running.command.force:
            with contextlib.suppress(FileNotFoundError):
                target = target_of(path)
                if there:
                    os.chmod(target, os.stat(target).st_mode | 0o200)
                else:
                    os.unlink(target)
        return there


#: A file that the command has read, found right and rewrites.
CHANGED = Kind("a file to change", re.compile(b""))
#: An output that never replaces anything.
NEW = Kind("", re.compile(b"(?!)"))
PICTURE = Kind("a picture by ryugi-engine", re.compile(rb"<svg [^>]*>\n<!-- ryugi-engine -->"))
FIGURES = replace(PICTURE, inside="WhiteRook.svg")
PAGE = Kind(
    "a web page by ryugi-engine",
    re.compile(
        rb"(?s)(<!-- \w+ -->\n)?<!DOCTYPE html>"
        rb'.{0,99}<meta name="generator" content="ryugi-engine">'
    ),
)
REPORT = replace(PAGE, inside="index.html")
GAMES = Kind(
    "a PGN file", re.compile(rb'(\xef\xbb\xbf)?(\s|[%;].*\n|\{[^}]*\})*\[\s*\w[^\s"\[\]]*\s*"')
)
ANALYSIS = Kind("the journal of an analysis", re.compile(rb'\{"analysis":'))
JOURNAL = Kind("the journal of a match", re.compile(rb'\{"match":'))
TRANSCRIPT = Kind("a transcript by ryugi-engine", re.compile(rb"# ryugi-engine transcript: "))
POSITIONS = Kind("a file of positions", re.compile(rb'\{"format": "ryugi-engine positions '))
OPENINGS = Kind(
    "a file of openings",
    re.compile(rb"# ([0-9-]+: )?(ryugi-engine positions|scripts/make_positions\.py) "),
)
NET = Kind("a net", re.compile(rb"ryugi-engine net "))
CHECKPOINT = Kind("a checkpoint of a training", re.compile(rb"(?s)PK\x03\x04.{26}facts\.npy"))
ROUNDS = Kind("the journal of a training", re.compile(rb'\{\s*"game": "[^"]*",\s*"rounds": \['))
TRAINING = replace(ROUNDS, inside="journal.json")
LEVELS = Kind("a table of levels", re.compile(rb'\{\s*"levels":'))
STUDY = Kind("games of a study", re.compile(rb'\{"study":'))
FIGURES_OF_STUDY = Kind("figures of a study", re.compile(rb'\{\s*"figures of":'))
LEVEL_GAMES = Kind("games of levels", re.compile(rb'\{"level games":'))
LOG = Kind("a log by ryugi-engine", re.compile(rb"[0-9]+\.[0-9]{3} [<>] "))


# ---- the command line -------------------------------------------------------------------------


class Output(argparse.Action):
    """An option or argument that names an output; without a kind a file to change in place."""

    def __init__(self, *args: Any, kind: Kind | None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.kind = kind

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Keep the path, and that it is an output."""
        setattr(namespace, self.dest, values)
        namespace.outputs = {**getattr(namespace, "outputs", {}), self.dest: self.kind}


def output_option(
    parser: argparse.ArgumentParser, name: str, kind: Kind | None, **options: Any
) -> None:
    """Add an option or argument that names an output, and ``--force`` once."""
    parser.add_argument(name, action=Output, type=Path, kind=kind, **options)
    if parser.get_default("force") is None:
        text = "overwrite a file that is read-only, or not of the kind that is written"
        parser.add_argument("--force", action="store_true", help=text)


def _files_named(value: object) -> Iterator[str]:
    if isinstance(value, list):
        for part in value:
            yield from _files_named(part)
    elif isinstance(value, Path | FileName):
        yield str(value)
        if isinstance(value, FileName):
            yield value.partition("=")[2]


@contextlib.contextmanager
def running(arguments: argparse.Namespace) -> Iterator[None]:
    """Context of a command: check its outputs, now and when they are written.

    Raises UserError for an output that must not be written.
    """
    outputs: dict[str, Kind | None] = getattr(arguments, "outputs", {})
    paths: dict[str, Path] = {name: getattr(arguments, name) for name in outputs}
    for (one, path), (other, path2) in itertools.combinations(paths.items(), 2):
        if same(path, path2) and (outputs[one] or outputs[other]):
            message = f"'{one}' and '{other}' are the same file: choose another name"
            raise UserError(f"{path2}: {message}")
    reads = [
        (name, Path(name).absolute())
        for key, value in vars(arguments).items()
        if key not in outputs
        for name in _files_named(value)
        if name and os.path.lexists(name)
    ]
    _Running.command = _Command(tuple(reads), getattr(arguments, "force", None))
    try:
        for name, kind in outputs.items():
            if kind is not None:
                with naming(paths[name]):
                    kind.check(paths[name])
        yield
    finally:
        _Running.command = _Command()


def forced() -> bool:
    """Return whether ``--force`` was given."""
    return bool(_Running.command.force)
