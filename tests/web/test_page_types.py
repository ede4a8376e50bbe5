"""The pages' modules: what they import, and types in their comments, which TypeScript checks."""

from __future__ import annotations

import re
import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from ryugi_engine.records.webpage import FOLDER, modules
from tests.support.npm import npm_package

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parent / "page_types"


@pytest.fixture(scope="module")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that checks a project's types."""
    package = npm_package("typescript@5", tmp_path_factory.mktemp("typescript"))
    return ["node", str(package / "bin" / "tsc"), "--pretty", "false", "--project"]


def test_imports_have_an_order() -> None:
    """No circle, so each module begins after what it imports; the replay page needs no other."""
    replay, live = modules(FOLDER), modules(FOLDER.parents[1] / "web" / "page")
    imports = {
        name: re.findall(r'^import (?:{[^}]*} from )?"(.+)";$', text, re.MULTILINE)
        for name, text in (replay | live).items()
    }
    assert set(TopologicalSorter(imports).static_order()) == imports.keys()
    assert {name for one in replay for name in imports[one]} <= replay.keys()


def test_types(compiler: list[str]) -> None:
    done = subprocess.run([*compiler, str(PROJECT)], capture_output=True, text=True, timeout=300)
    assert done.stdout == ""
    assert done.returncode == 0


def test_faults_are_found(compiler: list[str], tmp_path: Path) -> None:
    """A field that no position has, a parameter of no type, a name that is not exported."""
    (tmp_path / "wrong.js").write_text(
        'import { flop } from "records/view.js";\nflop();\n'
        "/** @param {PageNode} node */\nconst nodeFault = node => node.nothing;\n"
        "const untyped = one => one;\n"
    )
    (tmp_path / "tsconfig.json").write_text(
        f'{{"extends": "{PROJECT}/tsconfig.json", "include": ["wrong.js", "{PROJECT}/page.d.ts"]}}'
    )
    done = subprocess.run([*compiler, str(tmp_path)], capture_output=True, text=True, timeout=300)
    assert "'nothing' does not exist on type 'PageNode'" in done.stdout
    assert "has no exported member 'flop'" in done.stdout
    assert "'one' implicitly has an 'any' type" in done.stdout
