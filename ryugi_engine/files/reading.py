"""The user's files, read within bounds."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ryugi_engine.errors import UserError

#: Bytes that a file of each kind may have: far more than anyone writes, little of the memory.
MAX_DEFINITIONS = 64 << 10
#: A ``variants.ini``, which may hold hundreds of games.
MAX_INI = 1 << 20
MAX_SETTINGS = 1 << 20
MAX_POSITIONS = 16 << 20
MAX_RECORDS = 16 << 20
_CHUNK = 1 << 20
_KINDS = (
    (stat.S_ISDIR, "folder"),
    (stat.S_ISFIFO, "pipe"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "device"),
    (stat.S_ISBLK, "device"),
)


def fault(path: Path | str, error: OSError) -> str:
    """Return ``FILE: what is wrong``."""
    return f"{path}: {error.strerror or error}"


def check_name(path: Path | str) -> None:
    """Raise OSError for a name that no file can have: it has a NUL or a lone surrogate."""
    with contextlib.suppress(UnicodeEncodeError):
        if b"\0" not in os.fsencode(path):
            return
    raise OSError(errno.EINVAL, "no file can have this name", str(path))


@contextlib.contextmanager
def naming(path: Path | str) -> Iterator[None]:
    """Turn an OSError of the block into a UserError that names the file as the user did."""
    try:
        check_name(path)
        yield
    except OSError as error:
        raise UserError(fault(path, error)) from None


def refuse_others(path: Path, status: os.stat_result) -> None:
    """Raise OSError for what is not a regular file: reading it could block or never end."""
    if not stat.S_ISREG(status.st_mode):
        kind = next((name for fits, name in _KINDS if fits(status.st_mode)), "special file")
        code = errno.EISDIR if kind == "folder" else errno.EINVAL
        raise OSError(code, f"is a {kind}, not a file", str(path))


def _size(number: int) -> str:
    unit, name = next(u for u in ((1 << 20, "MB"), (1 << 10, "KB"), (1, "bytes")) if number >= u[0])
    return f"{number // unit} {name}"


def _too_large(path: Path, limit: int) -> OSError:
    return OSError(errno.EFBIG, f"is larger than {_size(limit)}", str(path))


@contextlib.contextmanager
def opened(path: Path, limit: int) -> Iterator[BinaryIO]:
    """Return a regular file of at most ``limit`` bytes, open for reading; else raise OSError."""
    check_name(path)
    refuse_others(path, os.stat(path))  # opening can do something to a pipe or a device
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    with open(descriptor, "rb", buffering=0, closefd=True) as handle:
        status = os.fstat(descriptor)
        refuse_others(path, status)  # another file may have taken the name
        if status.st_size > limit:
            raise _too_large(path, limit)
        yield handle


def read_bytes(path: Path, limit: int) -> bytes:
    """Return a file's content; OSError as for :func:`opened`, for any reported size."""
    parts = []
    left = limit + 1
    with opened(path, limit) as handle:
        while left > 0 and (part := os.read(handle.fileno(), min(left, _CHUNK))):
            parts.append(part)
            left -= len(part)
    if left <= 0:
        raise _too_large(path, limit)
    return b"".join(parts)


def decoded(path: Path, raw: bytes) -> str:
    """Return a file's text without byte order mark; UserError names the first invalid byte."""
    try:
        return raw.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        raise UserError(f"{path}:{line}:{column}: this is no UTF-8 text") from None


def read_text(path: Path, limit: int) -> str:
    """Return a file's text; OSError as for :func:`opened`, UserError if it is no text."""
    return decoded(path, read_bytes(path, limit))
