"""What a public host reads of the repository: the workflow that tests."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import yaml

from ryugi_engine.commands import command_line
from tests.support.helpers import ROOT

PUBLIC = ROOT / ".github"


def held(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_workflow_runs_what_contributors_run() -> None:
    jobs = held(PUBLIC / "workflows" / "test.yml")["jobs"]
    runs = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    assert "scripts/test" in runs
    for run in runs:
        for script in re.findall(r"\bscripts/\w+", run):
            assert os.access(ROOT / script, os.X_OK), script
        for command in re.findall(r"\bryugi-engine (\w+)", run):
            assert command in command_line.COMMANDS, command
    installed = " ".join(runs)
    needed = re.findall(r"xboard|xvfb|xdotool|imagemagick", (ROOT / ".ci" / "run").read_text())
    assert needed
    for program in needed:
        assert program in installed
