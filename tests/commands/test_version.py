"""``--version`` tells which engine this is, from git or from the build, at once."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest

from ryugi_engine import __version__, about
from tests.support.helpers import ROOT, command

A, B = "a" * 40, "0123456789abcdef" * 2 + "01234567"
NETS = sorted(ROOT.glob("variants/*/nets/*.net"))


def test_version_tells_all_of_it() -> None:
    done = command("--version")
    assert done.returncode == 0
    first, second, third = done.stdout.splitlines()
    assert first.startswith(f"ryugi-engine {__version__}")
    assert second == f"numba {version('numba')}"
    assert len(NETS) >= 20
    assert re.fullmatch(rf"{len(NETS)} nets [0-9a-f]{{16}}", third)
    assert third == about.nets()
    if shutil.which("git") and (ROOT / ".git").exists():
        words = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
        asked = subprocess.run(words, capture_output=True, text=True)
        if asked.returncode == 0:  # not a checkout of somebody else's
            assert first.endswith(f" (commit {asked.stdout[:12]})")
            assert about.commit() == asked.stdout.strip()


def checkout(root: Path, files: dict[str, str]) -> Path:
    """The package's folder of a checkout with such files of git's."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "package").mkdir(parents=True, exist_ok=True)
    return root / "package"


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({".git/HEAD": f"{A}\n"}, A),
        ({".git/HEAD": "ref: refs/heads/x\n", ".git/refs/heads/x": f"{A}\n"}, A),
        (
            {
                ".git/HEAD": "ref: refs/heads/x\n",
                ".git/packed-refs": f"# pack-refs\n{B} refs/heads/xx\n{A} refs/heads/x\n^{B}\n",
            },
            A,
        ),
        (
            {
                ".git": "gitdir: other/.git/worktrees/w\n",
                "other/.git/worktrees/w/HEAD": "ref: refs/heads/x\n",
                "other/.git/worktrees/w/commondir": "../..\n",
                "other/.git/refs/heads/x": f"{A}\n",
            },
            A,
        ),
        ({"package/commit.txt": f"{B}\n"}, B),
        ({".git/HEAD": f"{A}\n", "package/commit.txt": f"{B}\n"}, A),
        ({".git/HEAD": "ref: refs/heads/none\n"}, ""),
        ({".git/HEAD": "nonsense\n"}, ""),
        ({".git/HEAD": "", "package/commit.txt": "z" * 40}, ""),
        ({}, ""),
    ],
)
def test_the_commit(files: dict[str, str], found: str, tmp_path: Path) -> None:
    assert about.commit(checkout(tmp_path, files)) == found


def test_what_is_no_text_is_no_commit(tmp_path: Path) -> None:
    package = checkout(tmp_path, {".git/HEAD": ""})
    (tmp_path / ".git" / "HEAD").write_bytes(b"\xff\xfe\n")
    assert about.commit(package) == ""
