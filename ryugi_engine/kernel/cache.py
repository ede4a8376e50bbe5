"""The files of compiled entries: those of the user's cache, and how each is verified at each use.

Such a file is executed with the user's rights. So its folder must not be writable for anybody
else, and a file is used only if its digest matches its content, name and key.

The cache is bounded. Files that have not been used for a month are removed, and beyond the limit
those used longest ago. Nothing is lost: what a process runs is in its memory, and each file can be
made again.
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

from ryugi_engine.errors import UserError
from ryugi_engine.files.cache_folder import cache_folder
from ryugi_engine.text.numbers import whole

try:
    import fcntl
except ImportError:  # not a POSIX system: processes compile the same, and the result is the same
    fcntl = None  # type: ignore[assignment]

#: Files that have not been used for so long are removed.
_STALE_SECONDS = 30 * 24 * 3600
#: Resolution of a file's time of last use.
_USE_SECONDS = 3600
#: Environment variable for the limit of the cache in megabytes, and what it is without that.
LIMIT_NAME, _LIMIT = "RYUGI_CACHE_LIMIT", 256
_LIMITS = range(1, 1_000_001)
_SUFFIX = ".kernel"
#: Suffixes of all files that are removed in the end; blocks are of earlier versions.
_SUFFIXES = (_SUFFIX, ".part", ".block")
_MAGIC = b"ryugi-engine kernel 3\n"
#: Cache folders of version 0.1.0 in the same parent, one for each state of the sources.
_FORMER = "kernels-" + "[0-9a-f]" * 12
_NAME, _PRIVATE = "kernels", "ryugi-engine-"
#: Locked by the processes that use a private folder.
_IN_USE = "in-use"


class Machine(NamedTuple):
    """Compiled functions as bytes that another process can load, or LLVM's bitcode of them."""

    #: Names of the C functions.
    symbols: tuple[str, ...]
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


def objection_to(folder: Path, also: Path | None = None) -> str:
    """Return why a folder's files must not be executed (other users may write them), or "".

    The folder must belong to this user and be writable for no one else. Each of its parents must
    belong to this user or to root, and not be writable for others, unless it is sticky like /tmp.
    The folder may belong to root, too, or to the owner of ``also``, if that is given.
    """
    user = _user()
    if user is None:
        return ""
    try:
        owners = {user} if also is None else {user, 0, also.stat().st_uid}
        real = folder.resolve(strict=True)
        for place in (real, *real.parents):
            facts = place.lstat()
            if not stat.S_ISDIR(facts.st_mode):
                return f"{place} is not a folder"
            if facts.st_uid not in owners and (place == real or facts.st_uid != 0):
                return f"{place} belongs to another user"
            if place != real and facts.st_mode & stat.S_ISVTX:
                continue
            group = facts.st_mode & stat.S_IWGRP
            if (also or place != real) and group and _own_group(facts.st_gid):
                group = 0
            if group or facts.st_mode & stat.S_IWOTH:
                return f"{place} can be written by other users"
    except (OSError, RuntimeError) as error:
        return f"{folder}: {getattr(error, 'strerror', None) or error}"
    return ""


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
    """Remove the private folders of ended processes."""
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
        usual = cache_folder() / _NAME
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


def file_name(name: str, key: str) -> str:
    """Return the name of an entry's file."""
    return f"{name}-{key}{_SUFFIX}"


def path_of(name: str, key: str) -> Path | None:
    """Return the path of an entry in the cache; None if there is no cache folder."""
    folder = place().folder
    return None if folder is None else folder / file_name(name, key)


def is_kept(name: str, key: str) -> bool:
    """Return whether an entry is cached."""
    path = path_of(name, key)
    return path is not None and path.exists()


def _digest(name: str, key: str, content: bytes) -> bytes:
    return hashlib.sha256(f"{name} {key}\n".encode() + content).hexdigest().encode() + b"\n"


def packed(name: str, key: str, machine: Machine) -> bytes:
    """Return the content of an entry's file."""
    body = " ".join(machine.symbols).encode() + b"\n" + machine.code
    return _MAGIC + _digest(name, key, body) + body


def read_file(path: Path, name: str, key: str) -> Machine | None:
    """Read an entry's file; None if there is none. Raises Damaged, or OSError."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    start = len(_MAGIC) + 2 * hashlib.sha256().digest_size + 1
    body = content[start:]
    if content[:start] != _MAGIC + _digest(name, key, body):
        raise Damaged(f"{path} is damaged")
    symbols, _, code = body.partition(b"\n")
    return Machine(tuple(symbols.decode().split(" ")), code)


def read(name: str, key: str) -> Machine | None:
    """Read a cached entry; None if there is none. Raises Damaged, or OSError."""
    path = path_of(name, key)
    machine = None if path is None else read_file(path, name, key)
    if path is not None and machine is not None:
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _USE_SECONDS:
                os.utime(path)
    return machine


def write(name: str, key: str, machine: Machine) -> None:
    """Write an entry to the cache, atomically. Raises OSError."""
    path = path_of(name, key)
    if path is None:
        return
    # one name for each file: the next process overwrites what a killed one has left
    part = path.with_suffix(".part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(packed(name, key, machine))
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


# ---- how much is kept ----------------------------------------------------------------------------


def limit() -> int:
    """Return the limit of the cache in megabytes. UserError names a setting that is none."""
    text = os.environ.get(LIMIT_NAME, "")
    try:
        return whole(text, _LIMITS[0], _LIMITS[-1]) if text else _LIMIT
    except UserError as error:
        raise UserError(f"{LIMIT_NAME}: {error}") from None


def _all_files(folder: Path) -> list[tuple[float, int, Path]]:
    """Return (time of last use, size in bytes, path) of every file, the oldest first."""
    found = []
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # another process may be removing it
            facts = path.lstat()
            if path.suffix in _SUFFIXES and stat.S_ISREG(facts.st_mode):
                found.append((facts.st_mtime, facts.st_size, path))
    return sorted(found)


def size() -> int:
    """Return how many bytes the cache has."""
    folder = place().folder
    return 0 if folder is None else sum(bytes_ for _, bytes_, _ in _all_files(folder))


def trim(megabytes: int | None = None) -> None:
    """Remove what has not been used for a month, and what is beyond the limit; never raises."""
    folder, objection = place()
    if folder is None or objection:
        return
    try:
        left = 1_000_000 * (limit() if megabytes is None else megabytes)
    except UserError:  # `doctor` says so
        left = 1_000_000 * _LIMIT
    now = time.time()
    for used, bytes_, path in reversed(_all_files(folder)):
        left -= bytes_
        if left < 0 or now - used > _STALE_SECONDS:
            with contextlib.suppress(OSError):
                path.unlink()
    for former in folder.parent.glob(_FORMER):
        with contextlib.suppress(OSError):
            if now - former.stat().st_mtime > _STALE_SECONDS and not former.is_symlink():
                import shutil

                shutil.rmtree(former, ignore_errors=True)


# ---- who compiles what ---------------------------------------------------------------------------


@cache
def _claims() -> int | None:
    folder = place().folder
    if fcntl is None or folder is None:
        return None
    # never closed: a process that closes that file loses all its locks on it
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
