"""The cache on disk: a file for each compiled entry and each game's tables, verified at each use.

A cached file is executed with the user's rights. So the folder must not be writable for anybody
else, and a file is used only if its digest matches its content, name and key.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import hashlib
import os
import stat
import threading
import time
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

try:
    import fcntl
except ImportError:  # not a POSIX system: processes compile the same, and the result is the same
    fcntl = None  # type: ignore[assignment]

#: Files that have not been used for so long are removed.
_STALE_SECONDS = 30 * 24 * 3600
#: Resolution of a file's time of last use.
_USE_SECONDS = 24 * 3600
#: Suffixes of the files of compiled entries, and of memory blocks.
_SUFFIX, BLOCK_SUFFIX = ".kernel", ".block"
_MAGIC = b"ryugi-engine kernel 2\n"
#: Cache folders of version 0.1.0 in the same parent, one for each state of the sources.
_FORMER = "kernels-" + "[0-9a-f]" * 12
_NAME, _PRIVATE = "kernels", "ryugi-engine-"
#: Locked by the processes that use a private folder.
_IN_USE = "in-use"


class Machine(NamedTuple):
    """A compiled function as bytes that another process can load."""

    #: Name of the C function in the object file.
    symbol: str
    code: bytes


class Damaged(ValueError):
    """A cached file whose content does not match its digest."""


class Place(NamedTuple):
    """The cache folder, None if there is none; why the usual one cannot be used, or ""."""

    folder: Path | None
    objection: str


# ---- which folder ------------------------------------------------------------------------------


def _user() -> int | None:
    """Return the user id; None on systems without user ids."""
    return os.geteuid() if hasattr(os, "geteuid") else None


def _own_group(group: int) -> bool:
    """Return whether a group is the user's private one: its name, and no other member."""
    try:
        import grp
        import pwd

        name = pwd.getpwuid(os.geteuid()).pw_name
        entry = grp.getgrgid(group)
    except (ImportError, KeyError):
        return False
    return entry.gr_name == name and set(entry.gr_mem) <= {name}


def objection_to(folder: Path) -> str:
    """Return why files of a folder must not be run, because others may write them; "" if not.

    The folder must belong to this user and be writable for nobody else; each of its parents must
    belong to this user or to root and not be writable for others, unless sticky as /tmp is.
    """
    user = _user()
    if user is None:
        return ""
    try:
        real = folder.resolve(strict=True)
        for place in (real, *real.parents):
            facts = place.lstat()
            if not stat.S_ISDIR(facts.st_mode):
                return f"{place} is not a folder"
            if facts.st_uid != user and (place == real or facts.st_uid != 0):
                return f"{place} belongs to another user"
            if place != real and facts.st_mode & stat.S_ISVTX:
                continue
            group = facts.st_mode & stat.S_IWGRP
            if place != real and group and _own_group(facts.st_gid):
                group = 0
            if group or facts.st_mode & stat.S_IWOTH:
                return f"{place} can be written by other users"
    except (OSError, RuntimeError) as error:
        return f"{folder}: {getattr(error, 'strerror', None) or error}"
    return ""


def _usual() -> Path:
    """Return the usual cache folder; RuntimeError if there is no home folder."""
    chosen = os.environ.get("RYUGI_CACHE_DIR")
    if chosen:
        return Path(chosen).absolute() / _NAME
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "ryugi-engine" / _NAME


def _objection_to_using(folder: Path) -> str:
    """Create a folder if it is missing; return why it cannot be used, or ""."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        objection = objection_to(folder)
        if not objection:
            probe = folder / f".writable-{os.getpid()}"
            probe.write_bytes(b"")
            probe.unlink()
    except OSError as error:
        return f"{folder}: {error.strerror or error}"
    return objection


def _drop_private() -> None:
    """Remove private folders that ended processes have left behind."""
    import shutil  # here as below: a warm start needs neither
    import tempfile

    for folder in Path(tempfile.gettempdir()).glob(_PRIVATE + "*"):
        with contextlib.suppress(OSError):
            if objection_to(folder) or folder.is_symlink():
                continue
            with open(folder / _IN_USE) as handle:
                if fcntl is not None:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder, ignore_errors=True)


def _private() -> Path | None:
    """Return a new folder for this process and its helper; None if none is safe."""
    import shutil
    import tempfile

    _drop_private()
    try:
        top = Path(tempfile.mkdtemp(prefix=_PRIVATE))
    except OSError:
        return None
    if objection_to(top):
        top.rmdir()
        return None
    in_use = os.open(top / _IN_USE, os.O_WRONLY | os.O_CREAT, 0o600)  # until the process ends
    if fcntl is not None:
        fcntl.flock(in_use, fcntl.LOCK_SH)
    atexit.register(shutil.rmtree, top, ignore_errors=True)
    (top / _NAME).mkdir(mode=0o700)
    return top / _NAME


_deciding = threading.Lock()


def place() -> Place:
    """Return where kernels are cached, decided once in a process; creates the folder."""
    with _deciding:  # two threads that ask at once would find each other's probe in the folder
        return _decided()


@cache
def _decided() -> Place:
    try:
        usual = _usual()
        objection = _objection_to_using(usual)
    except RuntimeError as error:  # no home folder is known
        objection = str(error)
    if not objection:
        return Place(usual.resolve(), "")
    return Place(_private(), objection)


def files() -> list[Path]:
    """Return the files of compiled entries, of all versions of the sources."""
    folder = place().folder
    return [] if folder is None else sorted(folder.glob("*" + _SUFFIX))


# ---- files -------------------------------------------------------------------------------------


def path_of(name: str, key: str, suffix: str = _SUFFIX) -> Path | None:
    """Return the path of a cached file; None if there is no cache folder."""
    folder = place().folder
    return None if folder is None else folder / f"{name}-{key}{suffix}"


def is_kept(name: str, key: str) -> bool:
    """Return whether an entry is cached."""
    path = path_of(name, key)
    return path is not None and path.exists()


def _digest(name: str, key: str, content: bytes) -> bytes:
    return hashlib.sha256(f"{name} {key}\n".encode() + content).hexdigest().encode() + b"\n"


def kept_bytes(name: str, key: str, suffix: str = BLOCK_SUFFIX) -> bytes | None:
    """Read a cached file; None if there is none. Raises Damaged, or OSError."""
    path = path_of(name, key, suffix)
    if path is None:
        return None
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > _USE_SECONDS:
            os.utime(path)
    start = len(_MAGIC) + 2 * hashlib.sha256().digest_size + 1
    body = content[start:]
    if content[:start] != _MAGIC + _digest(name, key, body):
        raise Damaged(f"{path} is damaged")
    return body


def keep_bytes(name: str, key: str, body: bytes, suffix: str = BLOCK_SUFFIX) -> None:
    """Write a file of the cache, atomically. Raises OSError."""
    path = path_of(name, key, suffix)
    if path is None:
        return
    # one name for each file: the next process overwrites what a killed one has left
    part = path.with_suffix(".part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(_MAGIC + _digest(name, key, body) + body)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def read(name: str, key: str) -> Machine | None:
    """Read a cached entry; None if there is none. Raises Damaged, or OSError."""
    body = kept_bytes(name, key, _SUFFIX)
    if body is None:
        return None
    symbol, _, code = body.partition(b"\n")
    return Machine(symbol.decode(), code)


def write(name: str, key: str, machine: Machine) -> None:
    """Write an entry to the cache, atomically. Raises OSError."""
    keep_bytes(name, key, machine.symbol.encode() + b"\n" + machine.code, _SUFFIX)


def drop_stale() -> None:
    """Remove files that have not been used for a month, and folders of earlier versions."""
    now = time.time()
    folder, objection = place()
    if folder is None or objection:
        return
    old = [path for path in folder.iterdir() if path.suffix in (_SUFFIX, BLOCK_SUFFIX, ".part")]
    old += folder.parent.glob(_FORMER)
    for path in old:
        with contextlib.suppress(OSError):  # another process may be removing it too
            if now - path.stat().st_mtime > _STALE_SECONDS:
                if path.is_dir() and not path.is_symlink():
                    import shutil

                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink()


# ---- who compiles what ---------------------------------------------------------------------------


@cache
def _claims() -> int | None:
    folder = place().folder
    if fcntl is None or folder is None:
        return None
    # never closed: a process that closes such a file loses all its locks on it
    return os.open(folder / "claims", os.O_WRONLY | os.O_CREAT, 0o600)


@contextlib.contextmanager
def claim(name: str, *, wait: bool) -> Iterator[bool]:
    """Hold the lock to compile an entry; yield False if another process has it and not ``wait``.

    Each entry locks one byte of the file ``claims``; the system frees it if the process dies.
    """
    claims = _claims()
    byte = zlib.crc32(name.encode())
    if claims is not None:
        try:
            fcntl.lockf(claims, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB), 1, byte)
        except OSError as error:
            if not wait and error.errno in (errno.EACCES, errno.EAGAIN):
                yield False
                return
            claims = None  # a file system without locks: the result is the same, but later
    try:
        yield True
    finally:
        if claims is not None:
            fcntl.lockf(claims, fcntl.LOCK_UN, 1, byte)
