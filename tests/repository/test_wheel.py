"""The archives, and what pip installs, run by somebody without rights."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ryugi_engine import __version__, about
from ryugi_engine.games import names
from ryugi_engine.kernel import elf, targets
from tests.support import effort
from tests.support.helpers import ROOT, completed, patient, read_to

pytestmark = [pytest.mark.slow, pytest.mark.more]

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


@pytest.fixture
def outside() -> Iterator[Path]:
    """A folder that everybody may enter, as pytest's own are not."""
    folder = Path(tempfile.mkdtemp(prefix="wheel-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def build(tree: Path, folder: Path, kind: str) -> Path:
    """The wheel or the sdist of a tree."""
    words = [sys.executable, "-m", "hatchling", "build", "-d", str(folder), "-t", kind]
    done = completed(words, cwd=tree, timeout=patient(900))
    assert done.returncode == 0, done.stderr
    (archive,) = folder.iterdir()
    return archive


def built_by_pip(outside: Path, sdist: Path) -> Path:
    """The wheel that pip makes of the sdist.

    The build is isolated: it has what pyproject.toml names and nothing of this environment.
    """
    words = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    words += ["--no-deps", "-w", str(outside / "wheels"), str(sdist)]
    done = completed(words, timeout=patient(900))
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (outside / "wheels").iterdir()
    return wheel


def files_of(wheel: Path) -> dict[str, bytes]:
    """What a wheel holds, but for the list of that."""
    with zipfile.ZipFile(wheel) as archive:
        return {n: archive.read(n) for n in archive.namelist() if not n.endswith("/RECORD")}


def both_are_whole(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    """Nothing of the tree is missing in the sdist, or in the wheel that was made of it.

    Pages of studies are no part of the wheel: nothing reads them.
    """
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (tree,) = (tmp_path / "unpacked").iterdir()
    held = files_of(wheel)
    ignored = {"__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache"}
    packages = ("ryugi_engine", "variants", "uci", "xboard")
    seen = 0
    for name in (*packages, "tests", "bench", "scripts", ".ci", ".github"):
        for path in sorted((ROOT / name).rglob("*")):
            if path.is_file() and not ignored & set(path.parts) and path.suffix != ".pyc":
                inside = path.relative_to(ROOT)
                assert (tree / inside).read_bytes() == path.read_bytes(), inside
                if name in packages and path.parent.name != "studies":
                    assert held[str(inside)] == path.read_bytes(), inside
                seen += 1
    assert seen > 300
    for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", ".gitignore"):
        assert (tree / name).exists()
    (page,) = (text for name, text in held.items() if name.endswith("man/man1/ryugi-engine.1"))
    for output in (
        b"ryugi\\-engine match",
        b"ryugi\\-engine train net",
        b"\\-\\-sprt",
        __version__.encode(),
    ):
        assert output in page, output
    commit = about.commit()
    if commit:
        assert held["ryugi_engine/commit.txt"].decode() == f"{commit}\n"
    kernels = [name for name in held if name.endswith(".kernel")]
    if elf.is_supported():
        assert wheel.name.endswith("-py3-none-linux_x86_64.whl")
        for target in targets.PACKAGED:
            assert sum(f"/{target}/" in name for name in kernels) > 50
    assert not any(path.suffix == ".kernel" for path in tree.rglob("*"))
    assert wheel.stat().st_size < 12e6
    if effort.soaking():  # the kernels are compiled once more
        assert files_of(build(ROOT, tmp_path / "dist", "wheel")) == held


def install(outside: Path, wheel: Path) -> Path:
    """Install a wheel and what it needs; return the program."""
    python = open_python() or sys.executable
    subprocess.run([python, "-m", "venv", "venv"], cwd=outside, check=True)
    words = ["venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)]
    done = completed(words, cwd=outside, timeout=patient(900))
    assert done.returncode == 0, done.stdout + done.stderr
    return outside / "venv" / "bin" / "ryugi-engine"


def environment(outside: Path, home: Path | None) -> dict[str, str]:
    """Nothing of the tests' own."""
    temporary = outside / "tmp"
    temporary.mkdir(exist_ok=True)
    temporary.chmod(0o1777)
    results = {"PATH": os.environ["PATH"], "TMPDIR": str(temporary)}
    return results if home is None else {**results, "HOME": str(home)}


def test_both_archives_and_an_environment_of_its_own(outside: Path, tmp_path: Path) -> None:
    """All is tried with one wheel, by a user without rights where there is one."""
    sdist = build(ROOT, tmp_path / "built", "sdist")
    wheel = built_by_pip(outside, sdist)
    both_are_whole(sdist, wheel, tmp_path)
    program = install(outside, wheel)
    somebody = () if open_python() is None else _NO_RIGHTS
    assert somebody or not REQUIRED, "needs root, setpriv and a Python that everybody may run"
    tells_its_commit(outside, program)
    plays_a_game(outside, program, somebody)
    moves_without_a_home(outside, program, somebody)
    plays_any_game_at_once(outside, program)
    page = outside / "venv" / "share" / "man" / "man1" / "ryugi-engine.1"
    assert "ryugi\\-engine match" in page.read_text()


def plays_any_game_at_once(outside: Path, program: Path) -> None:
    """Nothing is compiled for a game without kernels of its own, nor for a user's."""
    home = outside / "home"
    ini = outside / "own.ini"
    ini.write_text("[mine:chess]\ncustomPiece1 = a:NB\npromotionPieceTypes = aq\n")
    for game in ("ataxx", "mine"):
        asked = f"uci\nsetoption name VariantPath value {ini}\n"
        asked += f"setoption name UCI_Variant value {game}\nposition startpos\ngo depth 5\n"
        done = completed([str(program), "uci"], input=asked, env=environment(outside, home))
        assert f"info string variant {game} " in done.stdout, done.stdout
        assert re.search(r"(?m)^bestmove \S+@?\S+", done.stdout), done.stdout
        if elf.is_supported():
            assert "info string compiling" not in done.stdout


def plays_a_game(outside: Path, program: Path, somebody: tuple[str, ...]) -> None:
    home = outside / "home"
    home.mkdir()
    if somebody:
        os.chown(home, _NOBODY, _NOBODY)
    engine = f"'{program}'"
    match = ["match", "--variant", "gorogo", "--engine", engine, "--engine", engine]
    match += ["--games", "1", "--tc", "st=0.05", "--time-margin", "60000"]
    match += ["--pgn-out", str(home / "game.pgn")]
    done = completed([*somebody, str(program), *match], cwd=home, env=environment(outside, home))
    assert done.returncode == 0, done.stdout + done.stderr
    if elf.is_supported():
        assert "compiling" not in done.stderr
        assert not list(home.rglob("*.kernel"))
    assert not list(home.rglob(names.NAME))  # the wheel's is used
    assert "Faults: illegal move 0, time forfeit 0, crash 0" in done.stdout
    assert '[Variant "gorogo"]' in (home / "game.pgn").read_text()
    for path in (outside / "venv").rglob("*"):
        assert path.lstat().st_uid != _NOBODY, path


def tells_its_commit(outside: Path, program: Path) -> None:
    done = completed([str(program), "--version"], cwd="/", env=environment(outside, None))
    assert done.stdout.splitlines() == about.lines(), done.stderr


def moves_without_a_home(outside: Path, program: Path, somebody: tuple[str, ...]) -> None:
    message = "uci\nsetoption name UCI_Variant value gorogo\nposition startpos\ngo depth 2\n"
    process = subprocess.Popen(
        [*somebody, str(program)],
        cwd="/",
        env=environment(outside, None),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(message)
    process.stdin.flush()
    read_to(process.stdout, "bestmove ", 300)
    _, errors = process.communicate("quit\n", timeout=patient(60))
    assert "Traceback" not in errors
    assert process.returncode == 0, errors
