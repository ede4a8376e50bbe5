"""Scripts of tests that see what the modules of a page export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ryugi_engine.records.webpage import FOLDER, modules
from ryugi_engine.web import assets
from tests.support.helpers import patient

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


def wait(browser: Any, names: list[str], script: str, *given: Any, seconds: float = 20.0) -> None:
    """Wait until an expression is true; what fails may be there later."""
    from selenium.common.exceptions import JavascriptException
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, patient(seconds), 0.02, [JavascriptException]).until(
        lambda _: run(browser, names, f"return {script}", *given), script
    )
