"""The search's numbers: declared once, within their range, tunable in a checkout only."""

from __future__ import annotations

import os
import runpy
import shutil
import sys
from pathlib import Path

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.kernel.cache_key import _facts_of, content_key_of
from ryugi_engine.search import parameters
from ryugi_engine.search.parameters import PARAMETERS, Parameter
from ryugi_engine.search.root import search_root
from tests.support.helpers import completed

_SOURCE = Path(parameters.__file__)


@pytest.mark.parametrize("parameter", PARAMETERS, ids=lambda p: p.name)
def test_each_has_its_constant_and_its_range(parameter: Parameter) -> None:
    assert getattr(parameters, parameter.name.upper()) == parameter.value
    assert parameter.low <= parameter.value <= parameter.high
    assert parameter.low < parameter.high
    assert parameter.meaning


def test_another_value_is_another_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A constant that changes nothing in the kernels is one that no kernel uses."""

    def key() -> str:
        return content_key_of([search_root.function], "x86-64")

    before = key()
    for parameter in PARAMETERS:
        name = parameter.name.upper()
        with monkeypatch.context() as patch:
            patch.setattr(parameters, name, parameter.value + 1)
            _facts_of.cache_clear()
            assert (key() != before) == parameter.compiled, name
    _facts_of.cache_clear()
    assert key() == before


def test_the_environment_gives_values(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = parameters.RAZORING_MARGIN
    monkeypatch.setenv("RYUGI_TUNE", "rfp_margin=90, null_base=3")
    tuned = runpy.run_path(str(_SOURCE))
    assert (tuned["RFP_MARGIN"], tuned["NULL_BASE"], tuned["RAZORING_MARGIN"]) == (90, 3, usual)
    assert {p.name: p.value for p in tuned["PARAMETERS"]}["rfp_margin"] == 90


def test_an_installed_engine_does_not_look(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    copy = tmp_path / "ryugi_engine" / "search" / _SOURCE.name
    copy.parent.mkdir(parents=True)
    shutil.copy(_SOURCE, copy)
    monkeypatch.setenv("RYUGI_TUNE", "rfp_margin=90")
    assert runpy.run_path(str(copy))["RFP_MARGIN"] == parameters.RFP_MARGIN


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("rfp_margin=1001", "rfp_margin is 0 to 1000, not 1001"),
        ("null_divisor=0", "null_divisor is 1 to 100, not 0"),
        ("rfp_margin=", 'rfp_margin is a whole number, not ""'),
        ("rfp_margin=8.5", 'rfp_margin is a whole number, not "8.5"'),
        ("rfp_margin=1,rfp_margin=2", "rfp_margin is given twice"),
        ("fertility=3", 'there is no parameter "fertility"'),
        ("rfp_margin", '"rfp_margin" is not "name=value"'),
        ("rfp_margin=80,", '"" is not "name=value"'),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    text: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RYUGI_TUNE", text)
    with pytest.raises(UserError) as error:
        runpy.run_path(str(_SOURCE))
    assert str(error.value) == f"RYUGI_TUNE: {fault}"


@pytest.mark.parametrize("command", [["bench", "--variant", "gorogo"], ["uci"]])
def test_commands_end_with_that_line(command: list[str]) -> None:
    done = completed(
        [sys.executable, "-m", "ryugi_engine", *command],
        env={**os.environ, "RYUGI_TUNE": "fertility=3"},
        input="quit\n",
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == 'ryugi-engine: RYUGI_TUNE: there is no parameter "fertility"\n'
