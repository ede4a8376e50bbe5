"""The build backend: hatchling, and for a wheel what its kernels are compiled with.

An editable installation, as `scripts/prepare` makes it, compiles nothing and needs hatchling alone.
Source: PEP 517, PEP 660.
"""

from __future__ import annotations

from pathlib import Path

from hatchling import build
from hatchling.build import build_editable, build_sdist, build_wheel, get_requires_for_build_sdist
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

__all__ = ["build_editable", "build_sdist", "build_wheel", "get_requires_for_build_sdist"]


def get_requires_for_build_wheel(config_settings: dict[str, object] | None = None) -> list[str]:
    """Return what the build hook imports."""
    project = ProjectMetadata(str(Path.cwd()), PluginManager())
    return [*build.get_requires_for_build_wheel(config_settings), *project.core.dependencies]


def get_requires_for_build_editable(config_settings: dict[str, object] | None = None) -> list[str]:
    """Return nothing."""
    return []
