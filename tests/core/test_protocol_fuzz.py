"""Both protocols under valid and broken lines in any order, by a state machine of hypothesis.

The engine runs in this process, a conversation for every example. After every step it must
answer; a move must be legal and asked for; the end must come within two seconds.
"""

from __future__ import annotations

import gc
import os
import queue
import random
import threading
import time
from typing import Any, TextIO

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ryugi_engine.core.conversation import Conversation, GuiConnection
from ryugi_engine.games.game import read_move
from ryugi_engine.games.position import IllegalMove, Position
from ryugi_engine.games.registry import registry
from tests.support.effort import effort
from tests.support.helpers import patient
from uci.protocol import UciProtocol
from xboard.features import cecp_name
from xboard.protocol import CecpProtocol

#: Sessions of each protocol in a full run of the tests; by hand it may be more.
SESSIONS = int(os.environ.get("RYUGI_FUZZ_SESSIONS", effort(12, 120)))
GAMES = ("ryugi", "chess", "janus", "gorogo", "gomokuroku-ninuki", "goryujin")

_WORDS = """
    position startpos fen moves go perft depth nodes movetime wtime btime winc movestogo mate
    searchmoves setoption name value Hash Threads MultiPV UCI_Variant Ponder true false ryugi
    usermove setboard variant level st sd time otim option memory cores exclude include undo
    remove hint bk draw result accepted rejected analyze exit force playother hard easy post
    name rating computer edit # . ? 1 0 -1 2 40 0:30 5:00 1.5 99999999999999999999 1e9 nan e3e5
    e2e4 a7a8q a9a9 S@c3 P0@m1 P7@av1+ @@@@ 0000 pass (none) all w b - KQkq 8/8/8/8/8/8/8/8
    ribmqkdbir/10 é Level=x Level=3 Resign=1 Resign=7 Hash=x Draw Score=z = == [ ] * 1-0 {x}
"""
_PIECES = st.sampled_from(_WORDS.split())
_BROKEN = st.lists(_PIECES, min_size=1, max_size=7).map(" ".join)
#: Words that end, switch or lengthen a session, or take memory; the rules below say them.
_NOT_ALONE = ("quit", "uci", "xboard", "protover", "ucinewgame", "stop", "isready", "ping", "new")


def _is_safe(line: str) -> bool:
    """Whether a broken line cannot begin a search without an end, or take the machine's memory."""
    words = line.lower().split()
    if not words or words[0] in _NOT_ALONE:
        return False
    return "99999999999999999999" not in words or words[0] not in ("setoption", "memory", "cores")


#: Set when a conversation would have left the process without waiting for its threads.
_LEFT: list[bool] = []


@pytest.fixture(autouse=True)
def _nobody_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaving would end the tests too, and silently."""
    monkeypatch.setattr(GuiConnection, "_end_process", lambda self, code: _LEFT.append(True))


class _Session(RuleBasedStateMachine):
    """A conversation in threads of its own."""

    def __init__(self) -> None:
        super().__init__()
        into, self._to_engine = os.pipe()
        from_engine, out = os.pipe()
        self._source = os.fdopen(into, "rb")
        self._target: TextIO = os.fdopen(out, "w", encoding="utf-8")
        self._answers = os.fdopen(from_engine, encoding="utf-8")
        self.lines: queue.Queue[str] = queue.Queue()
        self.sent: list[str] = []
        self.number = 0
        threading.Thread(target=self._listen, daemon=True).start()
        protocols = {"uci": lambda: UciProtocol, "xboard": lambda: CecpProtocol}
        conversation = Conversation(self._source, self._target, "", protocols)
        self._engine = threading.Thread(target=conversation.run, daemon=True)
        self._engine.start()

    def _listen(self) -> None:
        with self._answers:
            for line in self._answers:
                self.lines.put(line.rstrip("\n"))

    def send(self, *lines: str) -> None:
        self.sent += lines
        os.write(self._to_engine, ("\n".join(lines) + "\n").encode())

    def until(self, start: str, seconds: float = 60.0) -> None:
        """Take in answers up to one that starts so."""
        end = time.monotonic() + patient(seconds)
        while True:
            try:
                line = self.lines.get(timeout=max(end - time.monotonic(), 0.01))
            except queue.Empty:
                raise AssertionError(f"no '{start}' after {self.sent}") from None
            assert "Traceback" not in line, (line, self.sent)
            assert "Error('" not in line, (line, self.sent)  # an exception that no one expected
            self.hear(line)
            if line.startswith(start):
                return

    def hear(self, line: str) -> None:
        raise NotImplementedError

    def teardown(self) -> None:
        began = time.monotonic()
        if len(self.sent) % 2:
            self.send("quit")
        os.close(self._to_engine)
        while self._engine.is_alive() and not _LEFT and time.monotonic() - began < 2.0:
            self._engine.join(0.01)
        assert _LEFT or not self._engine.is_alive(), f"no end after {self.sent}"
        _LEFT.clear()
        self._engine.join(60.0)  # a process would be gone; here the thread must not outlive it
        assert not self._engine.is_alive(), f"no end at all after {self.sent}"
        self._target.close()
        self._source.close()
        # conversation and session name each other, and loading has frozen what there was: without
        # this gigabytes of tables pile up
        self._engine = threading.current_thread()
        gc.unfreeze()
        gc.collect()


class UciSession(_Session):
    """A GUI that speaks UCI; ``asked`` bestmoves are due."""

    @initialize(name=st.sampled_from(GAMES))
    def introduce(self, name: str) -> None:
        self.asked = 0
        self.game = registry().game(name)
        self.position = Position(self.game)
        self.send("uci", f"setoption name UCI_Variant value {name}")
        self.until("info string variant")

    def hear(self, line: str) -> None:
        if line.startswith("bestmove"):
            assert self.asked > 0, (line, self.sent)
            self.asked -= 1
            word = line.split()[1]
            if word != "(none)":
                self.position.parse_move(read_move(word))

    @rule(seed=st.integers(0, 2**32), plies=st.integers(0, 12))
    def walk(self, seed: int, plies: int) -> None:
        source = random.Random(seed)
        position = Position(self.game)
        for _ in range(plies):
            codes = position.legal_codes()
            if not codes or position.outcome() is not None:
                break
            position.push(source.choice(codes))
        self.settle()
        self.position = position
        self.send(" ".join(["position startpos moves", *position.moves]))

    @rule(
        limit=st.sampled_from(
            ("depth 2", "nodes 500", "movetime 5", "wtime 50 btime 50", "infinite", "mate 1")
            + ("ponder wtime 40 btime 40", "movetime -1", "depth x", "searchmoves zz", "infinit")
        )
    )
    def go(self, limit: str) -> None:
        self.settle()
        self.asked += 1
        self.send(f"go {limit}")

    @rule()
    def settle(self) -> None:
        """Nothing is being searched any more."""
        self.send("stop")
        while self.asked:
            self.until("bestmove")

    @rule(line=st.sampled_from(("stop", "ponderhit", "d", "eval", "ucinewgame", "perft 1", "bk")))
    def say(self, line: str) -> None:
        self.send(line)

    @rule(line=_BROKEN.filter(_is_safe))
    def stammer(self, line: str) -> None:
        # what sets something else up, or searches, is left to the other rules
        if line.split(maxsplit=1)[0] not in ("position", "go", "setoption", "perft", "variant"):
            self.send(line)
        else:
            self.settle()
            self.send(line.replace("startpos", "startpo").replace("fen", "fem"))
            self.asked += line.split(maxsplit=1)[0].lower() == "go" and "perft" not in line.lower()
            self.settle_anything()

    def settle_anything(self) -> None:
        """After a line that may have meant something: begin again from a known place."""
        self.send("stop")
        while self.asked:
            self.until("bestmove")
        self.send("setoption name MultiPV value 1", "setoption name Threads value 1")
        self.send(f"setoption name UCI_Variant value {self.game.name}", "position startpos")
        self.position = Position(self.game)

    @invariant()
    def answers(self) -> None:
        if self.sent:
            self.send("isready")
            self.until("readyok")


class XboardSession(_Session):
    """A GUI that speaks CECP, with a board of its own that must agree with every move."""

    @initialize(name=st.sampled_from(GAMES))
    def introduce(self, name: str) -> None:
        self.send("xboard", "protover 2")
        self.until("feature done=1")
        self.begin(name)

    def begin(self, name: str) -> None:
        self.game = registry().game(name)
        self.position = Position(self.game)
        self.gui_side = 0
        self.engine_side: int | None = 1
        self.over = False
        self.send("new", f"variant {cecp_name(self.game)}", "computer", "sd 2", "st 1")

    @property
    def thinking(self) -> bool:
        return self.engine_side == self.gui_side

    def hear(self, line: str) -> None:
        if line.startswith("move "):
            assert self.thinking, (line, self.sent)
            self.play(line.removeprefix("move "))
        assert not line.startswith("Illegal move"), (line, self.sent)
        if line.startswith(("1-0", "0-1", "1/2-1/2")):
            assert self.position.outcome() is not None, (line, self.sent)
            self.over = True
            self.engine_side = None
            self.send("force")

    def play(self, word: str) -> None:
        """A move of either side, on our board."""
        if self.position.side == self.gui_side:
            try:
                self.position.push(read_move(word))
            except IllegalMove:
                raise AssertionError((word, self.position.text(), self.sent)) from None
        else:
            assert word == "@@@@", (word, self.sent)
        self.gui_side = 1 - self.gui_side

    @precondition(lambda self: not self.thinking)
    @rule(seed=st.integers(0, 2**32))
    def move(self, seed: int) -> None:
        if self.position.outcome() is not None or self.over:
            return
        moves = self.position.legal_moves() if self.position.side == self.gui_side else ["@@@@"]
        move = random.Random(seed).choice(moves)
        self.play(move)
        self.send(f"usermove {move}")

    @rule(name=st.sampled_from(GAMES))
    def new(self, name: str) -> None:
        self.sync()
        self.begin(name)

    @rule()
    def force(self) -> None:
        self.sync()
        self.engine_side = None
        self.send("force")

    @rule(other=st.booleans())
    def go(self, other: bool) -> None:
        self.sync()
        if not self.over:
            self.engine_side = self.gui_side ^ other
            self.send("playother" if other else "go")

    @precondition(lambda self: self.engine_side is None)
    @rule()
    def analyze(self) -> None:
        self.send("analyze", ".", "hint", "exit")

    @rule(
        line=st.sampled_from(
            ("?", "hint", "bk", "draw", "hard", "easy", "post", "nopost", ".", "name x", "easy")
            + ("level 40 5 0", "level 0 0:01 0.1", "time 100", "otim 90", "nps 0", "pause", "edit")
            + ("resume", "option Resign=0", "option Clear Hash", "memory 16", "cores 1", "")
            + ("rating 1 2", "accepted x", "exclude all", "include all", "undo 3 x y", "st 0.05")
        )
    )
    def say(self, line: str) -> None:
        if line.startswith(("undo", "pause", "resume")):
            return  # they change what is on the board, or when a move comes
        self.send(line)
        if line.startswith("level"):
            self.send("st 1")

    @rule(line=_BROKEN.filter(_is_safe))
    def stammer(self, line: str) -> None:
        word = line.split(maxsplit=1)[0]
        changing = ("setboard", "variant", "usermove", "undo", "remove", "analyze", "exit", "force")
        changing += ("playother", "result", "e3e5", "e2e4", "a7a8q", "s@c3", "@@@@", "go", "pass")
        changing += ("level", "sd", "st", "time", "otim", "nps", "option", "memory", "cores")
        changing += ("0000",)
        if word.lower() in changing or "@" in word:
            return self.stumble(line)
        self.send(line)
        return None

    def stumble(self, line: str) -> None:
        """A broken line that may change something: begin again after it."""
        self.sync()
        self.engine_side = None
        self.send("force")
        if line.split(maxsplit=1)[0] in ("go", "playother", "analyze"):
            return
        self.send(line, "ping 999")
        end = time.monotonic() + patient(60)
        while (answer := self.lines.get(timeout=end - time.monotonic())) != "pong 999":
            assert "Traceback" not in answer, (answer, self.sent)
            assert not answer.startswith("move "), (answer, self.sent)
        self.send("option MultiPV=1", "cores 1", "memory 16", "nps 0")
        self.begin(self.game.name)

    @invariant()
    def sync(self) -> None:
        if self.sent:
            self.number += 1
            self.send(f"ping {self.number}")
            self.until(f"pong {self.number}")


def _run(machine: Any, examples: int) -> None:
    case = machine.TestCase
    case.settings = settings(
        max_examples=examples,
        stateful_step_count=10,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    case("runTest").runTest()


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize("machine", [UciSession, XboardSession])
def test_many_sessions(machine: type[_Session]) -> None:
    _run(machine, SESSIONS)
