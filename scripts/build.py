"""What a build adds to the tree: commit, manual page, a wheel's games' names and compiled kernels.

hatchling runs this for sdist and wheel (`pyproject.toml`); in the tree itself nothing is written.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PAGE = "share/man/man1/ryugi-engine.1"
#: Environment variable for a wheel without kernels.
_PURE = "RYUGI_PURE_WHEEL"
_COMPILE = """\
import sys
sys.path.insert(0, {root!r})
from ryugi_engine.commands import warmup
warmup.package({folder!r})
"""


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling's build hook: add compiled kernels, the commit and games' names to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from ryugi_engine import about
        from ryugi_engine.games import names

        self._made = tempfile.TemporaryDirectory()
        commit = about.commit()
        if commit and not (Path(self.root) / "ryugi_engine" / about.BUILT).exists():
            path = self._put(about.BUILT, f"{commit}\n")
            build_data["force_include"][path] = f"ryugi_engine/{about.BUILT}"
        if self.target_name == "wheel":
            path = self._put(names.NAME, names.content().decode())
            build_data["force_include"][path] = f"ryugi_engine/{names.NAME}"
            path = self._put("ryugi-engine.1", self._page())
            build_data["shared_data"][path] = _PAGE
            self._add_kernels(build_data)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._made.cleanup()

    def _put(self, name: str, text: str) -> str:
        path = Path(self._made.name) / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def _add_kernels(self, build_data: dict[str, Any]) -> None:
        """Compile the kernels into the wheel; where that fails, the wheel is one without them."""
        from ryugi_engine.kernel import packaged, targets

        if not targets.is_linux_x86_64() or os.environ.get(_PURE):
            return
        folder = Path(self._made.name) / packaged.NAME
        self.app.display_waiting("compiling kernels, a minute or two")
        # by a process of its own: even if that fails, there will be a wheel
        code = _COMPILE.format(root=self.root, folder=str(folder))
        done = subprocess.run(
            [sys.executable, "-P", "-c", code], stdin=subprocess.DEVNULL, check=False
        )
        if done.returncode:
            self.app.display_warning("no kernels in this wheel: they are compiled when it is used")
            return
        build_data["force_include"][str(folder)] = f"ryugi_engine/{packaged.NAME}"
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-linux_x86_64"

    def _page(self) -> str:
        from argparse_manpage.manpage import Manpage

        from ryugi_engine.commands import command_line

        version = self.metadata.version
        changes = (Path(self.root) / "CHANGELOG.md").read_text(encoding="utf-8")
        released = re.search(rf"^## {re.escape(version)} - (\S+)$", changes, re.MULTILINE)
        entries = {
            "project_name": "ryugi-engine",
            "version": version,
            "date": released[1] if released else "",
            "description": self.metadata.core.description,
            "manual_title": "Games",
        }
        return str(Manpage(command_line.parser(), _data=entries))
