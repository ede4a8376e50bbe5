"""Any text of strangers is read in linear time and memory."""

from __future__ import annotations

import contextlib
import gc
import random
import signal
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.definitions import read_text
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.position_reading import read_epd
from ryugi_engine.games.registry import Registry
from ryugi_engine.match.cecp import CecpEngine
from ryugi_engine.match.cecp_text import MoveReader
from ryugi_engine.match.compliance import uci_lines
from ryugi_engine.match.engine import Engine
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timeouts import Timeouts
from ryugi_engine.match.uci import UciEngine
from ryugi_engine.records.annotation import prose
from ryugi_engine.records.comments import read_remark
from ryugi_engine.records.pgn import format_record, parse_records
from ryugi_engine.records.san import recorded_code
from tests.support.effort import effort
from variants.chess.definition import betza
from variants.chess.formats import ini_reading
from variants.chess.formats.diagram_reading import diagram_in

#: Letters of the texts that each attack is tried with, before the worst ones are long.
SIZES: list[int] = effort([1000, 4000], [4000, 16_000])
#: Letters of the longest text.
MEGABYTE: int = effort(100_000, 1_000_000)
#: A text four times as long may take so many times as long; shorter times are not compared.
RATIO, NOTICED = 8, 0.1
#: Pairs of times that must all say so, before a reader is said to be slow.
AGAIN = 5
#: Seconds after which a reader is stopped.
PATIENCE = 2.0
#: Bytes of memory a letter: lists of small tuples take a hundred, a step kept for backtracking 300.
MEMORY = 120

Reader = Callable[[Any], object]
#: The beginning of a text, what is repeated, the end.
Attack = tuple[str, str, str]


# ---- measuring ----------------------------------------------------------------------------------


class TooLong(Exception):
    """A reader has been stopped."""


def stop(_number: int, _frame: FrameType | None) -> None:
    raise TooLong


def seconds(read: Reader, text: Any) -> float:
    """CPU time that a reader takes for a text, at most PATIENCE."""
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        read(text)
    except TooLong:
        return PATIENCE
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - begun


def text_of(attack: Attack, letters: int) -> str:
    begin, middle, end = attack
    return begin + middle * (letters // len(middle)) + end


def worse(read: Reader, attack: Attack, sizes: list[int]) -> tuple[str, float]:
    """What is wrong with a reader's time as a text grows fourfold, "" if nothing; the last time."""
    before = 0.0
    for letters in sizes:
        text = text_of(attack, letters)
        taken = seconds(read, text)
        for _ in range(AGAIN):
            if not before or taken <= max(NOTICED, RATIO * before):
                break
            # somebody may have been in the way: a slow reader is slow in every pair
            before, taken = seconds(read, text_of(attack, letters // 4)), seconds(read, text)
        if taken >= PATIENCE or (before and taken > max(NOTICED, RATIO * before)):
            output = "".join(f"{part!r} " for part in attack)
            return f"{output}{letters} letters: {taken:.2f} s, a quarter: {before:.2f} s", taken
        before = taken
    return "", before


def memory(read: Reader, text: Any) -> float:
    """Bytes that a reader has at most, by the letters of the text."""
    tracemalloc.start()
    try:
        read(text)
        return tracemalloc.get_traced_memory()[1] / len(text)
    finally:
        tracemalloc.stop()


def faults(read: Reader, attacks: Iterable[Attack], sizes: list[int]) -> list[str]:
    """What is wrong with a reader: its slowest attacks are a megabyte long."""
    result, times = [], []
    for attack in attacks:
        wrong, taken = worse(read, attack, sizes)
        if wrong:
            return [wrong]
        times.append((taken, attack))
        if (size := memory(read, text_of(attack, sizes[-1]))) > MEMORY:
            result.append(f"{attack}: {size:.0f} bytes a letter")
    for _, attack in sorted(times)[-2:]:
        result.append(worse(read, attack, [MEGABYTE // 4, MEGABYTE])[0])
    return [output for output in result if output]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Readers can be stopped, and nothing else takes time."""
    before = signal.signal(signal.SIGVTALRM, stop)
    gc.collect()
    gc.disable()
    yield
    gc.enable()
    signal.signal(signal.SIGVTALRM, before)


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
SAN = ("Ngxf3+!?", "e7xd8=Q", "O-O-O", "@e4", "N/f3e5,a1")
EPD = ('8/8/8/8/8/8/8/8 w - - bm Qe2+; id "a b"; c0 "x";',)
DIAGRAM = ('<div class="idiagram">files=8\nsatellite=x\nknight:N:fmWfceF:knight:b1,g1\n</div>',)
#: Without numbers: Python's reader takes its time for long ones, and a file has 64 KB at most.
TOML = ('[a.b]\nc = "d"\ne = ["f", {g = true}]\n# g\nh.i = word\n',)
INI = ("[a:chess]\nking = k\ncustomPiece1 = a:fmWfceFifmnD\nstartFen = 8/8 w - - 0 1 ; x\n",)


@pytest.mark.more
@pytest.mark.slow
def test_every_reader_takes_linear_time_and_memory(tmp_path: Path, source: random.Random) -> None:
    games = {game.name: game for game in Registry().games()}
    chess = games["chess"]
    start = Position(chess)
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
        ("records", parse_records, pieces(*PGN)),
        ("records", lambda text: [*map(format_record, parse_records(text))], pieces(*PGN)),
        ("moves", lambda text: recorded_code(start, text), pieces(*SAN)),
        ("comments", lambda text: read_remark(text, 0), pieces(*REMARK)),
        ("comments", prose, pieces(*REMARK)),
        ("EPD", read_epd, pieces(*EPD)),
        ("diagram", diagram_in, pieces(*DIAGRAM)),
        ("Betza", betza.parse, pieces("fmWfceFifmnD", "KisO3isO2", "N0RB")),
        ("TOML", lambda text: read_text(text, "x"), pieces(*TOML)),
        ("INI", read_ini, pieces(*INI)),
    ]
    some = effort(["ryugi", "gorogo", "gomokuroku-ninuki", "goryujin"], list(games))
    readers += [(name, games[name].reference, pieces(games[name].start, *BOARD)) for name in some]
    wrong = []
    for name, read, every in readers:
        texts = source.sample(every, min(len(every), effort(12, len(every))))
        wrong += [f"{name}: {output}" for output in faults(tolerant(read), texts, SIZES)]
    assert not wrong, "\n".join(wrong)
