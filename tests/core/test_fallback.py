"""Moves that are due before the kernels are compiled: legal, in time, and the game goes on.

The kernels are held back by a switch, so that nothing here depends on how slow a machine is.
"""

from __future__ import annotations

import os
import queue
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.core.conversation import Conversation, GuiConnection
from ryugi_engine.core.fallback import FallbackPosition, Patience
from ryugi_engine.core.loading import Loading
from ryugi_engine.games.game import PASS, Game, IllegalMove, Reference, read_move
from ryugi_engine.games.notation import square_name
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel import jit
from ryugi_engine.search.limits import Limits
from tests.conftest import FAMILY, GAMES
from tests.support.effort import effort
from tests.support.helpers import ROOT, EngineUnderTest, patient
from uci.protocol import UciProtocol
from xboard.protocol import CecpProtocol

#: One game of each family, and one of two turns running.
FAMILIES = ("ryugi", "gorogo", "gomokuroku-ninuki", "goryujin")


class Talk:
    """A conversation in this process, whose kernels do not come before :meth:`release`."""

    def __init__(self, release: threading.Event, protocol: str, game: str) -> None:
        self.release = release
        self.lines: queue.Queue[str] = queue.Queue()
        source, self._into = os.pipe()
        self._source = os.fdopen(source, "rb")
        protocols = {"uci": lambda: UciProtocol, "xboard": lambda: CecpProtocol}
        conversation = Conversation(self._source, self, "", protocols, game)  # type: ignore[arg-type]
        self._thread = threading.Thread(target=conversation.run, args=(protocol,), daemon=True)
        self._thread.start()

    def write(self, text: str) -> None:
        self.lines.put(text.rstrip("\n"))

    def flush(self) -> None:
        pass

    def send(self, *lines: str) -> None:
        os.write(self._into, ("\n".join(lines) + "\n").encode())

    def wait(self, start: str, seconds: float = 200.0) -> list[str]:
        """What is said up to a line that starts so."""
        lines, end = [], time.monotonic() + patient(seconds)
        while True:
            try:
                lines.append(self.lines.get(timeout=max(end - time.monotonic(), 0.01)))
            except queue.Empty:
                raise AssertionError(f"no '{start}' in {lines}") from None
            if lines[-1].startswith(start):
                return lines

    def close(self) -> None:
        self.release.set()
        os.close(self._into)
        self._thread.join(200.0)
        assert not self._thread.is_alive()
        self._source.close()


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    release, talks, load = threading.Event(), [], Loading._load

    def late(self: Loading, game: Game, earlier: threading.Thread | None) -> None:
        release.wait(300.0)
        load(self, game, earlier)

    def begin(protocol: str, game: str) -> Talk:
        talks.append(Talk(release, protocol, game))
        return talks[-1]

    monkeypatch.setattr(Loading, "_load", late)
    monkeypatch.setattr(Loading, "compiling", property(lambda self: not release.is_set()))
    monkeypatch.setattr(GuiConnection, "_end_process", lambda self: None)
    yield begin
    for one in talks:
        one.close()


@pytest.mark.parametrize("name", GAMES)
def test_uci_moves_without_kernels(name: str, talk: Any) -> None:
    engine, moves = talk("uci", name), []
    engine.wait("uciok")
    ref: Reference = registry().game(name).reference(registry().game(name).start)
    for go in ("movetime 300", "wtime 1000 btime 1000", "wtime 500 btime 500 movestogo 20"):
        engine.send(f"position startpos moves {' '.join(moves)}", f"go {go}")
        lines = engine.wait("bestmove")
        assert any("still being compiled" in line for line in lines)
        moves.append(read_move(lines[-1].split()[1]))
        ref = ref.legal_moves()[moves[-1]]
    engine.release.set()
    engine.send("isready", f"position startpos moves {' '.join(moves)}", "go depth 1")
    lines = engine.wait("bestmove")
    assert any(line.startswith("info depth 1 ") for line in lines)  # by the search again
    assert read_move(lines[-1].split()[1]) in ref.legal_moves()


@pytest.mark.more
@pytest.mark.slow
@pytest.mark.parametrize("name", effort(FAMILIES, GAMES))
def test_cecp_moves_without_kernels(name: str, talk: Any) -> None:
    engine, game = talk("xboard", ""), registry().game(name)
    engine.send("new", f"variant {'normal' if name == 'chess' else name}", "level 0 0:02 0")
    ref = game.reference(game.start)
    own = next(move for move in ref.legal_moves() if move != PASS)
    engine.send("time 200", "otim 200", f"usermove {own}")
    move = read_move(engine.wait("move ")[-1].split()[1])
    engine.send("ping 1")
    lines = engine.wait("pong 1")
    ref = ref.legal_moves()[own]
    shown = [line for line in lines if line.startswith("setboard ")]
    if shown:  # several turns of the engine, of which XBoard is shown the last
        ref = game.reference(shown[0].removeprefix("setboard "))
        assert ref.legal_moves()
    else:
        assert move in ref.legal_moves()
    engine.release.set()
    engine.send("force", "new", f"variant {'normal' if name == 'chess' else name}", "ping 2")
    engine.wait("pong 2")
    engine.send("post", "sd 1", f"usermove {own}")
    lines = engine.wait("move ")
    assert any(line.startswith("1 ") for line in lines)


def test_the_game_goes_on_when_the_kernels_come(talk: Any) -> None:
    """Turns made by the reference rules, taken back, and continued by the search."""
    engine = talk("xboard", "")
    engine.send("new", "variant ryugi", "force", "usermove e3e5", "usermove a2a3")
    engine.send("usermove f6f5", "undo", "usermove d7d5", "ping 1")
    assert "Illegal move" in "".join(engine.wait("pong 1"))  # a2a3 was Black's turn
    engine.release.set()
    engine.send("ping 2", "usermove e5d7", "post", "sd 2", "go")
    lines = engine.wait("move ")
    assert [line for line in lines if line.startswith("Illegal move")]
    assert [line for line in lines if line.startswith("2 ")]
    position = Position(registry().game("ryugi"))
    for move in ("e3e5", "d7d5"):
        position.push(move)
    assert lines[-1].split()[1] in position.legal_moves()


def test_what_is_asked_for_while_a_search_waits(talk: Any) -> None:
    engine = talk("uci", "gomokuroku")
    engine.wait("uciok")
    engine.send("position startpos", "go infinite")
    time.sleep(0.1)
    assert engine.lines.empty()
    engine.send("stop")
    engine.wait("bestmove S@")
    engine.send("go ponder wtime 1000 btime 1000", "go ponder wtime 1000 btime 1000")
    engine.wait("bestmove")  # of the first, which the second has ended
    time.sleep(0.5)
    assert engine.lines.empty()
    engine.send("ponderhit")
    engine.wait("bestmove S@")
    engine.send("go movetime 100 searchmoves S@f1 S@e10")
    assert engine.wait("bestmove")[-1].split()[1] in ("S@f1", "S@e10")
    engine.send("go movetime 100 searchmoves S@k1", "position fen nonsense")
    lines = engine.wait("info string error: ")
    assert "searchmoves" in lines[-1]
    engine.wait("info string error: ")
    # no limit: the search waits for the kernels, and a game that is won ends by a proof of theirs
    engine.send("position startpos", "go depth 2")
    time.sleep(0.2)
    engine.release.set()
    assert any(line.startswith("info depth 2 ") for line in engine.wait("bestmove S@"))


def test_a_failure_to_load_is_told_and_answered(talk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from ryugi_engine.core import loading

    def fail(game: Game) -> None:
        raise RuntimeError("no such processor")

    monkeypatch.setattr(loading, "rules_of", fail)
    engine = talk("uci", "gorogo")
    engine.wait("uciok")
    engine.send("position startpos", "go depth 3")
    engine.release.set()
    lines = engine.wait("bestmove", 60.0)
    assert any("no such processor" in line for line in lines)
    engine.send("isready")
    engine.wait("readyok")


@pytest.mark.parametrize("name", GAMES)
def test_a_stand_in_is_the_position(name: str, source: random.Random) -> None:
    game = registry().game(name)
    position, standin = Position(game), FallbackPosition(game)
    for _ in range(60):
        assert standin.text() == position.text()
        assert standin.side == position.side
        codes = standin.legal_codes()
        assert sorted(map(standin.move_text, codes)) == sorted(position.legal_moves())
        if not codes or position.outcome() is not None:
            break
        move = source.choice(position.legal_moves())
        position.push(move)
        standin.push(move.upper() if source.random() < 0.5 else standin.parse_move(move))
        if source.random() < 0.2:
            assert standin.pop() == position.pop() == move
    outcome = position.outcome()
    if outcome is not None and "repetition" not in outcome.reason and "dead" not in outcome.reason:
        result = standin.outcome()
        assert result is not None
        assert result.result == outcome.result
    with pytest.raises(IllegalMove, match="illegal move 'zz' in "):
        standin.push("zz")
    other = standin.copy()
    if standin.moves:
        other.pop()
        assert len(other.moves) == len(standin.moves) - 1
    assert standin.text() == position.text()


def _spellings(move: str, letters: str) -> list[str]:
    """A move in the notations that protocols and GUIs have for it."""
    spellings = [move, move.upper()]
    if move == PASS:
        spellings += ["0000", "@@@@"]
    if len(move) > 4 and move[-1] in letters.lower() and move[-2].isdigit():
        spellings.append(f"{move[:-1]}={move[-1].upper()}")
    if move.endswith("+"):
        spellings.append(move.removesuffix("+"))
    return spellings


@pytest.mark.parametrize("name", GAMES)
def test_every_notation_is_read_at_any_moment(name: str, source: random.Random) -> None:
    """As by the kernels' rules, which know them all."""
    game = registry().game(name)
    position, fallback = Position(game), FallbackPosition(game)
    for _ in range(40):
        moves = position.legal_moves()
        if not moves or position.outcome() is not None:
            break
        move = source.choice(moves)
        for spelling in _spellings(move, "".join(game.pieces)):
            wanted = position.move_text(position.parse_move(spelling))
            assert fallback.move_text(fallback.parse_move(spelling)) == wanted == move
        position.push(move)
        fallback.push(move)


@pytest.mark.parametrize("name", FAMILY)
def test_every_notation_of_castling(name: str) -> None:
    game = registry().game(name)
    rules: Any = Position(game).rules
    castles = rules.definition.castling
    rank = {letter: ["."] * game.files for letter in "Kk"}
    for right, ways in castles.items():
        row = rank["K" if right.isupper() else "k"]
        row[ways[0].king_from[0]] = "K"
        row[ways[0].rook_from[0]] = next(
            letter for letter in game.start.split("/")[-1] if letter in "RA"
        )
    back = {letter: "".join(row) for letter, row in rank.items()}
    for empty in range(game.files, 0, -1):
        back = {letter: row.replace("." * empty, str(empty)) for letter, row in back.items()}
    rows = [back["k"].lower(), *[str(game.files)] * (game.ranks - 2), back["K"]]
    for side in "wb":
        text = f"{'/'.join(rows)} {side} KQkq - 0 1"
        for castling in ("O-O", "o-o", "0-0", "O-O-O", "0-0-0"):
            position, fallback = Position(game, text), FallbackPosition(game, text)
            try:
                wanted = position.move_text(position.parse_move(castling))
            except IllegalMove:
                with pytest.raises(IllegalMove):
                    fallback.parse_move(castling)
                continue
            assert fallback.move_text(fallback.parse_move(castling)) == wanted
        for right in ("KQ", "kq")[side == "b"]:
            way = castles[right][0]
            takes_rook = square_name(way.king_from) + square_name(way.rook_from)
            wanted = position.move_text(position.parse_move(takes_rook))
            assert fallback.move_text(fallback.parse_move(takes_rook)) == wanted


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("go", ["go movetime 1", "go depth 3", "go infinite"])
def test_a_warm_engine_does_not_play_by_the_rules_alone(name: str, go: str) -> None:
    """Whoever does not wait for readyok gets a searched move; the kernels are there."""
    jit.load(registry().game(name).rules_module, "ryugi_engine.search.searcher")
    engine = EngineUnderTest("uci")
    engine.send(f"setoption name UCI_Variant value {name}", "position startpos", go)
    if go == "go infinite":
        engine.send("stop")
    engine.wait("bestmove")
    assert engine.quit() == ""
    assert not [line for line in engine.log if "rules alone" in line], engine.log[-9:]
    assert [line for line in engine.log if line.startswith("info depth 1 ")]


def test_turns_lost_on_time_and_wins_at_once() -> None:
    standin = FallbackPosition(registry().game("goryujin"))
    with pytest.raises(IllegalMove):
        standin.push(PASS)
    standin.push(PASS, refereed=True)
    assert standin.side == 1
    mate = FallbackPosition(registry().game("chess"), "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    assert mate.winning_move(time.perf_counter() + 60.0) == "a1a8"
    assert mate.winning_move(0.0) == ""
    mate.push("a1a8")
    assert mate.outcome() is not None
    assert mate.legal_moves() == []


def test_what_is_left_of_a_moves_time() -> None:
    waited = Patience(Limits(time=(10.0, 20.0), increment=(0.1, 0.1)), 0, 0.02)
    come = threading.Event()

    def arrive() -> None:
        come.set()
        waited.wake()

    threading.Timer(0.2, arrive).start()
    assert waited.wait(come.is_set)
    white, black = waited.left().time
    assert white is not None
    assert white <= 9.8
    assert black is not None
    assert black <= 19.8
    unlimited = Patience(Limits(infinite=True), 0, 0.02)
    unlimited.stop()
    assert not unlimited.wait(lambda: True)
    assert unlimited.end() <= time.perf_counter()


def test_the_reference_rules_need_no_numba() -> None:
    code = (
        "import sys\n"
        "from ryugi_engine.games.registry import registry\n"
        "from ryugi_engine.core.fallback import FallbackPosition\n"
        "from ryugi_engine.search.report import Result\n"
        "for game in registry().games():\n"
        "    position = FallbackPosition(game)\n"
        "    position.push(position.legal_moves()[0])\n"
        "    assert position.outcome() is None and Result(position.legal_moves()[0]).best\n"
        "assert not {'numba', 'numpy', 'llvmlite'} & set(sys.modules), 'imported'\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_a_first_move_with_an_empty_cache(name: str, tmp_path: Path) -> None:
    """Both protocols as processes, from their first moment on."""
    ref = registry().game(name).reference(registry().game(name).start)
    environment = {**os.environ, "RYUGI_CACHE_DIR": str(tmp_path)}
    engine = EngineUnderTest("uci", "--variant", name, env=environment)
    engine.send("position startpos", "go movetime 300")
    move = read_move(engine.wait("bestmove", 30.0).split()[1])
    assert move in ref.legal_moves()
    assert not any(line.startswith("info depth") for line in engine.log)
    assert engine.quit(5.0) == ""
    engine = EngineUnderTest("xboard", env=environment)
    engine.send("new", f"variant {name}", "level 0 0:01 0", "time 100", f"usermove {move}")
    engine.wait("move ", 30.0)
    assert engine.quit(5.0) == ""
