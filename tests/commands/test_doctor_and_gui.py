"""``doctor`` finds and names faults; ``gui`` installs entries and overwrites none."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from ryugi_engine.commands import doctor, gui, gui_xboard
from ryugi_engine.errors import UserError
from ryugi_engine.games.registry import registry
from tests.support.helpers import ROOT, command, completed


def inserted(before: str, after: str) -> str:
    """What has been put in at one place of a text; fails if anything else has changed."""
    count = len(after) - len(before)
    at = next((i for i, (x, y) in enumerate(zip(before, after, strict=False)) if x != y), None)
    at = len(before) if at is None else at
    # the same letters may stand on both sides of the place
    for begin in range(at, max(-1, at - count - 1), -1):
        if before[:begin] + before[begin:] == after[:begin] + after[begin + count :]:
            return after[begin : begin + count]
    raise AssertionError((before, after))


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, str]:
    home = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_DATA_HOME": str(tmp_path / "data")}
    return {**os.environ, **home, "HOME": str(tmp_path)}


def test_doctor_finds_nothing_wrong_here() -> None:
    done = command("doctor")
    assert done.returncode == 0, done.stdout
    for word in ("numba:", "CPU:", "cache:", "warm start:", "nodes/second", "no faults"):
        assert word in done.stdout
    assert done.stderr == ""


def test_a_busy_machine_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the engine itself has used of the processor decides, not the clock on the wall."""
    monkeypatch.setattr(doctor, "_start", lambda command: (9.0, 30.0, ""))
    lines: list[str] = []
    result = doctor.Findings(lines.append)
    assert doctor._starts(result)
    assert result.faults == 0
    assert any("the machine is busy" in line for line in lines)

    def slow(command: list[str]) -> tuple[float, float, str]:
        spent[0] += 20.0
        return 9.0, 30.0, ""

    spent = [0.0]
    monkeypatch.setattr(doctor, "_start", slow)
    times = type("Times", (), {"children_user": property(lambda self: spent[0])})
    times.children_system = 0.0  # type: ignore[attr-defined]
    monkeypatch.setattr(doctor.os, "times", times)
    assert doctor._starts(result)
    assert result.faults == 1


def test_programs_of_debians_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not every account has /usr/games on its path."""
    program = tmp_path / "xboard"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(gui, "_GAMES", str(tmp_path))
    assert gui.find_program("xboard") == str(program)
    assert gui.find_program("no-such-program") is None
    assert gui.entries()["xboard"].text.startswith(f"{program} -fcp ")


def test_doctor_names_faults_and_cures(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    environment = {**os.environ, "RYUGI_CACHE_DIR": str(blocked), "NUMBA_DISABLE_JIT": "1"}
    done = command("doctor", env=environment)
    assert done.returncode == 1
    assert "fault 1: unset it" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


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
    program = engines[1]["command"]
    assert os.access(program, os.X_OK)
    menu = Path(folders["XDG_DATA_HOME"]) / "applications" / "ryugi-engine.desktop"
    assert f"xboard -fcp {program} -variant ryugi " in menu.read_text()
    assert "-sweepPromotions true" in menu.read_text()  # or the mouse promotes to queens only
    icon = menu.parent.parent / "icons" / "hicolor" / "scalable" / "apps" / "ryugi-engine.svg"
    assert icon.read_text().startswith("<svg ")

    listed = Path(folders["HOME"]) / ".xboardrc"
    files = (path, menu, listed)
    before = [file.read_bytes() for file in files]
    for name in ("cutechess", "desktop", "xboard"):
        refused = command("gui", name, "--write", env=folders)
        assert refused.returncode == 2
        assert "--force replaces it" in refused.stderr
    assert [file.read_bytes() for file in files] == before
    # what is there keeps nothing else from being written
    menu.unlink()
    assert command("gui", "--write", env=folders).returncode == 2
    assert [file.read_bytes() for file in files] == before
    assert command("gui", "--write", "--force", env=folders).returncode == 0
    assert [file.read_bytes() for file in files] == before
    # of what was there before anything was changed there is a copy, and one alone
    assert sorted(os.listdir(path.parent)) == ["engines.json", "engines.json.bak"]
    assert json.loads((path.parent / "engines.json.bak").read_text()) == [other]
    assert sorted(os.listdir(menu.parent)) == ["ryugi-engine-web.desktop", menu.name]


def list_of(path: Path) -> list[str]:
    text = path.read_text()
    return text[text.index("{") + 1 : text.index("}")].splitlines()


LISTED = 'fairymax\n"Fruit 2.1" -fcp "fruit x" -fUCI\n'
QUOTED = LISTED.replace('"', '\\"')
#: How a user's list of engines can stand in the settings, with what stands around it.
FORMS = [
    '-size 49\n-userName "Ann"',
    "",
    "; -firstChessProgramNames {no}",
    "-firstChessProgramNames {" + LISTED + "}",
    "/size=49\n/firstChessProgramNames={" + LISTED + "}\n/niceEngines:0\n",
    '-xponder -firstChessProgramNames "' + QUOTED.replace("\n", "\\n") + '" -size 49',
    "-size 49 -firstChessProgramNames:\t'" + LISTED + "'-niceEngines 0\n",
    '-firstChessProgramNames {lost\n}\r\n;{\r\n-firstChessProgramNames\t"' + QUOTED + '"\r\n',
    '-firstChessProgramNames fairymax -icsMenu {a;b;\nc "}\n',
    '-firstChessProgramNames "one }\\n\\164wo"',
    "-userName \xe9 -firstChessProgramNames {\xe9t\xe9\n}",
    "-firstChessProgramNames {}\n",
]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_xboards_settings(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All else keeps its bytes; the list keeps its engines and gets ours, once."""
    path = tmp_path / ".xboardrc"
    before = form.encode("latin-1")
    path.write_bytes(before)
    path.chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(gui, "_XBOARD_SYSTEM", tmp_path / "none")
    listed = gui_xboard.engines(form)
    gui.entries()["xboard"].install(force=False)
    after = path.read_bytes().decode("latin-1")
    assert path.stat().st_mode & 0o777 == 0o600
    if form:
        copy = tmp_path / ".xboardrc.bak"
        assert (copy.read_bytes(), copy.stat().st_mode & 0o777) == (before, 0o600)
    result = gui_xboard.engines(after)
    assert result is not None
    if listed is None:
        listed = gui_xboard.Setting("", "fairymax\n", (len(form), len(form)))
        assert after.startswith(form)
    else:
        assert after.startswith(form[: listed.span[0]])
        assert after.endswith(form[listed.span[1] :])
    users = listed.value.removesuffix("\n")
    assert result.value.startswith((users + "\n" if users else "") + "# ryugi-engine\n")
    others = [[s.value for s in gui_xboard.settings(text) if s != result] for text in (after, form)]
    assert others[0] == [value for value in others[1] if value != listed.value]
    with pytest.raises(UserError, match="--force replaces it"):
        gui.entries()["xboard"].install(force=False)
    gui.entries()["xboard"].install(force=True)
    assert path.read_bytes() == after.encode("latin-1")
    assert len(os.listdir(tmp_path)) == 1 + bool(form)


@pytest.mark.parametrize(
    "text",
    ["-icsMenu {a\n-firstChessProgramNames 'x'", '-sgf "C:\\g\\"\n-firstChessProgramNames {"x"}']
    + ['-userName "Ann\n'],
)
def test_settings_without_an_end_are_left_alone(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / ".xboardrc"
    path.write_text(text)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(UserError, match="XBoard would not find a list"):
        gui.entries()["xboard"].install(force=False)
    assert path.read_text() == text
    assert os.listdir(tmp_path) == [".xboardrc"]


def test_cute_chess_keeps_its_other_engines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With any content; of our own entry what Cute Chess has added."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = tmp_path / "cutechess" / "engines.json"
    path.parent.mkdir()
    before = '\ufeff[ {"name":"a, ] \\u00e9", "x":1.50, "y":[1e2,{}]},\r\n{"name": "b"} ] '
    path.write_bytes(before.encode())
    cute = gui.entries()["cutechess"]
    assert cute.install(force=False) == path
    after = path.read_bytes()
    cute.install(force=True)
    assert path.read_bytes() == after
    engines = json.loads(after)
    assert engines[:2] == json.loads(before.removeprefix("\ufeff"))
    assert engines[2]["name"] == "ryugi-engine"
    engines[2] |= {"command": "old", "options": [{"name": "Hash", "value": 64}]}
    path.write_text(json.dumps(engines))
    cute.install(force=True)
    (*others, own) = json.loads(path.read_text())
    assert others == engines[:2]
    assert own["options"] == [{"name": "Hash", "value": 64}]
    assert os.access(own["command"], os.X_OK)


def test_xboards_list_is_renewed(folders: dict[str, str]) -> None:
    """An earlier version's lines go, what a user has put into the group stays."""
    path = Path(folders["HOME"]) / ".xboardrc"
    earlier = '"ryugi-engine: Ryugi" -fcp "/old/engine xboard --variant ryugi" -variant ryugi'
    mine = '"mine" -fcp "/old/engine xboard --variants mine.toml"'
    path.write_text(
        f"-firstChessProgramNames {{{earlier}\nfairymax\n# ryugi-engine\n{mine}\n# end\n}}\n"
    )
    assert command("gui", "xboard", "--write", env=folders).returncode == 2
    assert command("gui", "xboard", "--write", "--force", env=folders).returncode == 0
    lines = list_of(path)
    assert lines[:2] == ["fairymax", "# ryugi-engine"]
    assert lines[2].startswith('"Ryugi (ryugi-engine)"')
    assert lines[-2:] == [mine, "# end"]
    assert earlier not in lines


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
    done = command("gui", "uci", "--write", env=folders)
    assert done.returncode == 2
    assert "no file" in done.stderr


def test_paths_with_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gui, "engine_command", lambda: ["/home/a b/it's $5/engine"])
    entries = gui.entries()
    command, *lines = entries["xboard"].text.splitlines()
    words = shlex.split(command)
    assert words[2] == '"/home/a b/it\'s $5/engine"'
    line = next(x for x in entries["desktop"].text.splitlines() if x.startswith("Exec="))
    assert "xboard -fcp " in line
    assert "\\\\$5" in line
    # XBoard reads a line of its list as a command line, with \\ before a quotation mark
    listed = shlex.split(next(x for x in lines if x.startswith('"Ryugi (ryugi-engine)"')))
    assert listed[1:3] == ["-fcp", '"/home/a b/it\'s $5/engine" xboard --variant ryugi']
    # Cute Chess starts what stands there and knows no quotation marks
    engine = json.loads(entries["cutechess"].text)[0]
    assert engine["command"] == "/home/a b/it's $5/engine"
    assert "\nCommand: /home/a b/it's $5/engine\n" in entries["uci"].text


#: What Cute Chess (1.5.1) reads of an engine, and how; other keys it would drop.
CUTE_CHESS_FIELDS = {
    "name": str,
    "command": str,
    "workingDirectory": str,
    "stderrFile": str,
    "protocol": str,
    "variants": list,
}


def test_cute_chess_gets_the_fields_that_it_reads(tmp_path: Path) -> None:
    (engine,) = json.loads(gui.entries()["cutechess"].text)
    assert {key: type(value) for key, value in engine.items()} == CUTE_CHESS_FIELDS
    assert engine["protocol"] in ("uci", "xboard")
    # each of its games is one that the engine answers to by Cute Chess's name
    for name in engine["variants"]:
        assert registry().game(name).name == ("chess" if name == "standard" else name)
    # and the command alone, with no shell and from another folder, is the engine
    done = completed([engine["command"]], input="uci\nquit\n", cwd=tmp_path, check=True)
    (choice,) = [x for x in done.stdout.splitlines() if x.startswith("option name UCI_Variant ")]
    assert set(engine["variants"]) <= set(choice.split(" var ")[1:])
    assert "uciok" in done.stdout.splitlines()


def test_cute_chess_is_given_no_arguments(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    words = ["/usr/bin/python3", "-P", "-m", "ryugi_engine"]
    monkeypatch.setattr(gui, "engine_command", lambda: words)
    with pytest.raises(UserError, match="without arguments, not '/usr/bin/python3 -P -m "):
        gui.entries()["cutechess"].install(force=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("gui", "name"), [("desktop", "ryugi-engine"), ("web", "ryugi-engine-web")]
)
def test_the_desktop_entry_is_valid(gui: str, name: str, folders: dict[str, str]) -> None:
    assert command("gui", gui, "--write", env=folders).returncode == 0
    menu = Path(folders["XDG_DATA_HOME"]) / "applications" / f"{name}.desktop"
    try:
        done = subprocess.run(
            ["desktop-file-validate", str(menu)], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        pytest.skip("needs desktop-file-utils")
    assert done.stdout == ""
