"""Text of any kind from outside is read in linear time and memory."""

from __future__ import annotations

import contextlib
import gc
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.definitions import read_text
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import Registry
from ryugi_engine.match.cecp import CecpEngine
from ryugi_engine.match.cecp_text import MoveReader
from ryugi_engine.match.compliance import cecp_lines, uci_lines
from ryugi_engine.match.engine import Engine
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timecontrol import Timeouts
from ryugi_engine.match.uci import UciEngine
from ryugi_engine.records.comments import read_remark
from ryugi_engine.records.pgn import format_record, parse_records
from tests.support.effort import effort
from tests.support.worst_texts import Attack, Reader, attacks, faults, reader, stop, uses
from variants.fairy import betza, ini_reading

#: Letters of the texts that each attack is tried with, before the worst are a megabyte long.
SIZES: list[int] = effort([4000, 12_000, 32_000], [4000, 16_000, 64_000])


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Readers can be stopped, and nothing else takes time."""
    before = signal.signal(signal.SIGVTALRM, stop)
    gc.collect()
    gc.disable()
    yield
    gc.enable()
    signal.signal(signal.SIGVTALRM, before)


@pytest.mark.soak
def test_the_attacks_find_what_is_known_to_be_slow() -> None:
    """A test of the test: expressions whose time or memory grows too fast."""
    for pattern, method in (
        (r"(\w+)=(\"[^\"]*\"|\S+)", "findall"),
        (r"option\s+name\s+(.+?)\s+type\s+(\w+)(.*)", "match"),
        (r"\[%(\w+)\s*([^\]]*)\]", "sub"),
        (r"([0-9]*)([A-Za-z])", "finditer"),
        (r"(a+)+b", "match"),
        (r'"((?:\\.|[^"\\\n])*)"', "match"),
    ):
        assert faults(reader(pattern, 0, method), attacks(pattern, 0), SIZES), pattern


@pytest.mark.more
@pytest.mark.slow
def test_every_regular_expression_takes_linear_time_and_memory() -> None:
    results = {(pattern, flags, method): where for where, pattern, flags, method in uses()}
    assert len(results) > 80
    for game in Registry().games():
        results[game.move_shape, int(re.IGNORECASE), "fullmatch"] = game.name
    wrong = []
    for (pattern, flags, method), where in results.items():
        text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
        output = faults(reader(text, flags, method), attacks(text, flags), SIZES)
        wrong += [f"{where}: {text!r} {fault}" for fault in output]
    assert not wrong, "\n".join(wrong)


class Deaf:
    """In an engine's place: nothing is written, nothing is kept."""

    def send(self, *lines: str) -> None:
        pass

    reply = send


def engine(kind: type[Engine], game: Game) -> Reader:
    """What an engine of a match says, while it is to move."""
    result: Any = kind(EngineSpec(cmd="x"), game, "", Timeouts())
    result._process = Deaf()

    def read(line: str) -> None:
        result.thinking, result.features, result._sent = True, {}, ["e2e4"]
        result._moves = MoveReader()
        result.options.clear()
        result._handle_line(line)

    return read


def pieces(*texts: str) -> list[Attack]:
    """Texts of which each part is repeated."""
    results = [(text[:at], text[at], text[at:]) for text in texts for at in range(len(text))]
    results += [("", text[:end], "") for text in texts for end in range(1, len(text) + 1)]
    return list(dict.fromkeys(results))


def tolerant(read: Reader) -> Reader:
    """A reader that may find fault with its text."""

    def tried(text: str) -> None:
        with contextlib.suppress(UserError, ValueError):
            read(text)

    return tried


UCI = ("option name A b type combo default c var d e", "id name x", "bestmove e2e4 ponder e7e5")
INFO = ("info depth 3 score cp -5 wdl 1 2 997 nodes 7 pv e2e4 e7e5", "info score mate 1 lowerbound")
CECP = (
    'feature ping=1 myname="a b" option="c d -spin 1 0 2" done=1',
    "1. ... e2e4",
    "My move is : e2e4",
    "Illegal move (no): e2e4",
    "tellusererror Illegal position",
)
THOUGHT = ("  9. 156 1084 48000\te2e4 e7e5", "setup (PN..pn) 8x8+0_fairy 8/8 w 1", "1-0 {a b}")
PGN = ('[A "b\\\\c\\"d"]\n\n1. e4 $1 e5!? {[%clk 1:00:00] a} (1... d5 ; c\n 2. d4) 2. d4 1-0\n',)
REMARK = ("[%eval 0.35,12] [%cal Ge2e4,Rd5d6] [%emt 0:00:12] +0.35/12 1.5s, x -M3/4 1:05",)
BOARD = ("rnbq*k2/8[SSSsss3d]", "8/8/8/8/8/8/8/8 w KQkq e3 0 1", "H1s2/5[SShh] b - - 0 7")
#: Without numbers: Python's reader takes its time for long ones, and a file has 64 KB at most.
TOML = ('[a.b]\nc = "d"\ne = ["f", {g = true}]\n# g\nh.i = word\n',)
INI = ("[a:chess]\nking = k\ncustomPiece1 = a:fmWfceFifmnD\nstartFen = 8/8 w - - 0 1 ; x\n",)


@pytest.mark.more
@pytest.mark.slow
def test_every_reader_takes_linear_time_and_memory(tmp_path: Path) -> None:
    games = {game.name: game for game in Registry().games()}
    chess = games["chess"]
    file = tmp_path / "own.ini"

    def read_ini(text: str) -> None:
        file.write_text(text)
        ini_reading.read_sections(file.read_text(), str(file), lambda name: None)

    readers: list[tuple[str, Reader, list[Attack]]] = [
        ("UCI engine", engine(UciEngine, chess), pieces(*UCI, *INFO)),
        ("CECP engine", engine(CecpEngine, chess), pieces(*CECP, *THOUGHT)),
        ("UCI check", uci_lines.parse_option, pieces(UCI[0])),
        ("UCI check", uci_lines.parse_info, pieces(*INFO)),
        ("UCI check", uci_lines.parse_bestmove, pieces(UCI[2])),
        ("CECP check", cecp_lines.parse_features, pieces(CECP[0])),
        ("CECP check", cecp_lines.parse_thinking_line, pieces(THOUGHT[0])),
        ("CECP check", cecp_lines.parse_setup, pieces(THOUGHT[1])),
        ("CECP check", cecp_lines.parse_result, pieces(THOUGHT[2])),
        ("records", parse_records, pieces(*PGN)),
        ("records", lambda text: [*map(format_record, parse_records(text))], pieces(*PGN)),
        ("comments", lambda text: read_remark(text, 0), pieces(*REMARK)),
        ("Betza", betza.parse, pieces("fmWfceFifmnD", "KisO3isO2", "N0RB")),
        ("TOML", lambda text: read_text(text, "x"), pieces(*TOML)),
        ("INI", read_ini, pieces(*INI)),
    ]
    some = effort(["ryugi", "gorogo", "gomokuroku-ninuki", "goryujin"], list(games))
    readers += [(name, games[name].reference, pieces(games[name].start, *BOARD)) for name in some]
    wrong = []
    for name, read, texts in readers:
        wrong += [f"{name}: {output}" for output in faults(tolerant(read), texts, SIZES[:2])]
    assert not wrong, "\n".join(wrong)
