"""``scripts/release``: it finds faulty files; what it makes is tried by test_wheel.py, too."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

from ryugi_engine import __version__
from tests.support.helpers import ROOT, completed

SCRIPT = ROOT / "scripts" / "release"
#: A program that counts by a table, and other numbers for some commands.
_PROGRAM = """\
import sys
COUNTS = {counts!r}
def main():
    command = " ".join(sys.argv[1:])
    print("ryugi-engine {version}" if command == "--version" else
          f"Nodes searched  : {{COUNTS[command]}}")
"""


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script, imported."""
    loader = SourceFileLoader("release_script", str(SCRIPT))
    spec = spec_from_loader("release_script", loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses ask for it
    loader.exec_module(module)
    return module


def release(*words: str) -> subprocess.CompletedProcess[str]:
    return completed([sys.executable, str(SCRIPT), *words])


def make_wheel(folder: Path, counts: dict[str, int], *, version: str = __version__) -> Path:
    """Make a wheel of a program that prints these counts; it needs nothing."""
    path = folder / f"ryugi_engine-{__version__}-py3-none-any.whl"
    info = f"ryugi_engine-{__version__}.dist-info"
    entry = "[console_scripts]\nryugi-engine = ryugi_engine_stub:main\n"
    metadata = f"Metadata-Version: 2.1\nName: ryugi-engine\nVersion: {__version__}\n"
    tags = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ryugi_engine_stub.py", _PROGRAM.format(counts=counts, version=version))
        archive.writestr(f"{info}/METADATA", metadata)
        archive.writestr(f"{info}/WHEEL", tags)
        archive.writestr(f"{info}/entry_points.txt", entry)
        archive.writestr(f"{info}/RECORD", "")
    return path


def expected_counts(script: ModuleType) -> dict[str, int]:
    own = [sys.executable, "-P", "-m", "ryugi_engine"]
    return {command: script.count(own, command) for command in script.FEW}


def test_the_dry_run_makes_nothing(tmp_path: Path, script: ModuleType) -> None:
    done = release("--dry-run", "--out", str(tmp_path / "dist"))
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "dist").exists()
    found = script.pythons()
    assert "{}.{}".format(*sys.version_info) in found
    for number in script.VERSIONS:
        assert f"Python {number}: {found.get(number, 'not installed')}\n" in done.stdout
    assert f"two wheels of version {__version__}\n" in done.stdout


@pytest.mark.slow
def test_equal_counts_pass_and_others_do_not(tmp_path: Path, script: ModuleType) -> None:
    """A wheel is installed, asked for its version, and counts."""
    counts = expected_counts(script)
    options = ("--no-build", "--no-aarch64", "--trial", "--out", str(tmp_path))
    make_wheel(tmp_path, counts)
    done = release(*options)
    assert done.returncode == 0, done.stderr
    assert "ok, 1 perft and 1 bench counts are equal" in done.stdout
    (command, right) = next(iter(counts.items()))
    wheel = make_wheel(tmp_path, {**counts, command: right + 1})
    done = release(*options)
    assert done.returncode == 1
    assert "FAIL" in done.stdout
    where = f"Python {max(script.pythons())}"
    fault = f"{wheel.name}, {where}: {command}: {right + 1} nodes instead of {right}"
    assert done.stderr.splitlines()[-1] == f"scripts/release: {fault}"


@pytest.mark.slow
def test_every_fault_is_one_line(tmp_path: Path, script: ModuleType) -> None:
    done = release("--no-build", "--trial", "--out", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == f"scripts/release: {tmp_path}: no wheel of version {__version__}\n"
    table = script.Table()
    python = script.pythons()[max(script.pythons())]
    old = make_wheel(tmp_path, {}, version="0.0.1")
    script.try_wheel(table, old, python, "Python", {})
    old.write_bytes(b"no wheel")
    script.try_wheel(table, old, python, "Python", {})
    assert table.faults[0] == f"{old.name}, Python: it is version 0.0.1 instead of {__version__}"
    assert table.faults[1].startswith(f"{old.name}, Python: exit status 1 of 'pip': ERROR: ")
    assert all("\n" not in fault for fault in table.faults)


def test_a_large_wheel_is_refused(
    tmp_path: Path, script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script, "COUNTS", ())
    wheel = make_wheel(tmp_path, {})
    with wheel.open("ab") as file:
        file.truncate(script.LIMIT + 1)
    table = script.Table()
    script.try_all(table, [wheel], {}, False)
    fault = f"{wheel.name}, size: {script.LIMIT + 1:,} bytes, more than {script.LIMIT:,}"
    assert table.faults == [fault]
    for number in script.VERSIONS:  # no Python is no fault
        assert (wheel.name, f"Python {number}", "not tried: it is not installed") in table.rows
    for _, where, result in table.rows:
        assert where in str(table)
        assert result in str(table)


def test_a_checkout_that_is_not_ready(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The changelog begins with the version and its day, and all is committed."""
    monkeypatch.setattr(script, "ROOT", tmp_path)
    package = tmp_path / "ryugi_engine"
    package.mkdir()
    (package / "__init__.py").write_text('__version__ = "9.1.0"\n')
    changes = tmp_path / "CHANGELOG.md"
    changes.write_text("# Changelog\n\n## 9.1.0 - not released\n")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    assert list(script.unready()) == [
        "CHANGELOG.md begins with '9.1.0 - not released', not with '9.1.0 - DATE'",
        "the checkout has changes that are not committed, or is none of git's",
    ]
    changes.write_text("# Changelog\n\n## 9.1.0 - 2026-01-31\n")
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "all"], check=True)
    assert list(script.unready()) == []
