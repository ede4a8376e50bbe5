"""Compiled kernels are kept, found again when nothing has changed, and never run unverified."""

from __future__ import annotations

import copy
import os
import random
import shutil
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.kernel import cache, cache_key, defaults, elf, jit, packaged, targets
from tests.conftest import GAMES
from tests.support.helpers import ROOT, EngineUnderTest, alive, completed, patient, read_to
from tests.support.leftovers import children

#: A small project of kernels: an entry of two modules' kernels and a third one's constant.
_PROJECT = {
    "small/__init__.py": "",
    "small/constants.py": "STEP = 5\nTHINGS = (1, 2)\n",
    "small/layout.py": "from small.constants import STEP\n\nWIDTH = STEP * 2\n",
    "small/helper.py": """
        from ryugi_engine.kernel.jit import kernel
        from small import layout as L


        @kernel
        def twice(a):
            return 2 * a + L.WIDTH
        """,
    "small/entries.py": """
        from ryugi_engine.kernel.jit import entry
        from small.helper import twice


        @entry(1)
        def first(a):
            return twice(a)


        @entry(1)
        def second(a):
            return twice(a) + 1000
        """,
    "small/unrelated.py": "WIDTH = 3\n",
    "run.py": """
        import logging
        from ryugi_engine.kernel import jit
        from small import entries, unrelated

        jit.report_to(lambda text: print("said:", text))
        print(entries.first(1), entries.second(1), *jit.compiled_entries)
        """,
}
_ENTRIES = ["small.entries.first", "small.entries.second"]


class Project:
    """A folder of Python files and a folder of compiled kernels."""

    def __init__(self, root: Path, cache: Path) -> None:
        self.root, self.cache = root, cache
        for name, text in _PROJECT.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text).lstrip())

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.root / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        # another length or time of change: Python's own cache checks nothing else
        os.utime(path, (time.time() + 10, time.time() + 10))

    def run(self) -> tuple[list[int], list[str], list[str]]:
        """(results, entries that were compiled, what was said)."""
        done = completed(
            [sys.executable, "run.py"],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": str(ROOT), "RYUGI_CACHE_DIR": str(self.cache)},
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        *output, last = done.stdout.splitlines()
        words = last.split()
        return [int(word) for word in words[:2]], words[2:], output

    def files(self) -> list[Path]:
        return sorted((self.cache / "kernels").glob("*.kernel"))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project", tmp_path / "cache")


def test_kernels_are_kept(project: Project, tmp_path: Path) -> None:
    results, compiled, output = project.run()
    assert (results, compiled) == ([12, 1012], _ENTRIES)
    assert output == ["said: compiling the kernels, once for this version; this takes a while"]
    # a clone of the project, elsewhere, has them too
    clone = Project(tmp_path / "another" / "place", project.cache)
    assert clone.run() == ([12, 1012], [], [])
    assert len(project.files()) == 2


#: A change in each module, and what comes of it: constants come from anywhere, and no list of
#: files is kept by hand.
_EDITS = [
    ("small/constants.py", "STEP = 5", "STEP = 50", [102, 1102]),
    ("small/helper.py", "2 * a", "3 * a", [103, 1103]),
    ("small/layout.py", "STEP * 2", "STEP * 4", [203, 1203]),
    ("small/entries.py", "+ 1000", "+ 2000", [203, 2203]),
]


@pytest.mark.slow
def test_an_edited_kernel_is_compiled_anew(project: Project) -> None:
    project.run()
    project.edit("small/unrelated.py", "WIDTH = 3", "WIDTH = 4")
    project.edit("small/constants.py", "(1, 2)", "(1, 2, 3)")
    assert project.run() == ([12, 1012], [], []), "no kernel uses these"
    for name, old, new, results in _EDITS:
        project.edit(name, old, new)
        assert project.run()[0] == results, name
    # a kernel in a new module
    (project.root / "small/third.py").write_text(
        "from ryugi_engine.kernel.jit import routine\n\n@routine\ndef more(a):\n    return a + 7\n"
    )
    project.edit(
        "small/helper.py", "from small import", "from small.third import more\nfrom small import"
    )
    project.edit("small/helper.py", "3 * a", "more(3 * a)")
    assert project.run()[0] == [210, 2210]
    project.edit("small/third.py", "a + 7", "a + 8")
    assert project.run()[0] == [211, 2211]


_KEYS = """
import importlib, sys
from ryugi_engine.kernel import jit
from ryugi_engine.games.registry import registry
for game in registry().games():
    importlib.import_module(f"{game.load.__module__}.rules")
import ryugi_engine.perft.count, ryugi_engine.search.searcher
for item in jit._entries:
    print(item.name, item.key("x86-64"))
"""


def _keys(root: Path) -> dict[str, str]:
    done = completed(
        [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, {str(root)!r})\n{_KEYS}"],
        cwd=root,
        check=True,
    )
    return dict(line.split() for line in done.stdout.splitlines())


@pytest.mark.slow
def test_a_change_concerns_who_uses_it(tmp_path: Path) -> None:
    """The engine's own kernels, in a copy elsewhere: pictures none, a game's kernels its own."""
    for package in ("ryugi_engine", "variants"):
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    before = _keys(tmp_path)
    assert before == _keys(ROOT)
    assert len(before) > 40

    def changed(*names: str) -> set[str]:
        texts = {tmp_path / name: (tmp_path / name).read_text() for name in names}
        for path, text in texts.items():
            path.write_text(text + "# a comment\n")
        after = _keys(tmp_path)
        for path, text in texts.items():
            path.write_text(text)
        return {entry for entry in before if before[entry] != after[entry]}

    others = ("variants/gorogo/picture.py", "ryugi_engine/core/session.py")
    assert not changed(*others, "ryugi_engine/kernel/jit.py")
    users = changed("variants/gorogo/groups.py", "ryugi_engine/search/move_picker.py")
    assert {".".join(name.split(".")[:2]) for name in users} == {
        "variants.gorogo", "ryugi_engine.search",
    }  # fmt: skip
    assert changed("ryugi_engine/kernel/codegen/pipeline.py") == set(before)


# ---- damage --------------------------------------------------------------------------------------


def _flip(files: list[Path], source: random.Random) -> None:
    content = bytearray(files[0].read_bytes())
    content[source.randrange(len(content))] ^= 1 << source.randrange(8)
    files[0].write_bytes(content)


def _exchange(files: list[Path], source: random.Random) -> None:
    contents = [path.read_bytes() for path in files]
    for path, content in zip(files, reversed(contents), strict=True):
        path.write_bytes(content)


#: What is done to files, and the entries that are then compiled again.
_DAMAGES = [(_flip, _ENTRIES[:1]), (_exchange, _ENTRIES)]


@pytest.mark.slow
def test_a_damaged_file_is_compiled_anew_alone_and_said(
    project: Project, source: random.Random
) -> None:
    project.run()
    for damage, hit in _DAMAGES:
        sound = {path: path.read_bytes() for path in project.files()}
        damage(project.files(), source)
        bad = [path for path, content in sound.items() if path.read_bytes() != content]
        results, compiled, output = project.run()
        assert results == [12, 1012]
        assert compiled == hit, damage
        assert [line for line in output if "is damaged" in line] == [
            f"said: {path} is damaged: it is compiled anew" for path in bad
        ]
    assert project.run() == ([12, 1012], [], [])


# ---- whose folder it is --------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "parent" / "folder"
    folder.mkdir(parents=True)
    folder.parent.chmod(0o755)
    folder.chmod(0o700)
    return folder


@pytest.mark.parametrize("mode", [0o722, 0o770, 0o702, 0o1777])
def test_a_folder_that_others_can_write_is_not_used(folder: Path, mode: int) -> None:
    assert cache.objection_to(folder) == ""
    folder.chmod(mode)
    assert "can be written by other users" in cache.objection_to(folder)


def test_nor_one_whose_parents_they_can(folder: Path) -> None:
    folder.parent.chmod(0o777)
    assert "can be written by other users" in cache.objection_to(folder)
    folder.parent.chmod(0o1777)
    assert cache.objection_to(folder) == ""


def test_nor_one_of_another_user(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_user", lambda: os.geteuid() + 1)
    assert "belongs to another user" in cache.objection_to(folder)


@pytest.mark.slow
def test_a_planted_file_is_not_run(project: Project, tmp_path: Path) -> None:
    """The folder was made by us, then opened to all: what lies in it is left where it is."""
    project.run()
    before = {path: path.stat().st_mtime_ns for path in project.files()}
    (project.cache / "kernels").chmod(0o777)
    assert project.run()[:2] == ([12, 1012], _ENTRIES)
    assert {path: path.stat().st_mtime_ns for path in project.files()} == before


_WHERE = """
import os
from ryugi_engine.kernel import cache
print(cache.place().folder)
print(os.listdir(cache.place().folder))
"""


def _place(**environment: str) -> tuple[Path, str]:
    done = completed([sys.executable, "-c", _WHERE], env={**os.environ, **environment}, check=True)
    where, content = done.stdout.splitlines()
    return Path(where), content


def test_without_a_home_the_folder_is_fresh_private_and_removed(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    places = set()
    for _ in range(2):
        where, content = _place(RYUGI_CACHE_DIR=str(blocked / "below"), TMPDIR=str(temporary))
        assert content == "[]"
        places.add(where)
    assert len(places) == 2
    assert all(temporary in where.parents for where in places)
    assert list(temporary.iterdir()) == []


def test_private_folders_of_killed_processes_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "tmp"
    left, foreign = temporary / "ryugi-engine-left", temporary / "ryugi-engine-foreign"
    for path in (left, foreign):
        path.mkdir(parents=True, mode=0o700)
        (path / "in-use").write_text("")
    foreign.chmod(0o777)
    blocked = tmp_path / "file"
    blocked.write_text("")
    _place(RYUGI_CACHE_DIR=str(blocked / "below"), TMPDIR=str(temporary))
    assert not left.exists()
    assert foreign.exists()


def _age(path: Path, days: float) -> None:
    then = time.time() - days * 24 * 3600
    os.utime(path, (then, then))


def test_what_was_not_used_for_a_month_goes_and_what_is_used_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kernels"
    kept.mkdir()
    monkeypatch.setattr(cache, "place", lambda: cache.Place(kept, ""))
    for key in ("old", "used", "new"):
        cache.write("entry", key, cache.Machine("symbol", b"code"))
    for name in ("entry-old.kernel", "entry-used.kernel"):
        _age(kept / name, 40)
    for name in ("left.part", "earlier.block", "foreign.txt"):
        (kept / name).write_text("")
        _age(kept / name, 40)
    former, foreign = tmp_path / "kernels-4340ba881a54", tmp_path / "kernels-6.1"
    for folder in (former, foreign):
        folder.mkdir()
        _age(folder, 40)
    assert cache.read("entry", "used") == cache.Machine("symbol", b"code")
    cache.trim()
    assert {path.name for path in kept.iterdir()} == {
        "entry-used.kernel", "entry-new.kernel", "foreign.txt",
    }  # fmt: skip
    assert (former.exists(), foreign.exists()) == (False, True)


def test_the_cache_is_not_larger_than_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was used longest ago goes first, in any order of compiling."""
    monkeypatch.setattr(cache, "place", lambda: cache.Place(tmp_path, ""))
    for number in range(6):
        cache.write("entry", f"{number}", cache.Machine("symbol", bytes(400_000)))
        _age(tmp_path / f"entry-{number}.kernel", 6 - number)
    cache.read("entry", "0")
    monkeypatch.setenv(cache.LIMIT_NAME, "1")
    cache.trim()
    assert {path.name for path in tmp_path.iterdir()} == {"entry-0.kernel", "entry-5.kernel"}
    assert cache.size() < 1_000_000
    cache.trim(0)
    assert not cache.files()
    for wrong in ("much", "-1", "0", "1e3"):
        monkeypatch.setenv(cache.LIMIT_NAME, wrong)
        with pytest.raises(UserError, match=f"^{cache.LIMIT_NAME}: "):
            cache.limit()
        cache.trim()


# ---- what a wheel brings -------------------------------------------------------------------------


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package with the kernels of `never_passes`, and an empty cache."""
    if not elf.is_supported():
        pytest.skip("needs Linux on x86-64")
    monkeypatch.setattr(packaged, "_PACKAGE", tmp_path)
    monkeypatch.setattr(targets, "settings", lambda: "")
    monkeypatch.setattr(cache, "place", lambda: cache.Place(tmp_path / "cache", ""))
    (tmp_path / "cache").mkdir()
    cache._claims.cache_clear()
    monkeypatch.setattr(jit, "_chosen", lambda modules, late: [_fresh()])
    jit.compile_for_package(tmp_path / packaged.NAME)
    for path in (tmp_path / "cache").iterdir():
        if path.is_file():
            path.unlink()
    packaged.folder.cache_clear()
    monkeypatch.setattr(jit, "compiled_entries", [])
    yield tmp_path / packaged.NAME
    packaged.folder.cache_clear()
    cache._claims.cache_clear()


def _fresh() -> jit.Entry:
    """`never_passes`, as a process has it that begins."""
    one = copy.copy(defaults.never_passes)
    vars(one).pop("_call", None)
    vars(one).pop("address", None)
    one._compiled = None
    return one


def _flags(monkeypatch: pytest.MonkeyPatch, without: str) -> None:
    """Let the system tell of a processor that lacks an instruction."""
    known = {**targets._linux_processor()}
    known["flags"] = " ".join(flag for flag in targets._V3_FLAGS if flag != without)
    monkeypatch.setattr(targets, "_linux_processor", lambda: known)


@pytest.mark.parametrize(("without", "target"), [("", "x86-64-v3"), ("avx2", "x86-64")])
def test_kernels_of_the_package_are_used(
    package: Path, monkeypatch: pytest.MonkeyPatch, without: str, target: str
) -> None:
    """Those of the processor's target, with any numba; nothing is written."""
    _flags(monkeypatch, without)
    monkeypatch.setattr(cache_key, "_compiler", lambda: b"another numba")
    assert packaged.folder() == package / target
    assert _fresh()(1) == 0
    assert jit.compiled_entries == []
    assert list((package.parent / "cache").iterdir()) == []


def test_a_damaged_or_foreign_kernel_of_the_package_is_compiled_into_the_cache(
    package: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _flags(monkeypatch, "")
    (file,) = (package / "x86-64-v3").iterdir()
    sound = file.read_bytes()
    damages = {
        "a bit": sound[:-1] + bytes([sound[-1] ^ 1]),
        "foreign": (package / "x86-64" / next((package / "x86-64").iterdir()).name).read_bytes(),
        "empty": b"",
    }
    for number, (damage, content) in enumerate(damages.items(), start=1):
        file.write_bytes(content)
        caplog.clear()
        with caplog.at_level("WARNING", logger="ryugi_engine.kernel.jit"):
            assert _fresh()(1) == 0
        assert f"{file} is damaged" in caplog.text, damage
        assert jit.compiled_entries == [defaults.never_passes.name], number
    assert len(cache.files()) == 1


def test_kernels_of_a_package_that_others_can_write_are_not_used(
    package: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _flags(monkeypatch, "")
    (package / "x86-64-v3").chmod(0o777)
    with caplog.at_level("WARNING", logger="ryugi_engine.kernel.jit"):
        assert _fresh()(1) == 0
    assert "can be written by other users: its kernels are not used" in caplog.text
    assert jit.compiled_entries == [defaults.never_passes.name]


def test_nothing_is_imported_from_the_working_folder(tmp_path: Path) -> None:
    """GUIs start engines wherever they are: a download folder holds anybody's files."""
    for name in ("queue", "numba", "chess", "variants", "json"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('run from the working folder')\n")
    done = completed(
        [str(ROOT / "scripts" / "engine"), "show", "--variant", "gorogo"], cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Fen: " in done.stdout


# ---- several processes ---------------------------------------------------------------------------

_HOLDER = """
from ryugi_engine.kernel import cache
with cache.claim("an entry", wait=True) as mine:
    print(mine, flush=True)
    input()
"""


def test_an_entry_is_compiled_by_one_process_at_a_time() -> None:
    """Others may come back later or wait; a process that dies delays no one."""
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLDER],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout is not None
        assert read_to(holder.stdout, "") == "True\n"
        with cache.claim("an entry", wait=False) as mine:
            assert not mine
        with cache.claim("another entry", wait=False) as mine:
            assert mine
        threading.Timer(0.3, holder.kill).start()
        with cache.claim("an entry", wait=True) as mine:
            assert mine
            assert holder.wait(patient(5.0)) != 0
    finally:
        holder.kill()
        holder.communicate()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_the_helper_ends_with_the_engine(tmp_path: Path) -> None:
    """Also where the engine is killed."""
    engine = EngineUnderTest(env={**os.environ, "RYUGI_CACHE_DIR": str(tmp_path)})
    engine.send("uci", "isready")
    helpers: list[int] = []
    limit = time.monotonic() + patient(60.0)
    while not helpers and time.monotonic() < limit:
        helpers = [pid for pid in children(engine.process.pid) if alive(pid)]
    assert helpers
    engine.process.kill()
    engine.process.wait(patient(20.0))
    limit = time.monotonic() + patient(20.0)
    while any(map(alive, helpers)):
        assert time.monotonic() < limit, "the helper lives on"
        time.sleep(0.02)
    engine.close()
    assert not list(tmp_path.rglob("*.kernel")) or all(
        path.read_bytes().startswith(b"ryugi-engine kernel") for path in tmp_path.rglob("*.kernel")
    )


@pytest.mark.slow
def test_kernels_of_a_game_from_an_empty_folder(tmp_path: Path) -> None:
    """Compiled by two processes, then only loaded."""
    assert "gorogo" in GAMES
    environment = {**os.environ, "RYUGI_CACHE_DIR": str(tmp_path)}

    def start() -> list[str]:
        engine = EngineUnderTest(env=environment)
        engine.send("uci", "setoption name UCI_Variant value gorogo", "isready")
        engine.wait("readyok", 300.0)
        engine.send("position startpos", "go depth 1")
        engine.wait("bestmove", 300.0)
        assert engine.quit(60.0) == ""
        return [line for line in engine.log if line.startswith("info string")]

    first = start()
    assert any("compiling the kernels" in line for line in first)
    assert any("kernels compiled and kept in" in line for line in first)
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.kernel")}
    assert len(files) > 10
    assert not any("compil" in line for line in start())
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.kernel")} == files


def test_a_start_from_the_cache_needs_no_compiler() -> None:
    """Neither numba nor LLVM, whose libraries are large."""
    code = (
        "import sys\n"
        "from ryugi_engine.commands import cli\n"
        "cli.main(['perft', '--depth', '2'])\n"
        "print(sorted({'numba', 'llvmlite'} & set(sys.modules)))\n"
    )
    for _ in range(2):  # the first one may have to compile
        done = completed([sys.executable, "-c", code], check=True)
    wanted = [] if elf.is_supported() else ["llvmlite"]
    assert done.stdout.splitlines()[-1] == repr(wanted)
