"""The user's cache folder."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return RYUGI_CACHE_DIR or the usual folder; RuntimeError if there is no home folder."""
    chosen = os.environ.get("RYUGI_CACHE_DIR")
    if chosen:
        return Path(chosen).absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "ryugi-engine"


def keep(path: Path, content: bytes) -> None:
    """Write a file of the cache, whole or not at all, with its folders. Raises OSError."""
    part = path.with_suffix(f".{os.getpid()}")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
