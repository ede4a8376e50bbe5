"""Who may import whom, and what must not be imported early."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import ryugi_engine
from ryugi_engine.commands import command_line
from tests.conftest import OTHERS
from tests.support.helpers import ROOT, completed


def _of(package: str, names: str) -> tuple[str, ...]:
    """The modules of a package of the engine, by their names."""
    return tuple(f"ryugi_engine.{package}.{name}" for name in names.split())


_KERNEL = _of("kernel", "abi bits block hashing jit memory views")
_PROTOCOL = (
    *_of("core", "conversation events options session"),
    *_of("games", "game groups registry"),
    *_of("search", "levels limits"),
    "ryugi_engine.text.numbers",
)
_EVERYBODY = (
    "ryugi_engine.__version__",
    "ryugi_engine.errors",
    "ryugi_engine.files.output",
    "ryugi_engine.text.plain_text",
    "ryugi_engine.settings.argument",
)
#: What a part of the kernels' side, or a protocol, may import of the engine, by module prefix.
#: Of the others a test below holds that packages do not import in circles.
ALLOWED = {
    "variants": (
        *_KERNEL,
        *_of("kernel", "bundle copying declarations defaults move_list repetition vectors"),
        *_of("games", "board_editor definitions drawing editor game groups lettered look"),
        *_of("games", "move_diagram notation rules training"),
        *_of("nnue", "architecture file_format float_net inputs kernels net origin"),
        *_of("train", "dataset gradients trainable_game trial"),
        "ryugi_engine.processes.process",
        "ryugi_engine.proving.table",
        "ryugi_engine.simple_game",
        "variants",
    ),
    "uci": (*_PROTOCOL, "uci"),
    "xboard": (
        *_PROTOCOL,
        "ryugi_engine.games.notation",
        "ryugi_engine.search.time_management",
        "xboard",
    ),
    "ryugi_engine/search": (
        *_KERNEL,
        "ryugi_engine.kernel.calls",
        *_of("games", "game position registry"),
        *_of("files", "locks reading writing"),
        "ryugi_engine.search",
    ),
    "ryugi_engine/simple_game": (
        *_KERNEL,
        *_of("kernel", "copying defaults declarations vectors"),
        *_of("games", "facts game notation rules training"),
        *_of("nnue", "architecture file_format inputs kernels net"),
        "ryugi_engine.simple_game",
    ),
}
#: uci starts these two long jobs itself; both are numba's side of the house, loaded late.
LATE = {
    "uci": ("ryugi_engine.perft.count", "ryugi_engine.search.bench", "ryugi_engine.search.report"),
    "xboard": ("ryugi_engine.games.position", "ryugi_engine.search.report"),
}


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """(module, whether at the top level and at run time) of every import in a file."""
    tree = ast.parse(path.read_text())
    early = set()
    for node in tree.body:
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            early |= {id(n) for n in [node] if isinstance(n, ast.Import | ast.ImportFrom)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, id(node) in early
        elif isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                yield f"{node.module}.{name.name}", id(node) in early


@pytest.mark.parametrize("part", ALLOWED)
def test_import_rules(part: str) -> None:
    files = sorted((ROOT / part).rglob("*.py"))
    assert files
    for path in files:
        for module, early in imports(path):
            if module.split(".")[0] not in ("ryugi_engine", "variants", "uci", "xboard"):
                continue
            if module.startswith(_EVERYBODY):
                continue
            late = not early and module.startswith(LATE.get(part, ("-",)))
            assert module.startswith(ALLOWED[part]) or late, f"{path} imports {module}"


def test_only_what_finds_the_games_names_variants() -> None:
    for path in sorted((ROOT / "ryugi_engine").rglob("*.py")):
        if path.name != "packages.py":
            assert not [m for m, _ in imports(path) if m.split(".")[0] == "variants"], path


def own_imports(path: Path, folder: Path) -> dict[str, set[str]]:
    """The modules of its own package that a game's module imports, late or not, and what of them.

    What only a type checker reads counts too.
    """
    package = f"variants.{folder.name}"
    results: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(path.read_text())):
        names = [name.name for name in getattr(node, "names", []) if hasattr(name, "name")]
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(package + "."):
            inside = str(node.module).removeprefix(package).removeprefix(".")
            if not inside or (folder / inside.replace(".", "/")).is_dir():
                for name in names:
                    results.setdefault(f"{inside}.{name}".removeprefix("."), set()).add("*")
            else:
                results.setdefault(inside, set()).update(names)
        elif isinstance(node, ast.Import):
            assert not any(name.startswith(package) for name in names), path
    return results


def module_of(path: Path, folder: Path) -> str:
    """The name of a game's module in its package."""
    return ".".join(path.relative_to(folder).with_suffix("").parts)


#: A folder for each game, and the one that shows authors how.
GAME_FOLDERS = [
    *(path.parent for path in sorted((ROOT / "variants").glob("*/__init__.py"))),
    ROOT / "tests" / "support" / "by_hand" / "breakthrough",
]
#: Modules that a reference may read: what the game is, and its texts.
PLAIN = {"definition", "shapes", "text", "definition.definition", "notation.text"}
#: Functions that it may share with the text around the kernels: positions and moves as text.
TEXT = {"parse_text", "format_text", "at_position", "parse_placement", "move_name", "normal_name"}


def circular(needs: dict[str, set[str]]) -> set[str]:
    """What is in a circle, or between two."""
    left = dict(needs)
    while True:
        needed = set().union(*left.values())
        free = [name for name in left if not needs[name] & left.keys() or name not in needed]
        if not free:
            return set(left)
        for name in free:
            del left[name]


@pytest.mark.parametrize("folder", GAME_FOLDERS, ids=lambda path: str(path.name))
def test_modules_of_a_game_do_not_import_in_circles(folder: Path) -> None:
    modules = {module_of(p, folder): set(own_imports(p, folder)) for p in folder.rglob("*.py")}
    assert len(modules) > 3
    assert not circular(modules)


def _part(module: str) -> str:
    """The package of the engine, or its single module, that a module belongs to."""
    top, *below = module.split(".")
    return f"{top}.{below[0]}" if top == "ryugi_engine" and below else top


def test_packages_do_not_import_in_circles() -> None:
    """Late imports count, and those for types: an arrow between two packages points one way."""
    needed: dict[str, set[str]] = {}
    for folder in ("ryugi_engine", "variants", "uci", "xboard"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            part = _part(".".join(path.relative_to(ROOT).with_suffix("").parts))
            modules = {module for module, _ in imports(path)}
            results = {_part(module) for module in modules if _part(module) != part}
            needed[part] = needed.get(part, set()) | results
    assert len(needed) > 20
    assert not circular(needed)


@pytest.mark.parametrize(
    "package",
    sorted(path.parent for path in (ROOT / "ryugi_engine").rglob("__init__.py")),
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_modules_of_a_package_do_not_import_in_circles(package: Path) -> None:
    """Late imports count, and those for types."""
    prefix = ".".join(package.relative_to(ROOT).parts) + "."
    files = {
        ".".join(path.relative_to(package).with_suffix("").parts): path
        for path in package.rglob("*.py")
    }
    needed: dict[str, set[str]] = {}
    for name, path in files.items():
        modules = {module for module, _ in imports(path) if module.startswith(prefix)}
        needed[name] = {
            other
            for other in files.keys() - {name}
            if any(f"{module}.".startswith(f"{prefix}{other}.") for module in modules)
        }
    assert not circular(needed), circular(needed)


@pytest.mark.parametrize("folder", GAME_FOLDERS, ids=lambda path: str(path.name))
def test_reference_rules_share_nothing_with_what_they_check(folder: Path) -> None:
    """Of its own package a reference has the definition's data and the reading of texts alone.

    Types and constants it may share with the kernels' side; functions, but for texts, it may not.
    """
    parts = [folder / "reference.py", *folder.glob("reference/*.py")]  # a long one is a folder
    parts = [path for path in parts if path.exists()]
    names_of_parts = {module_of(path, folder) for path in parts}
    assert any(own_imports(path, folder) for path in parts), folder
    for part in parts:
        for module, names in own_imports(part, folder).items():
            if module in names_of_parts:
                continue
            assert module in PLAIN, f"{folder.name}: the reference imports {module}"
            functions = {name for name in names if not name[0].isupper()}
            assert functions <= TEXT, f"{folder.name}: the reference imports {functions - TEXT}"
    rules = names_of_parts - {"reference.board"}  # attacks, by which positions are judged
    for path in sorted(folder.rglob("*.py")):
        if path.stem != "__init__" and path not in parts:
            assert not rules & own_imports(path, folder).keys(), path


def test_only_the_command_line_imports_commands() -> None:
    for folder in ("ryugi_engine", "variants", "uci", "xboard"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.parent.name != "commands" and path != ROOT / "ryugi_engine" / "__main__.py":
                results = [m for m, _ in imports(path) if m.startswith("ryugi_engine.commands")]
                assert not results, path


def test_the_engine_does_not_need_the_library() -> None:
    """What others import is a layer on top, which the engine itself never uses."""
    package = ROOT / "ryugi_engine"
    inside, examples = package / "api", package / "examples"
    for folder in ("ryugi_engine", "variants", "uci", "xboard"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.parent not in (inside, examples) and path != package / "__init__.py":
                above = ("ryugi_engine.api", "ryugi_engine.examples")
                assert not [m for m, _ in imports(path) if m.startswith(above)], path
    for path in inside.rglob("*.py"):
        assert not [m for m, _ in imports(path) if m.startswith(("uci", "xboard", "variants"))], (
            path
        )
    public = {f"ryugi_engine.{name}" for name in ryugi_engine.__all__}
    for path in examples.rglob("*.py"):
        own = {m for m, _ in imports(path) if m.partition(".")[0] == "ryugi_engine"}
        assert own <= public, path


def names_in(names: Iterable[str], text: str) -> list[str]:
    """The games that a text names by a whole word: "hexadecimal" does not name hex."""
    return [name for name in names if re.search(rf"\b{name}\b", text)]


def test_nobody_else_knows_a_placement_games_name() -> None:
    """A game is one folder: the engine and the protocols work without naming it."""
    names = {name.split("-")[0] for name in OTHERS} | {"gomoku_roku"}
    for folder in ("ryugi_engine", "uci", "xboard"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text().lower()
            assert not names_in(names, text), path


def test_introduction_needs_no_numba() -> None:
    """`uci` is answered before numba is imported; the games and options are known without it."""
    code = (
        "import sys, io, uci.protocol, xboard.protocol, ryugi_engine.commands.cli\n"
        "from ryugi_engine.core.conversation import GuiConnection\n"
        "from ryugi_engine.core.session import Session\n"
        "session = Session(lambda event: None)\n"
        "session.begin_loading = lambda: None\n"
        "session.wait_ready = lambda: None\n"
        "protocols = xboard.protocol.CecpProtocol, uci.protocol.UciProtocol\n"
        "for protocol, word in zip(protocols, ('protover 2', 'uci')):\n"
        "    protocol(GuiConnection(sys.stdout), session).answer(word)\n"
        "assert not {'numba', 'numpy', 'llvmlite', 'chess'} & set(sys.modules), 'imported early'\n"
    )
    done = completed([sys.executable, "-c", code])
    assert done.returncode == 0, done.stderr
    assert "\nfeature done=1\n" in done.stdout
    assert done.stdout.endswith("uciok\n")


#: What `uci` is answered without: games, the parser of the command line, costly parts of Python.
_LATE = {"argparse", "ast", "dataclasses", "difflib", "inspect", "json", "subprocess", "tomllib"}
_LATE |= {"numpy", "ryugi_engine.files.output", "ryugi_engine.games.game", "variants.chess"}


def test_introduction_needs_no_game(tmp_path: Path) -> None:
    """The first start reads the games and keeps their names, by which others answer."""
    code = (
        "import os, sys\n"
        "from ryugi_engine.commands import cli\n"
        "from ryugi_engine.core.conversation import GuiConnection\n"
        "def write(self, *lines):\n"
        "    print(*lines, sep='\\n')\n"
        f"    print(sorted({_LATE!r} & set(sys.modules)), flush=True)\n"
        "    os._exit(0)\n"
        "GuiConnection.write = write\n"
        "cli.main([])\n"
    )
    environment = {**os.environ, "RYUGI_CACHE_DIR": str(tmp_path), "RYUGI_GAMES": ""}
    outputs = []
    for _ in range(2):
        done = completed([sys.executable, "-c", code], input="uci\n", env=environment)
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout.splitlines())
    (*first, read), (*second, nothing) = outputs
    assert first[-1] == "uciok"
    assert first == second
    assert "variants.chess" in read
    assert nothing == "[]"


_LARGE = {"numba", "numpy", "llvmlite", "chess"}
#: Command lines, and what they must not import: what computes nothing is answered at once.
UNNEEDED = [
    ("games", _LARGE),
    ("uci --help", _LARGE),
    ("record --help", _LARGE),
    ("--help", _LARGE),
    ("--version", {*_LARGE, "importlib.metadata", "subprocess", "ryugi_engine.games"}),
    ("match --help", {"distributed", "dask", "tornado"}),
    ("perft --variant gorogo --depth 1", {"distributed", "dask", "tornado"}),
]


@pytest.mark.parametrize(("words", "unneeded"), UNNEEDED)
def test_what_a_command_does_not_need_is_not_imported(words: str, unneeded: set[str]) -> None:
    code = (
        "import sys\n"
        "from ryugi_engine.commands import cli\n"
        "try:\n"
        f"    code = cli.main({words.split()!r})\n"
        "except SystemExit as leaving:\n"
        "    code = leaving.code\n"
        f"assert not {unneeded!r} & set(sys.modules), 'imported early'\n"
        "sys.exit(code)\n"
    )
    done = completed([sys.executable, "-c", code])
    assert done.returncode == 0, done.stderr


def test_the_command_line_needs_no_package() -> None:
    """The manual page is made from it where a wheel is built: there is Python's library alone."""
    code = "from ryugi_engine.commands.command_line import parser; print(parser().format_help())"
    done = completed([sys.executable, "-S", "-c", code])
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n    ") >= len(command_line.COMMANDS)


def test_users_errors_go_through_untouched() -> None:
    """An error is raised in the words that users read, and caught where they are answered."""
    names: dict[str, Path] = {}
    for folder in ("ryugi_engine", "variants", "uci", "xboard"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ClassDef):
                    if any(re.search("Error|Exception", ast.unparse(base)) for base in node.bases):
                        assert node.name not in names, f"{path}, {names[node.name]}: {node.name}"
                        names[node.name] = path
                elif isinstance(node, ast.Raise) and node.exc:
                    again = re.fullmatch(r"(\w+)\(str\(error\)\)", ast.unparse(node.exc))
                    assert again is None, f"{path}:{node.lineno}: {again and again[0]}"
    assert names["UserError"] == ROOT / "ryugi_engine" / "errors.py"


def test_files_have_one_subject_and_stay_readable() -> None:
    for folder in ("ryugi_engine", "variants", "uci", "xboard"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            lines = path.read_text().count("\n")
            assert lines <= 450, f"{path} has {lines} lines"
