"""Proof tables in files: numpy's .npz of int64 arrays with two columns, read in pieces.

Sources: PKWARE's APPNOTE.TXT 6.3.10 for a local file header; numpy's "NPY format". numpy's own
reader is not used, because it trusts a header that announces more than the file holds.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ryugi_engine.errors import UserError
from ryugi_engine.files import opened, replacing
from ryugi_engine.games.game import Prover
from ryugi_engine.kernel.block import Words
from ryugi_engine.output import TABLE

#: signature, version, flags, method, time, date, CRC, packed size, size, lengths of name and extra
_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_SIGNATURE, _DIRECTORY = b"PK\3\4", b"PK\1\2"
_LONG = 0xFFFF_FFFF
_NPY = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '<i8', 'fortran_order': False, 'shape': \(([0-9]{1,12}), 2\), \} *\n"
)
_ROW = 16
#: Rows read at a time.
_ROWS = 1 << 16
#: Maximum bytes of a file besides its rows.
_FRAME = 1 << 16


def _exactly(handle: BinaryIO, count: int) -> bytes:
    parts = []
    while count > 0:
        part = handle.read(count)
        if not part:
            raise UserError("it ends too early")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _pieces(handle: BinaryIO) -> Iterator[tuple[str, Words]]:
    """Yield (array name, rows) of every piece of every array; UserError for the first fault."""
    while (signature := _exactly(handle, 4)) != _DIRECTORY:
        head = signature + _exactly(handle, _LOCAL.size - 4)
        _, _, flags, method, _, _, check, packed, size, name_length, extra = _LOCAL.unpack(head)
        if signature != _SIGNATURE or flags & 0b1001 or method != 0:
            raise UserError("it was not written by this program")
        name = _exactly(handle, name_length).decode("utf-8", errors="replace")
        fields = _exactly(handle, extra)
        if size == packed == _LONG and fields[:4] == struct.pack("<HH", 1, 16):
            if len(fields) < 4 + 16:
                raise UserError("it does not hold what it announces")
            size, packed = struct.unpack_from("<QQ", fields, 4)
        head = _exactly(handle, len(_NPY) + 2)
        header = _exactly(handle, int.from_bytes(head[len(_NPY) :], "little"))
        match = _HEADER.fullmatch(header)
        if not head.startswith(_NPY) or match is None:
            raise UserError("it holds something else")
        rows = int(match.group(1))
        if size != packed or size != len(head) + len(header) + rows * _ROW:
            raise UserError("it does not hold what it announces")
        crc = zlib.crc32(head + header)
        for begin in range(0, max(rows, 1), _ROWS):  # an empty array is a piece, too
            raw = _exactly(handle, min(_ROWS, rows - begin) * _ROW)
            crc = zlib.crc32(raw, crc)
            yield name.removesuffix(".npy"), np.frombuffer(raw, dtype="<i8").reshape(-1, 2)
        if crc != check:
            raise UserError("it is damaged")


def load(prover: Prover, path: Path, megabytes: int) -> None:
    """Load a prover's table from a file.

    OSError if it cannot be read, or is larger than the prover's table of ``megabytes``; UserError
    if it is no table of this game. After a fault the prover's table is empty.
    """
    try:
        with opened(path, (megabytes << 20) + _FRAME) as handle:
            for name, rows in _pieces(handle):
                prover.restore({name: rows})
    except UserError:
        prover.clear()
        raise


def save(prover: Prover, path: Path) -> None:
    """Write a prover's table to a file, atomically. OSError if that fails."""
    with replacing(path, TABLE) as handle:
        arrays: dict[str, Any] = dict(prover.table())
        np.savez(handle, **arrays)
