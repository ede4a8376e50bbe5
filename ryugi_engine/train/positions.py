"""Files of recorded positions: a header of a line, then records of one width, to be added to.

Readers map a file into memory: ``records(path)`` is numpy's array of it, whatever its size, with
the fields of :data:`ryugi_engine.games.training.RECORD` and ``pieces``. What an interrupted write
has left of a last record is cut off when the file is opened to be added to.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.errors import UserError
from ryugi_engine.files import fault, hold, naming, opened, opened_to_append
from ryugi_engine.games.training import RECORD, Training
from ryugi_engine.output import NEW, POSITIONS

#: What the first line says, and how many bytes it takes with its blanks.
FORMAT = "ryugi-engine positions 1"
HEADER = 1024
_ANY = 1 << 62
#: Bytes that are copied at once.
_CHUNK = 64 << 20

Records = NDArray[Any]


def dtype(squares: int) -> np.dtype[Any]:
    """Return numpy's type of a record on a board of so many squares."""
    head = RECORD.dtype
    names = list(head.names or ())
    fields = [(head[name], int(head.fields[name][1])) for name in names]
    return np.dtype(
        {
            "names": [*names, "pieces"],
            "formats": [*(kind for kind, _ in fields), (np.uint8, (squares,))],
            "offsets": [*(offset for _, offset in fields), RECORD.bytes],
            "itemsize": RECORD.bytes + -(-squares // 8) * 8,
        }
    )


def facts_of(name: str, training: Training) -> dict[str, Any]:
    """Return the game's part of a file's header."""
    return {
        "game": name,
        "files": training.files,
        "ranks": training.ranks,
        "letters": training.letters,
    }


def read_facts(path: Path) -> dict[str, Any]:
    """Return a file's header; UserError if it has none."""
    try:
        with opened(path, _ANY) as handle:
            line = handle.read(HEADER)
    except OSError as error:
        raise UserError(fault(path, error)) from None
    try:
        facts = json.loads(line.decode("ascii")) if len(line) == HEADER else None
        if isinstance(facts, dict) and facts.get("format") == FORMAT:
            if 1 <= int(facts["files"]) * int(facts["ranks"]) <= 1024:
                return facts
    except (ValueError, KeyError, TypeError):
        pass
    raise UserError(f"{path}: this is no file of positions")


def records(path: Path) -> Records:
    """Map all whole records of a file into memory, read-only; UserError if it is no such file."""
    facts = read_facts(path)
    kind = dtype(facts["files"] * facts["ranks"])
    count = (path.stat().st_size - HEADER) // kind.itemsize
    if count == 0:
        return np.zeros(0, dtype=kind)
    return np.memmap(path, dtype=kind, mode="r", offset=HEADER, shape=(count,))


class Writer:
    """A file that records are added to, by one writer at a time; a context manager."""

    def __init__(self, path: Path, facts: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
        """Open or make it. UserError if it is another game's or was made with other settings."""
        self.path = path
        self.itemsize = dtype(facts["files"] * facts["ranks"]).itemsize
        with naming(path):
            self._descriptor = opened_to_append(path, POSITIONS)
        try:
            self._open({"format": FORMAT, **facts, **settings})
        except BaseException:
            os.close(self._descriptor)
            raise

    def _open(self, wanted: Mapping[str, Any]) -> None:
        try:
            hold(self._descriptor, self.path, "another process is adding to it")
            if os.fstat(self._descriptor).st_size < HEADER:  # new, or ended while it was being made
                self._begin(wanted)
        except OSError as error:
            raise UserError(fault(self.path, error)) from None
        self.facts = read_facts(self.path)
        for name, value in wanted.items():
            if self.facts.get(name) != value:
                given = f"its {name} is {self.facts.get(name)}, not {value}: name another file"
                raise UserError(f"{self.path}: {given}")
        size = os.fstat(self._descriptor).st_size
        self.count = (size - HEADER) // self.itemsize
        os.ftruncate(self._descriptor, HEADER + self.count * self.itemsize)

    def _begin(self, facts: Mapping[str, Any]) -> None:
        held = os.pread(self._descriptor, HEADER, 0)
        line = json.dumps(facts).encode("ascii")
        if len(line) >= HEADER:
            raise UserError(f"{self.path}: the header takes more than {HEADER} bytes")
        whole = line.ljust(HEADER - 1) + b"\n"
        if held and not whole.startswith(held):
            raise UserError(f"{self.path}: this is no file of positions")
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, whole)

    def add(self, block: bytes | memoryview) -> None:
        """Add whole records. Raises UserError if that fails; the file is then as before."""
        if len(block) % self.itemsize:
            raise ValueError(f"no whole records of {self.itemsize} bytes: {len(block)}")
        end = HEADER + self.count * self.itemsize
        rest = memoryview(block)
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except BaseException as error:
            os.ftruncate(self._descriptor, end)
            if isinstance(error, OSError):
                raise UserError(fault(self.path, error)) from None
            raise
        self.count += len(block) // self.itemsize

    def close(self) -> None:
        """See everything through to the disk."""
        os.fsync(self._descriptor)
        os.close(self._descriptor)

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def last_game(path: Path) -> int:
    """Return the highest game number in a file, -1 if it is empty."""
    held = records(path)
    step = max(1, _CHUNK // held.dtype.itemsize)
    parts = (int(held["game"][i : i + step].max()) for i in range(0, len(held), step))
    return max(parts, default=-1)


def shuffle(paths: list[Path], out: Path, seed: int) -> int:
    """Write the records of files of one game to a new file in a random order; how many."""
    held = [records(path) for path in paths]
    facts = {**read_facts(paths[0]), "shuffled": seed}
    for path in paths[1:]:
        other = read_facts(path)
        for name in ("game", "files", "ranks", "letters"):
            if other[name] != facts[name]:
                raise UserError(f"{path}: its {name} is {other[name]}, not {facts[name]}")
    with naming(out):
        NEW.resume(out)
    starts = np.cumsum([0, *(len(part) for part in held)])
    order = np.random.default_rng(seed).permutation(int(starts[-1]))
    with Writer(out, facts, {}) as writer:
        step = max(1, _CHUNK // writer.itemsize)
        for first in range(0, len(order), step):
            wanted = order[first : first + step]
            block = np.zeros(len(wanted), dtype=held[0].dtype)
            for number, part in enumerate(held):
                mine = (wanted >= starts[number]) & (wanted < starts[number + 1])
                block[mine] = part[wanted[mine] - starts[number]]
            writer.add(block.tobytes())
    return len(order)
