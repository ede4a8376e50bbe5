"""The user's files: read within bounds, written whole or not at all, by one writer at a time.

Sources: POSIX for open, rename and fsync; flock(2) for locks that end with their process.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

from ryugi_engine.errors import UserError

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None  # type: ignore[assignment]


class OverwriteRule(Protocol):
    """Rule that decides whether a file may be written; :class:`ryugi_engine.output.Kind` has it."""

    def check(self, path: Path) -> bool:
        """Return whether ``path`` exists and is of the kind; OSError if it must not be written."""

    def resume(self, path: Path) -> bool:
        """Check before appending; same result and errors."""


#: Bytes that a file of each kind may have: far more than anyone writes, little of the memory.
MAX_DEFINITIONS = 64 << 10
#: A ``variants.ini``, which may hold hundreds of games.
MAX_INI = 1 << 20
MAX_SETTINGS = 1 << 20
MAX_POSITIONS = 16 << 20
MAX_RECORDS = 16 << 20
#: Seconds that a second writer of a file waits for the first.
LOCK_PATIENCE = 10.0
_LOCK_POLL = 0.02
_UNLOCKED = "files cannot be locked here: let nobody else write it meanwhile"
#: What ``tempfile`` puts between prefix and suffix.
_PART = re.compile("[a-z0-9_]{8}")
#: What a file system says that has no locks, or none of a folder.
_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL, errno.EBADF)
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
    """Raise OSError for a name that no file can have, as with a NUL or a lone surrogate."""
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


def _refuse_others(path: Path, status: os.stat_result) -> None:
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
    _refuse_others(path, os.stat(path))  # opening can do something to a pipe or a device
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    with open(descriptor, "rb", buffering=0, closefd=True) as handle:
        status = os.fstat(descriptor)
        _refuse_others(path, status)  # another file may have taken the name
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


# ---- writing ----------------------------------------------------------------------------------


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
        _refuse_others(path, os.stat(target))
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
        _refuse_others(path, os.fstat(descriptor))  # another file may have taken the name
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


# ---- one writer at a time ---------------------------------------------------------------------


@contextlib.contextmanager
def locked(
    path: Path, warn: Callable[[str], None], patience: float | None = None
) -> Iterator[None]:
    """Context: hold the lock under which a file is read, checked and written.

    It is an flock on the folder of the resolved path, so links share it, and it ends with the
    process. A process must not take it twice for a folder. Raises OSError if another process holds
    it for ``patience`` seconds (default LOCK_PATIENCE). ``warn`` gets a line if the system has no
    flock.
    """
    check_name(path)
    target = Path(os.path.realpath(path))
    descriptor = -1
    if fcntl is not None:
        with contextlib.suppress(PermissionError):  # a folder that can be written but not listed
            descriptor = os.open(target.parent, os.O_RDONLY)
    try:
        seconds = LOCK_PATIENCE if patience is None else patience
        message = f"somebody else has been writing in this folder for {seconds:g} s"
        if descriptor < 0 or not _locked_in_time(descriptor, path, seconds, message):
            warn(f"{path}: {_UNLOCKED}")
        yield
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def hold(
    descriptor: int, path: Path, message: str, warn: Callable[[str], None] = lambda line: None
) -> None:
    """Lock an open file, without waiting, until it is closed or this process ends.

    Raises OSError with ``message`` if another process holds the lock. ``warn`` gets a line if the
    system has no flock.
    """
    if fcntl is None or not _locked_in_time(descriptor, path, 0.0, message):
        warn(f"{path}: {_UNLOCKED}")


def _locked_in_time(descriptor: int, path: Path, patience: float, message: str) -> bool:
    """Return whether a lock was taken; False without locks, OSError if others hold it."""
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in _NO_LOCKS:
                return False
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                raise
        else:
            return True
        if time.monotonic() >= end:
            raise OSError(errno.EBUSY, message, str(path))
        time.sleep(_LOCK_POLL)
