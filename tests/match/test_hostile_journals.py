"""Journals that somebody has spoilt: a line that says so, or a match; never a traceback."""

from __future__ import annotations

import contextlib
import copy
import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.cli import main
from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.commands import match as command_module
from ryugi_engine.commands.match import arguments as match_arguments
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Outcome
from ryugi_engine.games.registry import registry
from ryugi_engine.match.game import OnMove, PlayedGame
from ryugi_engine.match.journal import Journal, read_journal
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.run import UNDECIDED
from ryugi_engine.match.runner import Played
from ryugi_engine.match.schedule import KINDS, GameTask
from ryugi_engine.match.spec import read_engines
from ryugi_engine.match.sprt import Sprt
from tests.match.test_schedule import game as played
from tests.support.helpers import ROOT

#: What stands in the place of every value, as JSON.
HOSTILE = [
    *("null", "-1", "1e400", "1" + "0" * 400, r'"\ud800"', '"' + "y" * 100_000 + '"', "[[]]"),
    "[" * 30 + "]" * 30,
]


class _Elsewhere:
    """Where games end at once, and no engine is started."""

    poll_interval = None
    capacity = concurrency = 1

    def __init__(self, plan: MatchPlan) -> None:
        self.plan = plan
        self.left = 5

    async def open(self) -> None: ...

    async def start_engine(self, player: int) -> Any:
        plan = self.plan

        class _Engine:
            name = plan.engines[player].label or "unnamed"

            def accepts_position(self, text: str) -> bool:
                return True

        return _Engine()

    async def play(self, task: GameTask, on_move: OnMove) -> Played:
        self.left -= 1
        if not self.left:
            raise UserError("that was enough")
        self.plan.control_of(task.white)
        return PlayedGame(task.opening, outcome=Outcome("1-0", "checkmate")), ["", ""]

    def reap(self) -> None: ...

    def kill(self) -> None: ...

    async def close(self) -> None: ...


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The lines of a journal with two of four games, and a runner that needs no engines."""
    monkeypatch.setattr(command_module, "_runner", lambda arguments: _Elsewhere)
    monkeypatch.chdir(tmp_path)
    engines = read_engines([["name=a", "cmd=x", "option.b=c"], ["name=b", "cmd=y", "tc=1+1"]])
    plan = MatchPlan(
        registry().game("chess"),
        engines,
        TimeControl(1.0, 0.0),
        [registry().game("chess").start],
        games=4,
        test=Sprt(),
        names=["a", "b"],
        pgn_out=tmp_path / "pgn",
        journal=tmp_path / "j",
    )
    with contextlib.closing(Journal(tmp_path / "j", new=True)) as journal:
        journal.begin(plan.to_json())
        for number in (1, 2):
            journal.add(played(number), 10 * number)
    return (tmp_path / "j").read_bytes().splitlines(keepends=True)


def places(value: Any, *way: Any) -> Iterator[tuple[Any, ...]]:
    """The way to every value below another one, itself too."""
    yield way
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(one, *way, key)


def with_value(entry: Any, way: tuple[Any, ...], text: str) -> bytes:
    """An entry's line with a JSON text in a place."""
    if not way:
        return text.encode() + b"\n"
    entry = copy.deepcopy(entry)
    inner = entry
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = "HERE"
    return json.dumps(entry).replace('"HERE"', text).encode() + b"\n"


def resumed(capsys: pytest.CaptureFixture[str], path: Path = Path("j")) -> int:
    """What ``match --resume`` ends with; it must have said why, if not well."""
    capsys.readouterr()
    code = main(["match", "--resume", str(path), "--quiet"])
    output = capsys.readouterr().err
    if code == 2:
        assert output.startswith("ryugi-engine: "), output
        assert all(line.isprintable() for line in output.splitlines()), output
    return code


def test_the_journal_as_it_is(lines: list[bytes], capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["match", "--resume", "j", "--quiet"])
    assert code == UNDECIDED, capsys.readouterr().err
    assert [game.number for game in read_journal(Path("j")).games] == [1, 2, 3, 4]


@pytest.mark.parametrize("line", [0, 1])
def test_every_value_in_turn(
    line: int, lines: list[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    entry = json.loads(lines[line])
    for number, way in enumerate(places(entry)):
        hostile = HOSTILE[number % len(HOSTILE)]
        spoilt = [*lines]
        spoilt[line] = with_value(entry, way, hostile)
        Path("j").write_bytes(b"".join(spoilt))
        Path("pgn").unlink(missing_ok=True)
        try:
            code = resumed(capsys)
        except BaseException as error:
            error.add_note(f"{way}: {hostile[:40]}")
            raise
        assert code in (0, 1, 2, UNDECIDED), way


@pytest.mark.slow
@pytest.mark.parametrize("line", [0, 1])
def test_every_value_left_out(
    line: int, lines: list[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    for way in list(places(json.loads(lines[line])))[1:]:
        entry = json.loads(lines[line])
        inner = entry
        for key in way[:-1]:
            inner = inner[key]
        del inner[way[-1]]
        spoilt = [*lines]
        spoilt[line] = json.dumps(entry).encode() + b"\n"
        Path("j").write_bytes(b"".join(spoilt))
        assert resumed(capsys) in (0, 2, UNDECIDED), way


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b'"games":4', b'"games":1' + b"0" * 400, "j: games: '1000000000000000000000000000000"),
        (b'"repeat":2', b'"repeat":0', "j: repeat: '0' is not a number from 1 to 1000"),
        (b'"name":"a"', b'"name":"\\ud800"', "j:1: no journal of a match: this is no UTF-8 text"),
        (b'"name":"a"', b'"name":"\xed\xa0\x80"', "j:1: no journal of a match: this is no UTF-8"),
        (b'"kind":"roundrobin"', b'"kind":"x"', "j: kind: 'x' is none of roundrobin, gauntlet"),
        (b'"names":["a","b"]', b'"names":["a","a"]', "do not have 2 different names"),
        (b'"number":2', b'"number":5', "j: game 5 is none of this match"),
        (b'"white":"a"', b'"white":"c"', "j: game 1 is none of this match"),
        (b'"result":"1-0"', b'"result":"*"', "j:2: no journal of a match: game: result: '*' is"),
        (b'"game":"chess"', b'"game":"none"', "j: unknown"),
        (b'"format":1', b'"format":2', "j:1: no journal of a match: format 2 is not 1"),
    ],
)
def test_what_is_told(
    old: bytes, new: bytes, told: str, lines: list[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    whole = b"".join(lines)
    assert old in whole
    Path("j").write_bytes(whole.replace(old, new))
    assert main(["match", "--resume", "j", "--quiet"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line


def test_brackets_and_lines_without_end(tmp_path: Path) -> None:
    """In little memory, for any size of the file."""
    path = tmp_path / "j"
    limit = 3 << 30

    def ended() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "ryugi_engine", "match", "--resume", str(path)],
            cwd=ROOT, capture_output=True, text=True, timeout=120,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        )  # fmt: skip

    for text in ("[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000):
        path.write_text(text + "\n")
        done = ended()
        assert done.returncode == 2
        assert done.stderr.startswith(f"ryugi-engine: {path}:1: no journal of a match: ")
        assert done.stderr.count("\n") == 1
    with path.open("wb") as handle:
        handle.truncate(900 << 20)  # a hole: no disk is filled
    done = ended()
    assert done.returncode == 2
    assert done.stderr == f"ryugi-engine: {path}:1: no journal of a match: the line is too long\n"


def test_a_plan_allows_what_the_command_line_allows() -> None:
    """The limits of the options are those of the plan's fields, from which they are made."""
    import argparse
    from typing import get_args, get_type_hints

    parser = argparse.ArgumentParser()
    match_arguments(parser)
    options = {action.dest: action for action in parser._actions}
    hints = get_type_hints(MatchPlan, include_extras=True)
    assert set(options["tournament"].choices or ()) == set(KINDS)
    for name in ("games", "rounds", "repeat", "heroes", "seed", "max_plies"):
        hint = get_args(hints[name])[0] if name in ("games", "rounds") else hints[name]
        low, high, _argument = hint.__metadata__
        read: Any = options[name].type
        assert (read(str(low)), read(str(high))) == (low, high)
        for beyond in (low - 1, high + 1):
            with pytest.raises(argparse.ArgumentTypeError):
                read(str(beyond))


@pytest.mark.parametrize(("key", "value"), [("engines", 1), ("openings", 0)])
def test_a_match_needs_engines_and_openings(
    key: str, value: int, lines: list[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    entry = json.loads(lines[0])
    plan = next(part for part in (entry, *entry.values()) if isinstance(part, dict) and key in part)
    plan[key] = plan[key][:value]
    Path("j").write_bytes(json.dumps(entry).encode() + b"\n")
    assert main(["match", "--resume", "j", "--quiet"]) == 2
    assert "there is no match of these engines and openings" in capsys.readouterr().err
