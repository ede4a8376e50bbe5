"""Files of recorded positions: a header of a line, then records of one width, to be added to.

Readers map a file into memory: ``records(path)`` is numpy's array of it, of any size, with
the fields of :data:`ryugi_engine.games.training.RECORD` and ``cells``. What an interrupted write
has left of a last record is cut off when the file is opened to be added to.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.errors import UserError
from ryugi_engine.files.locks import hold
from ryugi_engine.files.output import POSITIONS
from ryugi_engine.files.reading import fault, naming, opened
from ryugi_engine.files.writing import opened_to_append
from ryugi_engine.games.game import Game
from ryugi_engine.games.training import RECORD, Training
from ryugi_engine.nnue.inputs import Inputs
from ryugi_engine.nnue.net import rules_difference

#: What the first line says: of inputs that letters describe, and of others.
FORMAT, FORMAT_OF_MANY = "ryugi-engine positions 1", "ryugi-engine positions 2"
#: The line takes a multiple of so many bytes with its blanks, and at most so many.
HEADER, _MAX_HEADER = 1024, 1 << 16
_ANY = 1 << 62
#: Bytes that are copied at once.
_CHUNK = 64 << 20

#: Letters of a value that messages show.
_SHOWN = 100

Records = NDArray[Any]


def dtype(cells: int) -> np.dtype[Any]:
    """Return numpy's type of a record of so many cells."""
    head = RECORD.dtype
    names = list(head.names or ())
    fields = [(head[name], int(head.fields[name][1])) for name in names]
    return np.dtype(
        {
            "names": [*names, "cells"],
            "formats": [*(kind for kind, _ in fields), (np.uint8, (cells,))],
            "offsets": [*(offset for _, offset in fields), RECORD.bytes],
            "itemsize": RECORD.bytes + -(-cells // 8) * 8,
        }
    )


def facts_of(game: Game, training: Training) -> dict[str, Any]:
    """Return the game's part of a file's header."""
    inputs = training.inputs
    own = {"game": game.name, **inputs.facts()}
    return own if inputs.is_plain else {**own, "start": game.start, "rules": dict(training.rules)}


class _Head(NamedTuple):
    """A file's header, and how many bytes it takes."""

    facts: dict[str, Any]
    size: int
    inputs: Inputs


def _read_head(path: Path) -> _Head:
    """Return a file's header; UserError if it has none."""
    try:
        with opened(path, _ANY) as handle:
            line = handle.read(_MAX_HEADER)
    except OSError as error:
        raise UserError(fault(path, error)) from None
    size = line.find(b"\n") + 1
    try:
        if size and size % HEADER == 0:
            facts = json.loads(line[:size].decode("ascii"))
            if isinstance(facts, dict) and facts.get("format") in (FORMAT, FORMAT_OF_MANY):
                return _Head(facts, size, Inputs.of_facts(facts))
    except (ValueError, RecursionError):
        pass
    raise UserError(f"{path}: this is no file of positions")


def read_facts(path: Path) -> dict[str, Any]:
    """Return a file's header; UserError if it has none."""
    return _read_head(path).facts


def inputs_of(path: Path) -> Inputs:
    """Return the inputs of a file's records; UserError if it has none."""
    return _read_head(path).inputs


def records(path: Path) -> Records:
    """Map all whole records of a file into memory, read-only; UserError if it is no such file."""
    head = _read_head(path)
    kind = dtype(head.inputs.cells)
    count = (path.stat().st_size - head.size) // kind.itemsize
    if count == 0:
        return np.zeros(0, dtype=kind)
    return np.memmap(path, dtype=kind, mode="r", offset=head.size, shape=(count,))


def torn_bytes(path: Path) -> int:
    """Return how many bytes of a last record an ended writer has left; 0: all are whole."""
    head = _read_head(path)
    return (path.stat().st_size - head.size) % dtype(head.inputs.cells).itemsize


def difference(facts: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """Return in which of the wanted facts others differ, as a phrase; "" if in none."""
    for name, value in wanted.items():
        given = facts.get(name)
        if name == "rules" and isinstance(given, dict) and given != value:
            return f"its rules have {rules_difference(given, value)}"
        if given != value:
            return f"its {name} is {_short(given)}, not {_short(value)}"
    return ""


def _short(value: object) -> str:
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


class Writer:
    """A file that records are added to, by one writer at a time; a context manager."""

    def __init__(self, path: Path, facts: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
        """Open or make it. UserError if it is another game's or was made with other settings."""
        self.path = path
        inputs = Inputs.of_facts(facts)
        self.itemsize = dtype(inputs.cells).itemsize
        with naming(path):
            self._descriptor = opened_to_append(path, POSITIONS)
        try:
            form = FORMAT if inputs.is_plain else FORMAT_OF_MANY
            self._open({"format": form, **facts, **settings})
        except BaseException:
            os.close(self._descriptor)
            raise

    def _open(self, wanted: Mapping[str, Any]) -> None:
        try:
            hold(self._descriptor, self.path, "another process is adding to it")
            self._begin(wanted)
        except OSError as error:
            raise UserError(fault(self.path, error)) from None
        head = _read_head(self.path)
        self.facts, self._first = head.facts, head.size
        differs = difference(self.facts, wanted)
        if differs:
            raise UserError(f"{self.path}: {differs}: name another file")
        size = os.fstat(self._descriptor).st_size
        self.count = (size - self._first) // self.itemsize
        os.ftruncate(self._descriptor, self._first + self.count * self.itemsize)

    def _begin(self, facts: Mapping[str, Any]) -> None:
        """Write the header of a file that is new, or was ended while it was being made."""
        line = json.dumps(facts).encode("ascii")
        whole = line.ljust(-(-(len(line) + 1) // HEADER) * HEADER - 1) + b"\n"
        if len(whole) > _MAX_HEADER:
            raise UserError(f"{self.path}: the header takes more than {_MAX_HEADER} bytes")
        held = os.pread(self._descriptor, len(whole), 0)
        if len(held) < len(whole) and b"\n" not in held:
            if not whole.startswith(held):
                raise UserError(f"{self.path}: this is no file of positions")
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, whole)

    def add(self, block: bytes | memoryview) -> None:
        """Add whole records. Raises UserError if that fails; the file is then as before."""
        if len(block) % self.itemsize:
            raise ValueError(f"no whole records of {self.itemsize} bytes: {len(block)}")
        end = self._first + self.count * self.itemsize
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
        """Flush everything to the disk and close the file."""
        os.fsync(self._descriptor)
        os.close(self._descriptor)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def last_game(path: Path) -> int:
    """Return the highest game number in a file, -1 if it is empty."""
    held = records(path)
    step = max(1, _CHUNK // held.dtype.itemsize)
    parts = (int(held["game"][i : i + step].max()) for i in range(0, len(held), step))
    return max(parts, default=-1)
