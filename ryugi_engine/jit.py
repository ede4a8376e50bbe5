"""The one place that compiles: the kernel decorators and the folder of compiled kernels.

``@kernel`` marks a helper that is inlined into its callers, ``@routine`` one that is called,
and ``@entry(n)`` a function of n ``int64`` arguments with a C address, which Python calls
(without the interpreter lock) and other kernels call through that address. Only entries are
compiled by themselves and kept on disk.

The folder's name holds a hash of all kernel sources, because numba looks only at the file of
the function itself and would go on using an entry whose helper in another file was edited.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import hashlib
import importlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import IO, Any

import numba
from numba import types

try:
    import fcntl
except ImportError:  # not a POSIX system: processes compile the same, and the result is the same
    fcntl = None  # type: ignore[assignment]

_ROOT = Path(__file__).resolve().parent.parent
#: Folders of compiled kernels of other versions are removed when unused for this long.
_STALE_SECONDS = 30 * 24 * 3600
_PREFIX = "kernels-"


def _kernel_sources() -> list[Path]:
    engine = _ROOT / "ryugi_engine"
    names = ("jit.py", "memory.py", "abi.py", "perft_hash.py", "proofs.py")
    files = [engine / name for name in names]
    files += sorted((engine / "search").rglob("*.py"))
    files += sorted((_ROOT / "variants").rglob("*.py"))
    return files


def source_hash() -> str:
    """Twelve hexadecimal digits that change with any kernel source, Python or numba."""
    digest = hashlib.sha256()
    digest.update(f"{sys.version_info[:2]} {numba.__version__} {platform.machine()}".encode())
    digest.update(os.environ.get("RYUGI_BOUNDSCHECK", "0").encode())
    for path in _kernel_sources():
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def _cache_root() -> Path:
    chosen = os.environ.get("RYUGI_CACHE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "ryugi-engine"


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _drop_stale(root: Path, keep: str) -> None:
    for folder in root.glob(_PREFIX + "*"):
        with contextlib.suppress(OSError):  # another process may be removing it too
            if folder.name != keep and time.time() - folder.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


def _choose_folder() -> Path:
    name = _PREFIX + source_hash()
    try:
        root = _cache_root()
    except RuntimeError:  # no home folder is known
        root = Path(tempfile.gettempdir())
    if not _writable(root / name):
        user = os.getuid() if hasattr(os, "getuid") else 0
        root = Path(tempfile.gettempdir()) / f"ryugi-engine-{user}"
        if not _writable(root / name):
            root = Path(tempfile.mkdtemp(prefix="ryugi-engine-"))
    folder = root / name
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):
        os.utime(folder)
    _drop_stale(root, name)
    return folder


#: Where the compiled kernels of this source tree lie.
CACHE_FOLDER = _choose_folder()
#: Set when an entry had to be compiled, not loaded, in this process.
compiled_entries: list[str] = []

config: Any = numba.config
config.CACHE_DIR = str(CACHE_FOLDER)


def cache_is_fallback() -> bool:
    """Whether the folder is not where it should be, because nothing can be written there."""
    try:
        return CACHE_FOLDER.parent != _cache_root()
    except RuntimeError:
        return True


def cache_is_warm() -> bool:
    """Whether the folder already holds compiled entries."""
    return any(CACHE_FOLDER.rglob("*.nbi"))


@contextlib.contextmanager
def _cache_lock() -> Iterator[None]:
    """Hold the folder while compiling, so that a second engine waits and then only loads."""
    if fcntl is None:
        yield
        return
    with open(CACHE_FOLDER / "lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


@cache
def _claims() -> IO[str]:
    # never closed: a process that closes such a file loses all its locks on it
    return open(CACHE_FOLDER / "claims", "w")


@contextlib.contextmanager
def _claim(name: str, wait: bool) -> Iterator[bool]:
    """Be the one process that compiles an entry; False if another is, unless it is waited for.

    An entry is a byte of a file's locks: the system frees it if its process dies.
    """
    mine = fcntl is not None
    place = zlib.crc32(name.encode())
    if mine:
        try:
            fcntl.lockf(_claims(), fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB), 1, place)
        except OSError as error:
            if not wait and error.errno in (errno.EACCES, errno.EAGAIN):
                yield False
                return
            mine = False  # a file system without locks: the result is the same, but later
    try:
        yield True
    finally:
        if mine:
            fcntl.lockf(_claims(), fcntl.LOCK_UN, 1, place)


@contextlib.contextmanager
def compiling(*modules: str, late: bool = False) -> Iterator[None]:
    """Have the folder to oneself; if it is empty, a second process helps to fill it.

    The helper begins with the last of the modules. GUIs wait 10 or 15 seconds for an engine that
    has to compile. The helper's failure needs no attention: what it has not left in the folder
    is compiled here.
    """
    with _cache_lock():
        if not cache_is_warm():
            code = f"import sys; sys.path.insert(0, {str(_ROOT)!r})\n"
            code += f"from ryugi_engine import jit; jit.assist({modules[::-1]!r}, {late})"
            subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        yield


def assist(modules: Iterable[str], late: bool) -> None:
    """Compile what the modules need and another process is not at."""
    for module in modules:
        importlib.import_module(module)
        for item in _entries:
            if late or not item.late:
                item.load(wait=False)


# Helpers are never called from Python: without the wrappers that numba would add for that,
# compiling takes half the time.
_HELPER: dict[str, Any] = {
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}


def kernel(function: Callable[..., Any]) -> Any:
    """A helper that is inlined into every caller."""
    return numba.njit(forceinline=True, **_HELPER)(function)


def routine(function: Callable[..., Any]) -> Any:
    """A helper that the compiler may leave as a call."""
    return numba.njit(**_HELPER)(function)


#: In the order of their definition.
_entries: list[Entry] = []


class Entry:
    """A compiled function with a C address; calling it from Python releases the lock.

    It is compiled, or loaded from the folder, when it is asked for or by :func:`load_entries`.
    """

    def __init__(self, function: Callable[..., int], arity: int, late: bool) -> None:
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.late = late
        self._function = function
        self._arity = arity
        self._compiled: Any = None
        _entries.append(self)

    def load(self, *, wait: bool = True) -> bool:
        """Load the function from the folder, or compile it.

        False if it was left alone because another process is at it and it is not to be waited for.
        """
        if self._compiled is None:
            with _claim(self.name, wait) as mine:
                if mine:
                    self._load()
        return self._compiled is not None

    def _load(self) -> None:
        signature = types.int64(*([types.int64] * self._arity))
        compiler = numba.cfunc(signature, cache=True, error_model="numpy")
        try:
            compiled = compiler(self._function)
        except numba.core.errors.NumbaError:
            raise  # the kernel itself is wrong: a fresh folder would not help
        except Exception:
            # A truncated or foreign file in the folder: empty it and compile once more.
            for item in CACHE_FOLDER.iterdir():
                if item.is_dir():
                    shutil.rmtree(item, ignore_errors=True)
            compiled = compiler(self._function)
        if not compiled.cache_hits:
            compiled_entries.append(self.name)
        self._compiled = compiled

    @cached_property
    def address(self) -> int:
        """Where the function starts."""
        self.load()
        return int(self._compiled.address or 0)

    @cached_property
    def _call(self) -> Callable[..., int]:
        return ctypes.CFUNCTYPE(ctypes.c_int64, *([ctypes.c_int64] * self._arity))(self.address)

    def __call__(self, *args: int) -> int:
        return int(self._call(*args))


def entry(arity: int, *, late: bool = False) -> Callable[[Callable[..., int]], Entry]:
    """Mark a function of ``arity`` int64 arguments; ``late`` if games are played without it."""

    def decorate(function: Callable[..., int]) -> Entry:
        return Entry(function, arity, late)

    return decorate


def load_entries(*, late: bool = False) -> None:
    """Compile or load what has been imported so far, the late ones only if asked to."""
    wanted = [item for item in _entries if late or not item.late]
    # what a helper is at comes last: it is done by then
    for item in [item for item in wanted if not item.load(wait=False)]:
        item.load()
