"""Writing the user's files: whole or not at all.

Source: POSIX for open, rename and fsync.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

from ryugi_engine.files.reading import check_name, refuse_others

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None  # type: ignore[assignment]


#: What ``tempfile`` puts between prefix and suffix.
_PART = re.compile("[a-z0-9_]{8}")


class OverwriteRule(Protocol):
    """Rule that decides whether a file may be written; :class:`.output.Kind` has it."""

    def check(self, path: Path) -> bool:
        """Return whether ``path`` exists and is of the kind; OSError if it must not be written."""

    def resume(self, path: Path) -> bool:
        """Check before appending; same result and errors."""


def same(path: Path, other: Path) -> bool:
    """Return whether two paths lead to one file, which need not exist."""
    try:
        return os.path.samefile(path, other)
    except OSError:  # one of them is not there
        with contextlib.suppress(ValueError):  # or can never be: a NUL in its name
            return os.path.realpath(path) == os.path.realpath(other)
    except ValueError:
        pass
    return False


def target_of(path: Path) -> Path:
    """Return the path with links resolved; OSError if it exists and is not a regular file."""
    check_name(path)
    # not Path.resolve, to which a loop of links is no OSError
    target = Path(os.path.realpath(path))
    with contextlib.suppress(FileNotFoundError):
        refuse_others(path, os.stat(target))
    return target


def _sync_folder(folder: Path) -> None:
    """See a new name through to the disk, where the system knows how."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except PermissionError:  # a folder that can be written but not listed
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # a file system that does not do this
            raise
    finally:
        os.close(descriptor)


def _remove_stale(folder: Path, prefix: str) -> None:
    """Remove temporary files of killed processes: those that no process has locked."""
    if fcntl is None:
        return
    with contextlib.suppress(OSError):  # a folder that cannot be listed
        for entry in os.scandir(folder):
            middle = entry.name.removeprefix(prefix).removesuffix(".part")
            if entry.name != f"{prefix}{middle}.part" or not _PART.fullmatch(middle):
                continue
            with contextlib.suppress(OSError):  # it is held, or others were quicker
                descriptor = os.open(entry.path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.unlink(entry.path)
                finally:
                    os.close(descriptor)


def _new_part(folder: Path, prefix: str) -> tuple[int, str]:
    """Return descriptor and name of a new temporary file, locked until it is closed."""
    import tempfile  # it takes a tenth of a start, and most starts write no file

    while True:
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=prefix, suffix=".part")
        if fcntl is not None:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return descriptor, name
        os.close(descriptor)  # taken for a stale one before it was held


@contextlib.contextmanager
def replacing(path: Path, kind: OverwriteRule) -> Iterator[BinaryIO]:
    """Open a temporary file that replaces ``path`` when the block ends without an error.

    A killed process leaves the old file or the new one. OSError if writing fails, or if ``kind``
    may not be written there; the old file stays then. Links are followed, the mode is kept.
    """
    kind.check(path)
    target = target_of(path)
    prefix = target.name[:40] + "."
    _remove_stale(target.parent, prefix)
    descriptor, name = _new_part(target.parent, prefix)
    try:
        with os.fdopen(descriptor, "wb") as handle:
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
            os.chmod(name, target.stat().st_mode & 0o777 if target.exists() else 0o644)
            if fcntl is None:
                handle.close()  # that system may not rename an open file
            kind.check(path)  # what others have put there meanwhile
            os.replace(name, target)  # while it is held: to others it is no stale part
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    _sync_folder(target.parent)


def write_whole(path: Path, text: str, kind: OverwriteRule) -> None:
    """Replace a file's content; see :func:`replacing`."""
    with replacing(path, kind) as handle:
        handle.write(text.encode("utf-8"))


def opened_to_append(path: Path, kind: OverwriteRule, access: int = os.O_RDWR | os.O_CREAT) -> int:
    """Open a file for :func:`append_to` and return its descriptor; ``access`` as in ``os.open``.

    Raises OSError, also if ``kind`` may not be written there.
    """
    kind.resume(path)
    target = target_of(path)
    flags = access | os.O_APPEND
    flags |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(target, flags, 0o644)
    try:
        refuse_others(path, os.fstat(descriptor))  # another file may have taken the name
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def append(path: Path, text: str, kind: OverwriteRule) -> None:
    """Append text to a file, created if missing, and flush it to the disk.

    OSError if that fails, or if ``kind`` may not be written there; the file is unchanged then.
    """
    descriptor = opened_to_append(path, kind, os.O_WRONLY | os.O_CREAT)
    try:
        append_to(descriptor, text.encode("utf-8"))
    finally:
        os.close(descriptor)


def append_to(descriptor: int, data: bytes) -> None:
    """Append to an open file, as :func:`append` does."""
    size = os.fstat(descriptor).st_size
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, size)
        raise
