"""One writer of a file at a time. Source: flock(2), for locks that end with their process."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ryugi_engine.files.reading import check_name

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None  # type: ignore[assignment]


#: Seconds that a second writer of a file waits for the first.
LOCK_PATIENCE = 10.0
_LOCK_POLL = 0.02
_UNLOCKED = "files cannot be locked here: let nobody else write it meanwhile"
#: What a file system says that has no locks, or none of a folder.
_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL, errno.EBADF)


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
