"""The wheel in an environment of its own, run by somebody who may write nowhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers import ROOT, copy_warm_cache

pytestmark = pytest.mark.slow

#: Set where a test that is skipped would be a test that is missing.
REQUIRED = bool(os.environ.get("RYUGI_NEED_WHEEL"))
_NOBODY = 65534
_NO_RIGHTS = ("setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups")
_NO_RIGHTS += ("--bounding-set=-all", "--inh-caps=-all", "--no-new-privs")
# the program is looked for after the rights are gone, not before
_NO_RIGHTS += ("/bin/sh", "-c", 'exec "$@"', "sh")


def open_python() -> str | None:
    """A Python of this one's version that somebody without rights may run."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return None
    name = "python{}.{}".format(*sys.version_info)
    for path in (os.path.realpath(sys.executable), f"/usr/bin/{name}", f"/usr/local/bin/{name}"):
        words = [*_NO_RIGHTS, path, "-I", "-c", "import subprocess, ctypes, ssl"]
        if (
            os.path.exists(path)
            and subprocess.run(words, cwd="/", capture_output=True).returncode == 0
        ):
            return path
    return None


@pytest.fixture(scope="module")
def outside() -> Iterator[Path]:
    """A folder that everybody may enter, as pytest's own are not."""
    folder = Path(tempfile.mkdtemp(prefix="wheel-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def installed(outside: Path) -> Path:
    """The program of a fresh environment with the wheel; what it depends on comes from here."""
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(outside / "dist")]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = (outside / "dist").glob("*.whl")
    interpreter = open_python()
    if interpreter is None:
        assert not REQUIRED, "needs root, setpriv and a Python that everybody may run"
        pytest.skip("needs root, setpriv and a Python that everybody may run")
    words = [interpreter, "-m", "venv", "--without-pip", str(outside / "venv")]
    subprocess.run(words, check=True, timeout=300)
    python = outside / "venv" / "bin" / "python"
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([python, "-c", asked], check=True, capture_output=True, text=True)
    # a folder's own .pth files are not followed: the checkout stays out
    (Path(site.stdout.strip()) / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    words = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    words += ["--no-deps", "--no-index", str(wheel)]
    subprocess.run(words, check=True, capture_output=True, timeout=300)
    return outside / "venv" / "bin" / "ryugi-engine"


def environment(outside: Path, home: Path | None) -> dict[str, str]:
    """Nothing of the tests' own."""
    temporary = outside / "tmp"
    temporary.mkdir(exist_ok=True)
    temporary.chmod(0o1777)
    found = {"PATH": os.environ["PATH"], "TMPDIR": str(temporary)}
    return found if home is None else {**found, "HOME": str(home)}


def test_a_game_as_another_user(outside: Path, installed: Path) -> None:
    home = outside / "home"
    home.mkdir()
    # kernels depend on the sources alone: those of the tree's tests are those of the wheel
    copy_warm_cache(home / ".cache" / "ryugi-engine")
    for path in (home, *home.rglob("*")):
        os.chown(path, _NOBODY, _NOBODY)
    engine = f"'{installed}'"
    match = ["match", "--variant", "gorogo", "--engine", engine, "--engine", engine]
    match += ["--games", "1", "--tc", "st=0.05", "--time-margin", "3000"]
    match += ["--pgn-out", str(home / "game.pgn")]
    done = subprocess.run(
        [*_NO_RIGHTS, str(installed), *match],
        cwd=home,
        env=environment(outside, home),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "compiling" not in done.stderr
    assert "Faults: illegal move 0, time forfeit 0, crash 0" in done.stdout
    assert '[Variant "gorogo"]' in (home / "game.pgn").read_text()
    for path in (outside / "venv").rglob("*"):
        assert path.lstat().st_uid != _NOBODY, path


def test_a_move_without_a_home(outside: Path, installed: Path) -> None:
    said = "uci\nsetoption name UCI_Variant value gorogo\nposition startpos\ngo depth 2\n"
    process = subprocess.Popen(
        [*_NO_RIGHTS, str(installed)],
        cwd="/",
        env=environment(outside, None),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(said)
        process.stdin.flush()
        heard = []
        for line in process.stdout:
            heard.append(line)
            if line.startswith("bestmove"):
                break
        assert heard[-1].startswith("bestmove "), heard
        _, errors = process.communicate("quit\n", timeout=30)
        assert "Traceback" not in errors
        assert process.returncode == 0, errors
    finally:
        process.kill()
        process.communicate()
