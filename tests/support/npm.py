"""Packages of npm that tests use; nothing of them is shipped."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def npm_package(package: str, folder: Path) -> Path:
    """Install a package below a folder, and return its own folder.

    The test is left out where npm cannot bring it, unless ``RYUGI_NEED_NPM`` is set.
    """
    leave_out = pytest.fail if "RYUGI_NEED_NPM" in os.environ else pytest.skip
    npm = shutil.which("npm")
    if npm is None:
        leave_out("needs npm")
    done = subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), package],
        capture_output=True,
        text=True,
        timeout=120,
    )
    path = folder / "node_modules" / package.rpartition("@")[0]
    if done.returncode or not path.is_dir():
        leave_out(f"npm cannot bring {package}: {done.stderr[-200:]}")
    return path
