"""``scripts/sprt``: what it compares is the working tree as it was, and the revision."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ryugi_engine import __version__
from tests.support.helpers import ROOT, completed

pytestmark = pytest.mark.skipif(
    shutil.which("git") is None or not (ROOT / ".git").exists(), reason="needs a git checkout"
)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A checkout of its own, with the script as it is now."""
    folder = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    shutil.copy(ROOT / "scripts" / "sprt", folder / "scripts" / "sprt")
    return folder


def sprt(clone: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The script, run by the environment that the tests run in."""
    return subprocess.run(
        [sys.executable, str(clone / "scripts" / "sprt"), *words],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "XDG_CACHE_HOME": str(clone.parent / "cache"), "RYUGI_CACHE_DIR": ""},
    )


def commands(clone: Path) -> list[list[str]]:
    """The commands of the new and the old engine in a match against the last commit."""
    done = sprt(clone, "HEAD", "--dry-run")
    assert done.returncode == 0, done.stderr
    words = shlex.split(done.stdout)
    return [shlex.split(word.removeprefix("cmd=")) for word in words if word.startswith("cmd=")]


def folder_of(engine: list[str]) -> Path:
    word = next(word for word in engine if word.startswith("PYTHONPATH="))
    return Path(word.removeprefix("PYTHONPATH="))


def test_both_versions_are_copies(clone: Path) -> None:
    """Changed, new and deleted files are in the new one; what is edited later is in neither."""
    init = clone / "ryugi_engine" / "__init__.py"
    init.write_text(init.read_text().replace(__version__, "9.9.9"))
    (clone / "variants" / "added.txt").write_text("new")
    (clone / "ryugi_engine" / "py.typed").unlink()
    ignored = clone / "ryugi_engine" / "__pycache__" / "left.txt"
    ignored.parent.mkdir(exist_ok=True)
    ignored.write_text("")
    new, old = commands(clone)
    init.write_text("raise SystemExit('edited while the match runs')\n")
    for engine, version in ((new, "9.9.9"), (old, __version__)):
        done = completed([*engine, "--version"], cwd=clone)
        assert done.stdout.startswith(f"ryugi-engine {version}\n"), done.stderr  # no commit
    assert (folder_of(new) / "variants" / "added.txt").exists()
    assert not (folder_of(old) / "variants" / "added.txt").exists()
    assert not (folder_of(new) / "ryugi_engine" / "py.typed").exists()
    assert (folder_of(old) / "ryugi_engine" / "py.typed").exists()
    assert not (folder_of(new) / "ryugi_engine" / "__pycache__" / "left.txt").exists()
    # only the new one hears of a developer's trial
    assert (new[:2], old[:3]) == (["env", new[1]], ["env", "-u", "RYUGI_TUNE"])
    assert (folder_of(new) / "pyproject.toml").exists()


def test_wrong_words_are_told(clone: Path) -> None:
    done = sprt(clone, "no-such-branch")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "scripts/sprt: 'no-such-branch' is no commit\n"
    done = sprt(clone, "HEAD", "--elo0", "x")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    # a tree that cannot even count its nodes is not played with
    (clone / "ryugi_engine" / "commands" / "cli.py").write_text("raise SystemExit('broken')\n")
    done = sprt(clone, "HEAD", "--variant", "gorogo")
    assert done.returncode == 2
    assert "scripts/sprt: bench fails: " in done.stderr
    assert "Traceback" not in done.stderr
