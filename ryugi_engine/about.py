"""Version information: the engine's commit, the installed numba, the shipped nets.

All of it is read from a few files: no program is run, and neither numba nor the games are imported.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from functools import cache
from pathlib import Path

from ryugi_engine import __version__

_PACKAGE = Path(__file__).resolve().parent
#: What a build writes next to the package's sources: the commit that it was made of.
BUILT = "commit.txt"
_SHOWN = 12


def _line(path: Path) -> str:
    """Return a small file's first line; "" if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _packed(common: Path, name: str) -> str:
    """Return a reference among git's packed ones; "" if it is not there."""
    try:
        lines = (common / "packed-refs").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ""
    return next((line.split()[0] for line in lines if line.endswith(f" {name}")), "")


def _checked_out(root: Path) -> str:
    """Return the commit of a checkout or worktree; "" if there is none."""
    folder = root / ".git"
    if folder.is_file():
        folder = root / _line(folder).removeprefix("gitdir: ")
    head = _line(folder / "HEAD")
    if not head.startswith("ref: "):
        return head
    name = head.removeprefix("ref: ")
    elsewhere = _line(folder / "commondir")
    common = folder / elsewhere if elsewhere else folder
    return _line(common / name) or _packed(common, name)


def commit(package: Path = _PACKAGE) -> str:
    """Return a package's commit, from git or from its build; "" if unknown."""
    result = _checked_out(package.parent) or _line(package / BUILT)
    return result if len(result) in (40, 64) and set(result) <= set("0123456789abcdef") else ""


def engine() -> str:
    """Return the engine's name and version, and its commit if known."""
    result = commit()
    return f"ryugi-engine {__version__}" + (f" (commit {result[:_SHOWN]})" if result else "")


@cache
def _listed() -> tuple[str, ...]:
    """Return the names in all folders that packages are imported from."""
    names: list[str] = []
    for place in sys.path:
        with contextlib.suppress(OSError):
            names += os.listdir(place or ".")
    return tuple(names)


def installed(package: str) -> str:
    """Return the version of a package that is installed, or "missing"."""
    for name in _listed():
        if name.startswith(f"{package}-") and name.endswith((".dist-info", ".egg-info")):
            return name.split("-")[1].removesuffix(".dist").removesuffix(".egg")
    from importlib.metadata import PackageNotFoundError, version  # takes as long as all the rest

    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"


def nets() -> str:
    """Return the number of shipped nets, and a digest of all that decides which net plays."""
    paths = sorted(_PACKAGE.parent.glob("variants/*/nets/*"))
    content = hashlib.sha256()
    for path in paths:
        content.update(path.name.encode() + path.read_bytes())
    nets = sum(path.suffix == ".net" for path in paths)
    return f"{nets} nets {content.hexdigest()[:16]}"


def lines() -> list[str]:
    """Return the lines of ``--version``."""
    return [engine(), f"numba {installed('numba')}", nets()]
