"""Every benchmark runs: they are run by hand only now and then, and would break unseen."""

from __future__ import annotations

import os
import re
import sys

import pytest

from tests.support.helpers import completed


@pytest.mark.soak
def test_every_benchmark_runs() -> None:
    """With small numbers; a peer that is not installed is all that may be missing."""
    # no process of pytest-xdist, where pytest-benchmark measures nothing
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    environment["RYUGI_BENCH"] = "short"
    words = ["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "-p", "no:xdist", "bench"]
    done = completed([sys.executable, *words], env=environment)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    passed = re.search(r"^(\d+) passed", done.stdout, re.MULTILINE)
    assert passed is not None, done.stdout
    assert int(passed[1]) > 20
    for reason in re.findall(r"^SKIPPED \[\d+\] \S+ (.*)$", done.stdout, re.MULTILINE):
        assert "Stockfish" in reason or "FAIRY_STOCKFISH" in reason, reason
