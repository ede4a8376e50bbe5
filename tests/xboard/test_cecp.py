"""The CECP conversation, with the engine as a process."""

from __future__ import annotations

import io
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import pytest

from ryugi_engine.core.conversation import GuiConnection
from ryugi_engine.core.session import Session
from ryugi_engine.games.game import Game, Outcome
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.support.helpers import EngineUnderTest, python_chess, walked
from xboard import features, parser, setup, writer
from xboard.clock import CecpClock
from xboard.protocol import CecpProtocol
from xboard.resync import Resync

#: What makes XBoard ignore a line that begins with "Illegal move" or "Error".
DEAF = ("name", "rating", "?", "result", "board", "bk", "computer", "variant", "hint", "random")


@pytest.fixture
def engine() -> Iterator[EngineUnderTest]:
    engine = EngineUnderTest("xboard")
    try:
        engine.send("protover 2")
        engine.wait("feature done=1")
        yield engine
        assert engine.quit() == ""
    finally:
        engine.process.kill()
        engine.process.wait()
        engine.close()


def new_game(engine: EngineUnderTest, variant: str, *lines: str) -> None:
    engine.send("new", f"variant {variant}", "sd 3", *lines, "ping 1")
    engine.wait("pong 1")
    engine.log.clear()


def own_move(engine: EngineUnderTest, seconds: float = 60.0) -> str:
    return engine.wait("move ", seconds).split()[1]


def silent(engine: EngineUnderTest, number: int = 99) -> list[str]:
    """What comes before the answer to a ping."""
    engine.log.clear()
    engine.send(f"ping {number}")
    engine.wait(f"pong {number}")
    return [line for line in engine.log[:-1] if not line.startswith("#")]


# ---- introduction --------------------------------------------------------------------------------


def test_a_game_of_the_command_line_is_the_first() -> None:
    """XBoard opens the first; a board too large for its window is not offered to it."""
    for name, first in (("gorogo", "gorogo"), ("chess", "normal"), ("goryujin", "capablanca")):
        engine = EngineUnderTest("xboard", "--variant", name)
        engine.send("protover 2")
        variants = engine.wait("feature variants").split('"')[1].split(",")
        engine.wait("feature done=1")
        assert variants[0] == first
        assert "goryujin" not in variants
        engine.send("sd 1", "go")
        position = Position(registry().game(name))
        assert own_move(engine) in position.legal_moves()
        assert engine.quit() == ""


# ---- games as described to XBoard -------------------------------------------------------------


@pytest.mark.parametrize("name", [game.name for game in registry().games()])
def test_every_game_can_be_set_up(name: str) -> None:
    game = registry().game(name)
    assert features.find_game(features.cecp_name(game), registry().games()) == name
    lines = setup.setup_lines(game)
    if name in features.KNOWN:
        assert lines == []
        return
    match = re.fullmatch(r"setup \(([A-Za-z.]+)\) (\d+)x(\d+)\+(\d+)_fairy (.*)", lines[0])
    assert match is not None, lines[0]
    table = match.group(1)
    white, black = table[: len(table) // 2], table[len(table) // 2 :]
    assert white.lower() == black
    assert sorted(white.replace(".", "")) == sorted(game.pieces)
    assert match.group(5) == game.start
    assert white[0] == (game.pawn or ".")
    assert white[-1] == (game.royal or ".")
    if any(game.pieces.values()):
        assert len(lines) == 1 + len(game.pieces)
    else:
        assert int(match.group(4)) >= len(game.pieces)


def test_a_users_game_is_described(engine: EngineUnderTest, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        '[wide]\nfiles = 9\nranks = 7\npromotion = "GA"\n'
        'start = "grackacrg/ppppppppp/9/9/9/PPPPPPPPP/GRACKACRG w KQkq - 0 1"\n'
        '[wide.pieces]\nK = "K"\nR = "R"\nG = "NN"\nA = "FA"\nC = "WH"\n'
        '[wide.castling]\nK = ["e1 g1 h1 f1"]\nQ = ["e1 c1 b1 d1"]\n'
    )
    engine.send(f"option VariantPath={own}")
    assert ",wide" in engine.wait("feature variants")
    new_game(engine, "normal")
    engine.send("variant wide", "ping 3")
    engine.wait("pong 3")
    assert "piece K& KisjO2" in engine.log  # with the piece next to the corner
    assert "piece G& N0" in engine.log
    assert "piece C& WH" in engine.log
    engine.send("sd 3", "usermove a2a4")
    own_move(engine)


# ---- playing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", registry().games(), ids=lambda game: game.name)
def test_objections_are_heard(game: Game, source: random.Random) -> None:
    position = walked(game, source)
    text = position.text()
    moves = [f"S@{a}{b}" for a in "abck" for b in (1, 5, 12)] + ["H@c3", "e1g1", "f1i1", "", "é"]
    for move in moves:
        reason = position.objection(move)
        assert reason
        assert not [word for word in DEAF if word in f"Illegal move ({reason})"]
    assert position.text() == text


def test_move_now_and_ping_while_thinking(engine: EngineUnderTest) -> None:
    engine.send("new", "variant ryugi", "level 0 60 0", "usermove e3e5", "ping 4")
    time.sleep(0.5)
    assert not [line for line in engine.heard() if line.startswith("pong")]
    engine.send("?")
    engine.wait("move ", 20.0)  # it would take minutes
    assert engine.wait("pong") == "pong 4"
    engine.send("?")
    assert silent(engine) == []


def test_analysis(engine: EngineUnderTest) -> None:
    new_game(engine, "ryugi")
    engine.send("analyze")
    engine.wait("6 ")
    engine.send(".")
    assert re.fullmatch(r"stat01: \d+ \d+ \d+ \d+ 34 \w+", engine.wait("stat01"))
    engine.send("usermove e3e5")
    engine.wait("5 ")
    assert engine.log[-1].split()[4][1] > "5"  # a move of Black's
    engine.send("undo")
    engine.wait("5 ")
    engine.send("hint")
    engine.wait("Hint: ")
    engine.send("new", "variant capablanca", "ping 9")
    engine.wait("4 ")
    engine.send("exit")
    silent(engine)
    time.sleep(0.2)
    assert silent(engine, 98) == []


def test_pondering_hits_and_misses(engine: EngineUnderTest) -> None:
    engine.send("new", "variant ryugi", "hard", "post", "level 0 1 0", "sd 8", "usermove e3e5")
    own_move(engine)
    engine.wait("4 ")  # it goes on thinking
    engine.send("hint")
    expected = engine.wait("Hint").split()[1]
    engine.send("time 5500", "otim 5500", f"usermove {expected}")
    own_move(engine)
    engine.wait("3 ")
    engine.send("hint")
    expected = engine.wait("Hint").split()[1]
    other = "a2a3" if expected != "a2a3" else "j2j3"
    engine.send("time 5400", "otim 5400", f"usermove {other}")
    own_move(engine)
    engine.send("easy")
    silent(engine)
    assert silent(engine, 98) == []


def test_pause_stops_the_clock_and_resume_goes_on(engine: EngineUnderTest) -> None:
    engine.send("new", "variant ryugi", "level 0 0:08 0", "usermove e3e5", "pause")
    time.sleep(1.0)
    assert not [line for line in engine.heard() if line.startswith("move")]
    engine.send("resume")
    own_move(engine)


# ---- draws and ends ------------------------------------------------------------------------------


def test_resignation_is_an_option(engine: EngineUnderTest) -> None:
    lost = "setboard 7k/8/8/8/8/5q2/6r1/K7 w - - 0 1"
    new_game(engine, "chess", "force")
    engine.send(lost, "go")
    own_move(engine)
    engine.send("option Resign=1")
    position = Position(registry().game("chess"), "7k/8/8/8/6r1/5q2/8/K7 b - - 0 1")
    engine.send("force", f"setboard {position.text()}", "playother")
    for _ in range(6):
        move = next(m for m in position.legal_moves() if not _ends(position, m))
        position.push(move)
        engine.send(f"usermove {move}")
        engine.wait("")
        while not engine.log[-1].startswith(("move", "resign")):
            engine.wait("")
        if engine.log[-1] == "resign":
            return
        position.push(engine.log[-1].split()[1])
    raise AssertionError("it never resigned")


def _ends(position: Position, move: str) -> bool:
    after = position.copy()
    after.push(move)
    return after.outcome() is not None


def test_poison_is_kept_from_xboard() -> None:
    assert writer.safe_text("Draw, or offer\nNot found") == "tie, or proposal missing"
    line = writer.result_line(Outcome("1/2-1/2", "draw agreed"))
    assert line == "1/2-1/2 {tie agreed}"
    for reason in ("No such file or directory", "Permission denied"):
        assert not re.search("No such file|Permission denied", writer.safe_text(reason))


# ---- en passant, as XBoard has to be told of it --------------------------------------------------


# ---- placement games -----------------------------------------------------------------------------


def test_captures_are_corrected_and_play_goes_on(engine: EngineUnderTest) -> None:
    new_game(engine, "gorogo")
    position = Position(registry().game("gorogo"))
    shown_wrong = False
    for _ in range(12):
        move = position.legal_moves()[0]
        position.push(move)
        engine.send(f"usermove {move}")
        engine.log.clear()
        position.push(own_move(engine))
        engine.send("ping 7")
        engine.wait("pong 7")
        corrected = [line for line in engine.log if line.startswith("setboard")]
        if corrected:
            shown_wrong = True
            assert corrected[0].split()[1] == position.text().split()[0]
            engine.send("result * {Engine aborts game}", "force", "ping 2")
            engine.wait("pong 2")
    assert shown_wrong


def corrected(engine: EngineUnderTest) -> str:
    """The position that XBoard is made to show, and what it says to that."""
    text = engine.wait("setboard ", 60).removeprefix("setboard ")
    engine.send("result * {Engine aborts game}", "force", "ping 6")
    engine.wait("pong 6")
    return text


def test_turns_are_taken_back_after_corrections(engine: EngineUnderTest) -> None:
    """XBoard has forgotten its game then, and sends no undo: an option's button does it."""
    new_game(engine, "gomokuroku", "sd 1", "st 1")
    texts = []
    for move in ("S@f11", "S@b2", "S@f10", "S@b3"):
        engine.send(f"usermove {move}")
        texts.append(corrected(engine))
    assert len(set(texts)) == len(texts)
    for text in reversed(texts[:-1]):
        engine.send("option Take Back")
        assert corrected(engine) == text
    engine.send("usermove S@b2")  # and the engine plays on
    assert corrected(engine) == texts[1]
    for _ in range(2):
        engine.send("option Take Back")
        text = corrected(engine)
    start = Position(registry().game("gomokuroku")).text()
    assert text.split()[0] == start.split()[0].swapcase()  # the user is White in the window
    engine.send("option Take Back")
    assert "no move to take back" in engine.wait("Error")
    new_game(engine, "gorogo", "sd 1", "st 1")
    engine.send("usermove H@c3")
    own_move(engine)
    engine.send("option Take Back")
    assert corrected(engine) == Position(registry().game("gorogo")).text()
    new_game(engine, "ryugi")
    engine.send("option Take Back")
    assert "Retract" in engine.wait("Error")


def test_a_match_that_xboard_cannot_referee_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """XBoard would forfeit the first drop on the square of a captured stone."""
    monkeypatch.setattr(features, "in_xboard", lambda: True)
    message = io.StringIO()
    session = Session(lambda event: None)
    loop = CecpProtocol(GuiConnection(message), session)
    for game in registry().games():
        loop.answer("new")
        loop.answer(f"variant {features.cecp_name(game)}")
        message.truncate(0)
        loop.answer("computer")
        output = message.getvalue()
        assert ("ryugi-engine match" in output and f"\nsetboard {game.start}\n" in output) == (
            game.captures
        )
        if game.captures:
            loop.answer("go")
            loop.answer("usermove H@c3")
            assert "\nmove " not in message.getvalue()
    assert {game.name for game in registry().games() if game.captures} == {
        "gorogo",
        "gomokuroku-ninuki",
    }
    session.stop()


def test_a_real_force_after_a_correction_counts(engine: EngineUnderTest) -> None:
    new_game(engine, "gomokuroku")
    engine.send("usermove S@f11")
    own_move(engine)
    engine.send("usermove S@e5")
    engine.wait("setboard", 60)
    engine.send("result * {Engine aborts game}", "force", "ping 2")
    engine.wait("pong 2")
    time.sleep(0.8)
    engine.send("force", "sd 1")
    time.sleep(0.3)
    position = engine.log[-2] if engine.log[-2].startswith("setboard") else engine.log[-3]
    assert position.startswith("setboard")
    engine.send("usermove S@e6")
    assert not [line for line in silent(engine) if line.startswith("move")]


def test_black_begins_and_white_has_to_pass(engine: EngineUnderTest) -> None:
    new_game(engine, "gomokuroku", "force", "computer")
    engine.send("go")  # White, by the GUI's order
    assert own_move(engine) == "@@@@"
    engine.send("usermove S@f11")
    assert own_move(engine) in ("S@e10", "S@g11")
    new_game(engine, "gomokuroku", "computer")
    engine.send("usermove @@@@")
    move = own_move(engine)
    assert move in Position(registry().game("gomokuroku")).legal_moves()


def test_forced_passes_keep_the_alternation(engine: EngineUnderTest) -> None:
    """Both sides by the GUI's order, on our own board: passes stand where the track wants them."""
    new_game(engine, "gomokuroku", "computer", "sd 1", "st 1")
    game = registry().game("gomokuroku")
    position, side, passes = Position(game), 0, 0
    for _ in range(24):
        if position.outcome() is not None:
            break
        if side == 0:
            move = position.legal_moves()[-1] if position.side == 0 else "@@@@"
            engine.send(f"usermove {move}")
        else:
            move = own_move(engine)
        if move == "@@@@":
            assert position.side != side
            passes += 1
        else:
            assert position.side == side
            position.push(move)
        side = 1 - side
    assert passes >= 2


# ---- time ----------------------------------------------------------------------------------------


def test_clocks() -> None:
    clock = CecpClock()
    limits = clock.limits(1, 0)
    assert limits.time == (300.0, 300.0)
    assert limits.moves_to_go == 40
    clock.set_level(*parser.level(["40", "0:30", "0"]), made=10)
    assert clock.limits(0, 13).moves_to_go == 37
    assert clock.limits(0, 50).moves_to_go == 40
    clock.set_level(*parser.level(["0", "2", "12.5"]), made=0)
    clock.own, clock.other = 7.0, 9.0
    limits = clock.limits(1, 5)
    assert limits.time == (9.0, 7.0)
    assert limits.increment == (12.5, 12.5)
    assert limits.moves_to_go is None
    clock.per_move = 3.0
    assert clock.limits(0, 0).move_time == 3.0
    clock.own = 0.4
    assert clock.limits(0, 0).move_time == 0.4
    clock.per_move = 0.0
    assert clock.limits(0, 0).move_time == 0.4  # Cute Chess: half a second is "st 0"
    clock.per_move, clock.own, clock.nodes_per_second = 1.0, None, 1000
    limits = clock.limits(0, 0)
    assert limits.nodes == 1000
    assert limits.move_time is None
    for text in ("", "40 5", "a 5 0", "40 5:x:y 0 1 2 x", "40 x 0", "40 5 y"):
        if text == "40 5:x:y 0 1 2 x":
            assert parser.level(text.split()) == (40, 300.0, 0.0)
            continue
        with pytest.raises(ValueError, match=r"."):
            parser.level(text.split())


def test_node_rates_replace_the_clock(engine: EngineUnderTest) -> None:
    engine.send("new", "variant ryugi", "st 1", "nps 2000", "post", "usermove e3e5")
    engine.wait("move ")
    nodes = [int(line.split()[3]) for line in engine.log if line[:1].isdigit()]
    assert max(nodes) < 4000


# ---- other programs ------------------------------------------------------------------------------


def test_python_chess_plays_and_analyses() -> None:
    with python_chess("xboard") as engine:
        board = chess.Board()
        # so fast it plays badly: a game may be over sooner
        while len(board.move_stack) < 16 and not board.is_game_over():
            result = engine.play(board, chess.engine.Limit(time=0.03), ponder=True)
            assert result.move is not None
            board.push(result.move)
        clock = chess.engine.Limit(white_clock=40, black_clock=40, white_inc=0, black_inc=0)
        result = engine.play(board, clock, info=chess.engine.INFO_ALL)
        assert result.info["depth"] > 2
        board = chess.Board("r1bqkbnr/p1pp1ppp/1pn5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 4")
        result = engine.play(board, chess.engine.Limit(depth=4))
        assert result.move == chess.Move.from_uci("f3f7")
        info = engine.analyse(board, chess.engine.Limit(depth=6))
        assert info["score"].white().mate() == 1


@pytest.mark.parametrize(("name", "moving"), [("ryugi", True), ("chess", False), ("gorogo", False)])
def test_a_correction_says_again_how_the_pieces_move(name: str, moving: bool) -> None:
    """XBoard forgets it with a position from the engine, and would send no more of their moves."""
    game = registry().game(name)
    output = io.StringIO()
    Resync(GuiConnection(output)).send_board(game.start, game)
    first, *pieces = output.getvalue().splitlines()
    assert first == f"setboard {game.start}"
    assert pieces == [line for line in setup.setup_lines(game) if line.startswith("piece ")]
    assert bool(pieces) == moving
