"""What axe-core and our own look at widths and sizes find wrong with a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.npm import npm_package
from tests.support.viewer import CHECK


def axe_source(folder: Path) -> str:
    """The source of axe-core, installed below a folder."""
    package = npm_package("axe-core@4", folder)
    return (package / "axe.min.js").read_text(encoding="utf-8")


class Accessibility:
    """Collects what is serious; ``found`` has it all."""

    def __init__(self, browser: Any, axe: str) -> None:
        self._browser = browser
        self.found: list[str] = []
        browser.execute_script(axe)

    def look(self, where: str) -> None:
        """Look at what the page shows now."""
        result = self._browser.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            " axe.run({resultTypes: ['violations']}).then(done)"
        )
        for one in result["violations"]:
            if one["impact"] in ("serious", "critical"):
                nodes = [node["html"][:120] for node in one["nodes"][:3]]
                self.found.append(f"{where}: {one['id']}: {one['help']} {nodes}")
        self.found.extend(f"{where}: {text}" for text in self._browser.execute_script(CHECK))
