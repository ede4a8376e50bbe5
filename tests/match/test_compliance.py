"""``match --check``: what an engine does wrong is named by the step that it belongs to."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from fnmatch import fnmatch

import pytest

from ryugi_engine.games.registry import Registry, registry
from ryugi_engine.match.compliance.checker import Checker, Fault, Line, Search, Settings
from ryugi_engine.match.compliance.places import Place, Places
from ryugi_engine.match.compliance.steps import Check, StepResult, judge_variations
from ryugi_engine.match.compliance.uci import STEPS
from ryugi_engine.match.compliance.uci_lines import Malformed, parse_info, parse_option
from ryugi_engine.match.engine import Answer
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timeouts import Timeouts
from tests.support.effort import effort
from tests.support.helpers import SUPPORT, command, completed

ENGINE = f"'{sys.executable}' '{SUPPORT / 'compliance_engine.py'}'"
STOCKFISH = shutil.which("stockfish", path=f"{os.environ.get('PATH', '')}:/usr/games")
_GAMES = ("chess", "chess960", "ryugi", "gorogo", "gomokuroku", "goryujin")
OURS = f"'{sys.executable}' -m ryugi_engine"
#: The first step that fails, by the fault of the engine.
FAULTS = {
    "none": "",
    "no-author": "introduction",
    "spin": "options",
    "dies-of-words": "unknown commands",
    "stray": "unknown commands",
    "no-moves": "position startpos",
    "capitals": "position startpos",
    "twice": "position startpos",
    "deeper": "go depth",
    "late": "go movetime",
    "flag": "clock",
    "any-move": "searchmoves",
    "early": "stop",
    "slow-stop": "stop",
    "busy": "isready in a search",
    "impatient": "ponder",
    "same-lines": "MultiPV",
    "blind": "win in one",
    "no-mate": "win in one",
    "plays-on": "finished games",
    "hashfull": "info lines",
    "word": "info lines",
    "pv": "principal variations",
    "other-pv": "principal variations",
    "no-score": "scores",
    "deaf-to-quit": "quit",
    "deaf-to-end": "end of input",
}


class _Enough(Exception):
    """The first step has failed."""


async def first_failure(places: Places, fault: str) -> str:
    """The first step that fails with a fault, "" if none does."""
    spec = EngineSpec(cmd=f"{ENGINE} {fault}")
    settings = Settings(spec, places.start.position.game, places, 2.0, Timeouts(30.0, 30.0))
    lines: list[StepResult] = []

    def tell(verdict: StepResult) -> None:
        lines.append(verdict)
        if verdict.result == "failed":
            raise _Enough

    try:
        await Check(Checker(settings), STEPS, tell).run()
    except _Enough:
        return lines[-1].step
    return ""


@pytest.mark.slow
def test_each_fault_is_named_by_its_step() -> None:
    places = Places.find(Registry().game("chess"), seed=0)

    async def all_of_them() -> list[str]:
        turns = asyncio.Semaphore(8)

        async def one(fault: str) -> str:
            async with turns:
                return await first_failure(places, fault)

        return await asyncio.gather(*map(one, FAULTS))

    assert dict(zip(FAULTS, asyncio.run(all_of_them()), strict=True)) == FAULTS


def failed_steps(game: str, *engine: str) -> list[str]:
    """The steps that fail, at least twenty being well."""
    words = [sys.executable, "-m", "ryugi_engine", "match", "--variant", game, "--json"]
    words += ["--time-margin", "3000", "--check", *engine]
    done = completed(words)
    *steps, last = [json.loads(line) for line in done.stdout.splitlines()]
    failed = [f"{step['step']}: {step['message']}" for step in steps if step["result"] == "failed"]
    assert done.returncode == (1 if failed else 0), done.stderr
    assert failed or last["ok"] >= 20
    return failed


@pytest.mark.more
@pytest.mark.slow
@pytest.mark.parametrize("game", effort(["ryugi"], _GAMES))
def test_ours_passes(game: str) -> None:
    assert not failed_steps(game, f"cmd={OURS}")


@pytest.mark.more
@pytest.mark.slow
@pytest.mark.parametrize("game", effort(["chess960"], _GAMES))
def test_ours_plays_cecp_without_a_fault(game: str) -> None:
    words = [
        *["match", "--json", "--time-margin", "60000", "--check", "proto=xboard"],
        f"cmd={OURS}",
    ]
    done = command(*words, "--variant", game)
    (last,) = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, last["games"], last["faults"]) == (0, 2, 0), done.stderr


@pytest.mark.parametrize(
    ("fault", "lines"),
    [
        ("none", ["2 games: no fault"]),
        (
            "illegal",
            ["game 1, White: illegal move: illegal move 'e2e5'*", "game 2, *", "2 games: 2 *"],
        ),
        (
            "twice",
            ["game 1, *: illegal move: 'move *' out of turn", "game 2, *", "2 games: 2 faults"],
        ),
        ("die", ["game 1, White: crash: *exit code 5", "game 2, *", "2 games: 2 faults"]),
        ("late", ["game 1, White: time forfeit: * ms too late", "game 2, *", "2 games: 2 faults"]),
        ("claim", ["game 1, White: false claim: '1/2-1/2 *", "game 2, *", "2 games: 2 faults"]),
        ("exit", ["* did not start: the engine ended: exit code 3*", "0 games: 1 fault"]),
    ],
)
def test_each_fault_of_cecp_has_a_line(fault: str, lines: list[str]) -> None:
    engine = f"'{sys.executable}' '{SUPPORT / 'match_engine.py'}' {fault} xboard"
    done = command(*["match", "--variant", "chess", "--check", "proto=xboard"], f"cmd={engine}")
    assert done.returncode == (fault != "none"), done.stderr
    assert len(done.stdout.splitlines()) == len(lines), done.stdout
    for line, pattern in zip(done.stdout.splitlines(), lines, strict=True):
        assert fnmatch(line, pattern), line


@pytest.mark.slow
@pytest.mark.skipif(STOCKFISH is None, reason="needs Stockfish")
@pytest.mark.parametrize("game", ["chess", "chess960"])
def test_stockfish_passes(game: str) -> None:
    assert not failed_steps(game, f"cmd={STOCKFISH}", "proto=uci")


def test_a_failed_step_is_told_in_one_line() -> None:
    words = [sys.executable, "-m", "ryugi_engine", "match", "--variant", "chess"]
    words += ["--check", f"cmd={ENGINE} no-author", "proto=uci"]
    done = completed(words)
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert lines[0].split(maxsplit=2) == ["introduction", "failed:", "no 'id author'"]
    assert all(line.split()[-2:] == ["'introduction'", "failed"] for line in lines[1:-1])
    assert lines[-1].endswith("failed: introduction")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("option name Hash type spin default 16 min 1 max 8", "not in 1..8"),
        ("option name Hash type spin default x min 1 max 8", "is not a whole number"),
        ("option name Hash type check default true", "is of type spin"),
        (f"option name A type spin default {5000 * '1'} min 1 max 8", "default 1{40} is not in"),
        ("option name A type check default yes", "neither true nor false"),
        ("option name A type combo default c var a var b", "is none of a, b"),
        ("option name A type button default 1", "a button has no default"),
        ("option name A type file default 1", "none of check"),
        ("option name A value B type check default true", "the word value"),
        ("option name A", "not like"),
    ],
)
def test_faulty_options(line: str, fault: str) -> None:
    with pytest.raises(Malformed, match=fault):
        parse_option(line)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("info depth x", "is not a whole number"),
        ("info depth 1 depth 2", "twice"),
        ("info hashfull 1001", "not in 0..1000"),
        ("info nodes " + 5000 * "9", "nodes 9{40} is not in"),
        ("info score cp " + 5000 * "9", "score cp 9{40} is not in"),
        ("info score 12", "neither"),
        ("info score cp 1.5", "score cp '1.5' is not a whole number"),
        ("info score cp 1 lowerbound upperbound", "two bounds"),
        ("info depth 1 wdl 1 2 3", "1000 in all"),
        ("info depth 1 pv", "no move after pv"),
        ("info multipv 0 score cp 1", "begins with 1"),
        ("info speed 5", "unknown word"),
    ],
)
def test_faulty_infos(line: str, fault: str) -> None:
    with pytest.raises(Malformed, match=fault):
        parse_info(line)


@pytest.mark.parametrize(
    ("lines", "move", "right"),
    [
        (["depth 1 score cp 9 pv e2e4", "depth 2 score cp 9 pv d2d4"], "d2d4", True),
        (["depth 1 score cp 9 pv e2e4", "depth 2 score cp 9 pv d2d4"], "e2e4", False),
        (["depth 1 score cp 9 pv e2e4", "depth 2 score cp 40 lowerbound pv d2d4"], "d2d4", True),
        (["depth 1 score cp 9 pv e2e4", "depth 2 score cp -4 upperbound pv d2d4"], "e2e4", True),
        (["depth 1 score cp 9 pv e2e4", "depth 2 score cp 40 lowerbound pv d2d4"], "g1f3", False),
        (["depth 1 score cp 9 pv e2e4", "depth 1 multipv 2 score cp 4 pv d2d4"], "d2d4", False),
        (["depth 2 score cp -4 upperbound pv d2d4"], "e2e4", True),
    ],
)
def test_the_best_move_begins_the_last_variation(lines: list[str], move: str, right: bool) -> None:
    """Or the better one that turned out when the search was stopped."""
    start = Place.at(registry().game("chess"))
    infos = [(Line(0.0, "<", f"info {line}"), parse_info(f"info {line}")) for line in lines]
    end = Line(0.1, "<", f"bestmove {move}")
    search = Search("depth 2", start.position, Answer(move, 0.1), end, infos)
    settings = Settings(EngineSpec("e"), start.position.game, Places(start), 1.0, Timeouts())
    check = Checker(settings)
    if right:
        judge_variations(check, search)
    else:
        with pytest.raises(Fault, match="the last variation begins with"):
            judge_variations(check, search)
