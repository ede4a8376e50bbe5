"""Scripts of tests that see what the modules of a page export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ryugi_engine.records.webpage import FOLDER, modules
from ryugi_engine.web import assets

#: Names of the modules of the replay page but for the one that begins it, and of the page on which
#: one plays.
REPLAY = sorted(modules(FOLDER).keys() - {"records/main.js"})
PLAY = [*REPLAY, *sorted(modules(Path(assets.__file__).parent / "page"))]


def run(browser: Any, names: list[str], script: str, *given: Any) -> Any:
    """Run the body of a function in which ``state``, ``go`` and all other exports are variables.

    JavascriptException if it fails, or the page shows no position yet.
    """
    return browser.execute_script(
        "if (!document.body.dataset.ply) throw new Error('no position is shown');"
        f"window.exported ??= Promise.all({names}.map(name => import(name)))"
        ".then(all => Object.assign({}, ...all));"
        f"return window.exported.then(exported => {{ with (exported) {{ {script} }} }});",
        *given,
    )
