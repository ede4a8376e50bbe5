"""Every command of both protocols at random moments of a search, in the real process.

A few rounds here; by hand RYUGI_MOMENTS=10000 says so many commands in each game and protocol.
``-s`` shows the figures.
"""

from __future__ import annotations

import itertools
import os
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ryugi_engine.core.conversation import GuiConnection, ProtocolHandler
from ryugi_engine.core.options import Option
from ryugi_engine.core.session import Session
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.support.effort import effort
from tests.support.helpers import ROOT, EngineUnderTest, patient
from uci.protocol import UciProtocol as Uci
from xboard.features import cecp_name, option_name
from xboard.protocol import CecpProtocol as Xboard

#: Rounds of each game and protocol.
ROUNDS = int(os.environ.get("RYUGI_MOMENTS", effort(100, 2000)))
GAMES = ("ryugi", "chess", "gorogo")
#: Seconds of the longest wait before and after a command, and of an answer.
_WAIT, _ANSWER = 0.02, 20.0
_IGNORED = ("accepted x", "name x", "random", "white", "edit", "#", "x", "")
_NOISE = """
    fen moves depth nodes movetime wtime searchmoves value true 99999999999999999999 1e400 nan
    1_000 \u0661 e2e4 a7a8q a9a9 S@c3 P0@m1 @@@@ 0000 (none) KQkq 8/8 5/5[Ss] é = == [ ] {x}
""".split()  # noqa: SIM905 - a list of words reads best as words
_OWN_GAME = """\
[mine]
files = 5
ranks = 6
promotion = "N"
start = "knnnn/ppppp/5/5/PPPPP/KNNNN w - - 0 1"
[mine.pieces]
K = "K"
N = "N"
"""


class Said(NamedTuple):
    """A command, what puts right what it has set, and what it adds to a search's answers."""

    line: str
    after: tuple[str, ...] = ()
    #: Searches that it begins and that have to be answered too.
    begins: int = 0
    #: Whether it may end the search without an answer.
    ends: bool = False


def _noise(source: random.Random) -> Said:
    """Return a line that no protocol has, of known words, unknown letters or great length."""
    words = source.choices(_NOISE, k=source.randrange(1, 8))
    words += [source.choice(["", "x" * 5000, chr(source.randrange(160, 10_000))])]
    return Said(" ".join(words))


def _commands(speaker: type[ProtocolHandler]) -> set[str]:
    return {name.removeprefix("_do_") for name in dir(speaker) if name.startswith("_do_")}


def _values(option: Option, game: Game, folder: Path) -> list[str]:
    """Return values of every kind for an option."""
    nets = ROOT / "variants/chess/nets"
    files = {
        "Debug Log File": [str(folder / "log.txt"), str(folder)],
        "VariantPath": [str(folder / "mine.toml"), str(folder / "none.toml")],
        "EvalFile": [str(nets / "ryugi.net"), str(nets / "chess.net"), str(folder / "none.net")],
    }
    others = {
        "spin": [str(option.low), str(min(option.low + 1, option.high)), "x"],
        "check": ["true", "false", "x"],
        "combo": [*GAMES, game.name, "x"],
        "button": [""],
    }
    return files.get(option.name) or others[option.kind]


def _options(protocol: str, game: Game, folder: Path) -> Iterator[tuple[Option, str, str]]:
    """All options of a protocol with values, and the value that undoes each."""
    session = Session(lambda event: None)
    session.set_variant(game.name)
    if protocol == "xboard":
        Xboard(GuiConnection(sys.stdout), session)
    for option in session.options:
        if option.protocol in ("", protocol):
            normal = {"Hash": "1", "UCI_Variant": game.name}.get(option.name, option.default)
            for value in _values(option, game, folder):
                yield option, value, normal


# ---- UCI -----------------------------------------------------------------------------------------


def _uci_lines(game: Game, folder: Path) -> dict[str, list[Said]]:
    moves = Position(game).legal_moves()
    limits = ["infinite", "ponder wtime 900 btime 900", "depth 2", "nodes 300", "movetime 3"]
    limits += ["wtime 99 btime 99", "mate 2", f"depth 2 searchmoves {moves[0]}", "depth x"]
    return {
        "uci": [Said("uci")] * 3,
        "isready": [Said("isready")],
        "ucinewgame": [Said("ucinewgame")] * 2,
        "setoption": [
            Said(
                f"setoption name {option.name} value {value}",
                (f"setoption name {option.name} value {normal}",) * (option.kind != "button"),
            )
            for option, value, normal in _options("uci", game, folder)
        ]
        + [Said("setoption"), Said("setoption name None value 1")],
        "position": [
            Said("position startpos"),
            Said(f"position startpos moves {moves[-1]}"),
            Said(f"position fen {game.start}"),
            Said("position fen x"),
        ],
        "go": [Said(f"go {limit}", begins=1) for limit in limits]
        + [Said("go perft 2"), Said("go perft 9"), Said("go perft x", begins=1)],
        "perft": [Said("perft 2"), Said("perft 9"), Said("perft")],
        "stop": [Said("stop")],
        "ponderhit": [Said("ponderhit")],
        "d": [Said("d")],
        "eval": [Said("eval")],
        "bench": [Said("bench"), Said("bench 1"), Said("bench x")],
        "check": [Said("check"), Said(f"check {folder / 'mine.toml'}")],
        "compiler": [Said("compiler")],
    }


def _uci_round(engine: EngineUnderTest, game: Game, said: Said, source: random.Random) -> None:
    """Say a command during a search, and end that: each search has one answer."""
    begun = source.choice(("infinite", "infinite", "ponder wtime 9000 btime 9000", "nodes 9999999"))
    if source.random() < 0.1:
        begun = "perft 9"
    engine.send("position startpos", f"go {begun}")
    time.sleep(_WAIT * source.random() ** 2)
    engine.send(said.line)
    time.sleep(_WAIT * source.random() ** 2)
    engine.send("stop", *said.after, "isready")
    for _ in range(1 + (said.line == "isready")):
        engine.wait("readyok", patient(_ANSWER))
    wanted = (begun != "perft 9") + said.begins
    assert sum(line.startswith("bestmove ") for line in engine.log) == wanted, begun


def _uci_begin(engine: EngineUnderTest, game: Game) -> None:
    engine.send("uci", f"setoption name UCI_Variant value {game.name}")
    engine.send("setoption name Hash value 1", "position startpos", "perft 2")
    engine.wait("Nodes searched", 300)


# ---- CECP ----------------------------------------------------------------------------------------


def _cecp_lines(game: Game, folder: Path) -> dict[str, list[Said]]:
    moves = Position(game).legal_moves()
    lines = {
        name: [Said(name)]
        for name in """
            bk draw easy exit hard hint nopost post resume
            """.split()  # noqa: SIM905 - a list of words reads best as words
    }
    ending = "analyze force new pause playother remove result undo".split()  # noqa: SIM905
    lines |= {name: [Said(name, ends=True)] for name in ending}
    return lines | {
        "xboard": [Said("xboard")] * 3,
        "protover": [Said("protover 2"), Said("protover 1"), Said("protover")],
        "variant": [Said(f"variant {name}", ends=True) for name in ("normal", cecp_name(game))]
        + [Said("variant x")],
        "setboard": [Said(f"setboard {game.start}", ends=True), Said("setboard x", ends=True)],
        "usermove": [Said(f"usermove {moves[0]}"), Said("usermove x"), Said(moves[-1])],
        "go": [Said("go")] * 2,
        "move_now": [Said("?")],
        "status": [Said(".")],
        "ping": [Said("ping 1"), Said("ping")],
        "lift": [Said("lift e2"), Said("lift"), Said("lift ,"), Said("lift (")],
        "put": [Said("put e4")],
        "hover": [Said("hover e4")],
        "exclude": [Said(f"exclude {moves[0]}"), Said("exclude all"), Said("exclude x")],
        "include": [Said(f"include {moves[0]}"), Said("include all")],
        "rejected": [Said("rejected sigint"), Said("rejected x")],
        "computer": [Said("computer")],
        "option": [
            Said(
                f"option {option_name(option)}" + (f"={value}" if value else ""),
                (f"option {option_name(option)}={normal}",) * (option.kind != "button"),
            )
            for option, value, normal in _options("xboard", game, folder)
        ]
        + [Said("option"), Said("option None=1")],
        "level": [Said("level 40 5 0"), Said("level 0 0:01 0.1"), Said("level x")],
        "st": [Said("st 3"), Said("st x")],
        "sd": [Said("sd 3"), Said("sd x")],
        "nps": [Said("nps 0"), Said("nps 1000", ("nps 0",)), Said("nps x")],
        "time": [Said("time 100"), Said("time x")],
        "otim": [Said("otim 100"), Said("otim")],
        "memory": [Said("memory 2", ("memory 1",)), Said("memory 3"), Said("memory x")],
        "cores": [Said("cores 2"), Said("cores 1"), Said("cores x")],
    }


def _cecp_round(engine: EngineUnderTest, game: Game, said: Said, source: random.Random) -> None:
    """Say a command during a search, and ask for the move: there is one, unless it was ended."""
    engine.send("exit", "force", "easy", "new", f"variant {cecp_name(game)}", "cores 1", "memory 1")
    begun = source.choice(("go", "go", "go", "analyze", "hint", "ponder"))
    if begun == "ponder":
        engine.send("hard", "st 0.01", "go", "ping 8", "st 9")
        engine.wait("pong 8", patient(_ANSWER))
        engine.log.clear()
    else:
        engine.send("st 9", begun)
    time.sleep(_WAIT * source.random() ** 2)
    engine.send(said.line)
    time.sleep(_WAIT * source.random() ** 2)
    engine.send("?", "ping 9")
    engine.wait("pong 9", patient(_ANSWER))
    count = sum(line.startswith("move ") for line in engine.log)
    # a move that is legal after the engine's is answered by another
    words = said.line.split()
    played = words != [] and (words[0] == "usermove" or game.looks_like_move(words[0]))
    assert count <= 1 + played, begun
    assert count >= 1 or begun != "go" or said.ends, "no move"
    engine.send(*said.after)


def _cecp_begin(engine: EngineUnderTest, game: Game) -> None:
    engine.send("xboard", "protover 2", "new", f"variant {cecp_name(game)}", "ping 7")
    engine.wait("pong 7", 300)


# ---- both ----------------------------------------------------------------------------------------

_SPEAKERS: dict[str, tuple[type[ProtocolHandler], Any, Any, Any]] = {
    "uci": (Uci, _uci_lines, _uci_begin, _uci_round),
    "xboard": (Xboard, _cecp_lines, _cecp_begin, _cecp_round),
}


@pytest.mark.more
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_every_command_at_any_moment(
    protocol: str, name: str, tmp_path: Path, source: random.Random
) -> None:
    """The engine answers after each, and a search ends with one move."""
    (tmp_path / "mine.toml").write_text(_OWN_GAME)
    game = registry().game(name)
    speaker, lines_of, begin, say = _SPEAKERS[protocol]
    lines = lines_of(game, tmp_path)
    assert set(lines) == _commands(speaker)
    messages = [*itertools.chain(*lines.values()), *map(Said, _IGNORED)]
    messages += [_noise(source) for _ in range(20)]
    engine = EngineUnderTest(protocol, env={**os.environ, "PYTHONFAULTHANDLER": "1"})
    began = time.monotonic()
    try:
        begin(engine, game)
        began = time.monotonic()
        for number in range(ROUNDS):
            if number % len(messages) == 0:
                source.shuffle(messages)
            one = messages[number % len(messages)]
            engine.log.clear()
            try:
                say(engine, game, one, source)
            except (AssertionError, BrokenPipeError) as error:
                raise AssertionError((number, one.line, engine.log[-20:], error)) from None
            output = "\n".join(engine.log)
            for word in ("Traceback", "Error('", 'Error("', "failed", "Fatal"):
                assert word not in output, (one, output[-2000:])
        took = time.monotonic() - began
        errors = engine.quit(patient(_ANSWER)).splitlines()
        assert [line for line in errors if "Parsing variant: mine" not in line] == []
    finally:
        engine.process.kill()
        engine.process.wait()
        engine.close()
    assert engine.process.returncode == 0
    print(f"{protocol} {name}: {ROUNDS} rounds in {took:.0f} s, {1000 * took / ROUNDS:.1f} ms each")
