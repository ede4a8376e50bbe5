"""``doctor`` finds and names faults; ``gui`` installs entries and overwrites none."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from ryugi_engine import gui
from tests.helpers import ROOT, command


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, str]:
    home = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_DATA_HOME": str(tmp_path / "data")}
    return {**os.environ, **home}


def test_doctor_finds_nothing_wrong_here() -> None:
    done = command("doctor")
    assert done.returncode == 0, done.stdout
    for word in ("numba:", "CPU:", "cache:", "warm start:", "nodes/second", "no faults"):
        assert word in done.stdout
    assert done.stderr == ""


def test_doctor_names_faults_and_cures(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    environment = {**os.environ, "RYUGI_CACHE_DIR": str(blocked), "NUMBA_DISABLE_JIT": "1"}
    done = command("doctor", env=environment)
    assert done.returncode == 1
    assert "fault 1: unset it" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.slow
def test_doctor_sees_a_cache_in_the_wrong_place(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    (tmp_path / "tmp").mkdir()
    environment = {**os.environ, "RYUGI_CACHE_DIR": str(blocked), "TMPDIR": str(tmp_path / "tmp")}
    done = command("doctor", env=environment)
    assert done.returncode == 1
    assert "set RYUGI_CACHE_DIR" in done.stdout


def test_entries_are_printed_with_absolute_paths(folders: dict[str, str]) -> None:
    done = command("gui", env=folders)
    assert done.returncode == 0
    assert str(ROOT / "scripts" / "engine") in done.stdout
    for word in ("engines.json", "xboard -fcp", "[Desktop Entry]", "Protocol: UCI"):
        assert word in done.stdout
    assert not (Path(folders["XDG_CONFIG_HOME"])).exists()


def test_entries_are_installed_beside_others(folders: dict[str, str]) -> None:
    path = Path(folders["XDG_CONFIG_HOME"]) / "cutechess" / "engines.json"
    path.parent.mkdir(parents=True)
    other = {"name": "other", "command": "other", "protocol": "uci"}
    path.write_text(json.dumps([other]))
    assert command("gui", "--write", env=folders).returncode == 0
    engines = json.loads(path.read_text())
    assert engines[0] == other
    assert engines[1]["protocol"] == "uci"
    assert "capablanca" in engines[1]["variants"]
    program = shlex.split(engines[1]["command"])[0]
    assert os.access(program, os.X_OK)
    menu = Path(folders["XDG_DATA_HOME"]) / "applications" / "ryugi-engine.desktop"
    assert f"Exec=xboard -fcp {program} -variant ryugi" in menu.read_text()

    before = path.read_bytes(), menu.read_bytes()
    for name in ("cutechess", "desktop"):
        refused = command("gui", name, "--write", env=folders)
        assert refused.returncode == 2
        assert "--force replaces it" in refused.stderr
    assert (path.read_bytes(), menu.read_bytes()) == before
    assert command("gui", "--write", "--force", env=folders).returncode == 0
    assert len(json.loads(path.read_text())) == 2
    assert list(path.parent.iterdir()) == [path]


def test_damaged_and_locked_files_are_left_alone(folders: dict[str, str]) -> None:
    path = Path(folders["XDG_CONFIG_HOME"]) / "cutechess" / "engines.json"
    path.parent.mkdir(parents=True)
    for text, where in (("[\n {]", ":2:3:"), ('{"a": 1}', "not a list"), ("[1]", "not a list")):
        path.write_text(text)
        done = command("gui", "cutechess", "--write", "--force", env=folders)
        assert done.returncode == 2
        assert where in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert path.read_text() == text
    path.unlink()
    path.mkdir()
    done = command("gui", "cutechess", "--write", env=folders)
    assert done.returncode == 2
    assert str(path) in done.stderr
    done = command("gui", "xboard", "--write", env=folders)
    assert done.returncode == 2
    assert "no file" in done.stderr


def test_paths_with_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gui, "engine_command", lambda: ["/home/a b/it's $5/engine"])
    entries = gui.entries()
    words = shlex.split(entries["xboard"].text)
    assert words[2] == '"/home/a b/it\'s $5/engine"'
    line = next(x for x in entries["desktop"].text.splitlines() if x.startswith("Exec="))
    assert line.startswith("Exec=xboard -fcp ")
    assert "\\\\$5" in line
    engine = json.loads(entries["cutechess"].text)[0]
    assert shlex.split(engine["command"]) == ["/home/a b/it's $5/engine"]


def test_the_desktop_entry_is_valid(folders: dict[str, str]) -> None:
    assert command("gui", "desktop", "--write", env=folders).returncode == 0
    menu = Path(folders["XDG_DATA_HOME"]) / "applications" / "ryugi-engine.desktop"
    try:
        done = subprocess.run(
            ["desktop-file-validate", str(menu)], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        pytest.skip("needs desktop-file-utils")
    assert done.stdout == ""
