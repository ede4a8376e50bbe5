"""The kernels that a wheel brings along, compiled when it was built; a checkout has none.

They are found by the hash of their sources, not of the compiler. They are used where they lie in
the package, which is written only when it is built. They are trusted like the sources next to them:
only the package's owner, root and this user may be able to write them.
"""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path

from ryugi_engine.kernel import cache as files
from ryugi_engine.kernel import targets
from ryugi_engine.kernel.cache import Machine

_PACKAGE = Path(__file__).resolve().parents[1]
#: Folder of the package that has a folder of files for each target.
NAME = "kernels"
# whoever listens for messages about compiling hears these, too: see jit.report_to
_log = logging.getLogger("ryugi_engine.kernel.jit")


@cache
def folder(target: str) -> Path | None:
    """Return the folder of a target, or of bitcode; None if there is none that may be used."""
    place = _PACKAGE / NAME / target
    if target == targets.NATIVE or targets.settings() or not place.is_dir():
        return None
    objection = files.objection_to(place, also=_PACKAGE)
    if objection:
        _log.warning("%s: its kernels are not used", objection)
    return None if objection else place


def is_there(target: str, name: str, key: str) -> bool:
    """Return whether the package has a bundle for a target."""
    place = folder(target)
    return place is not None and (place / files.file_name(name, key)).exists()


def read(target: str, name: str, key: str) -> Machine | None:
    """Read a bundle; None if there is none, or if it is damaged, which is logged."""
    place = folder(target)
    if place is None:
        return None
    path = place / files.file_name(name, key)
    try:
        return files.read_file(path, name, key)
    except (files.Damaged, OSError) as error:
        reason = error if isinstance(error, files.Damaged) else f"{path}: {error.strerror}"
        _log.warning("%s: the cache's is used", reason)
    return None


def write(place: Path, name: str, key: str, machine: Machine) -> None:
    """Write an entry of a package that is being built to a target's folder, made if missing."""
    place.mkdir(parents=True, exist_ok=True)
    (place / files.file_name(name, key)).write_bytes(files.packed(name, key, machine))
