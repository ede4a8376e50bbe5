"""What a public host reads of the repository: the workflow that tests, and the forms of issues."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from ryugi_engine import command_line
from tests.support.helpers import ROOT

PUBLIC = ROOT / ".github"
FORMS = sorted(path for path in (PUBLIC / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")


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


@pytest.mark.parametrize("path", FORMS, ids=lambda path: str(path.stem))
def test_a_form_is_one(path: Path) -> None:
    form = held(path)
    assert {"name", "description", "body"} <= set(form)
    names = [part["id"] for part in form["body"]]
    assert len(names) == len(set(names)) > 0
    for part in form["body"]:
        assert part["type"] in ("textarea", "input")
        assert set(part) <= {"type", "id", "attributes", "validations"}
        assert set(part["attributes"]) <= {"label", "description", "render", "placeholder"}
        assert part["attributes"]["label"]
    for named in re.findall(r"[a-z_]+/[a-z_/]+[A-Z]+\.md", path.read_text()):
        assert (ROOT / named).exists(), named


def test_faults_come_with_what_doctor_says() -> None:
    (form,) = (held(path) for path in FORMS if path.stem == "fault")
    (part,) = (part for part in form["body"] if part["id"] == "doctor")
    assert part["validations"]["required"] is True
    assert "ryugi-engine doctor" in part["attributes"]["description"]
