"""The UCI conversation, with the engine as a process."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import pytest

from ryugi_engine.core.events import GameOver
from tests.support.helpers import EngineUnderTest, command, patient, python_chess
from uci.writer import game_over_line

START = "ribmqkdbir/ppppnnpppp/4pp4/10/10/4PP4/PPPPNNPPPP/RIBMQKDBIR w KQkq - 0 1"


@pytest.fixture
def engine() -> Iterator[EngineUnderTest]:
    engine = EngineUnderTest()
    try:
        yield engine.ready("setoption name UCI_Variant value ryugi")
        assert engine.quit() == ""
    finally:
        engine.process.kill()
        engine.process.wait()
        engine.close()


@pytest.mark.slow
def test_chess_is_played_until_the_gui_names_a_game(tmp_path: Path) -> None:
    """GUIs without an option for the game play chess; the command line may name another."""
    own = tmp_path / "own.toml"
    own.write_text(
        '[knights]\nfiles = 5\nranks = 6\npromotion = "N"\n'
        'start = "knnnn/ppppp/5/5/PPPPP/KNNNN w - - 0 1"\n'
        '[knights.pieces]\nK = "K"\nN = "N"\n'
    )
    mine = ("--variant", "Knights", "--variants", str(own))
    cases = (((), "chess"), (("uci",), "chess"), (("uci", "--variant", "ryugi"), "ryugi"))
    for words, name in (*cases, (("uci", *mine), "knights")):
        engine = EngineUnderTest(*words)
        engine.send("uci")
        engine.wait(f"option name UCI_Variant type combo default {name} var ")
        engine.wait("uciok")
        engine.send("position startpos", "d")
        width = engine.wait(" +---").count("+---")
        assert width == {"chess": 8, "ryugi": 10, "knights": 5}[name]
        assert engine.quit() == ""
    for protocol in ("uci", "xboard"):
        refused = command(protocol, "--variant", "halma")
        assert refused.returncode == 2
        assert refused.stderr.startswith("ryugi-engine: unknown variant 'halma' (known: ")


def test_an_engine_is_introduced_once() -> None:
    """As soon as a GUI asks; and it can search before that."""
    done = command("uci", input="isready\ngo nodes 100\nuci\nquit\n")
    introductions = ("id name", "uciok", "readyok", "bestmove")
    lines = [line for line in done.stdout.splitlines() if line.startswith(introductions)]
    first, *others = (line.split()[0] for line in lines)
    assert first == "readyok"
    assert sorted(others) == ["bestmove", "id", "uciok"]


def test_everything_is_answered_during_a_search(engine: EngineUnderTest) -> None:
    engine.send("position startpos", "go infinite")
    engine.wait("info depth 5")
    engine.send("isready")
    engine.wait("readyok", 1.0)
    engine.send("stop")
    engine.wait("bestmove", 1.0)
    engine.send("go ponder wtime 1000 btime 1000")
    engine.wait("info depth 5")
    engine.send("ponderhit")
    engine.wait("bestmove", 1.5)


MATED = "fen k9/1Q8/2K7/10/10/10/10/10 b - - 0 1"


@pytest.mark.parametrize("end", ["stop", "ponderhit"])
@pytest.mark.parametrize(
    ("position", "rest", "sign"),
    [
        (MATED, "", "info depth 0 score mate 0"),
        (MATED, "movetime 10", "info depth 0 score mate 0"),
        ("fen k9/2Q7/2K7/10/10/10/10/10 b - - 0 1", "depth 1", "info depth 0 score cp 0"),
        ("startpos", "searchmoves a2a9", "info string error: searchmoves: illegal move"),
        ("startpos", "depth x", "info string error: go depth: 'x' is not a whole number"),
        ("startpos", "depth 1", "info depth 1 "),
        ("startpos", "movetime 5", "info depth 9 "),
    ],
)
def test_infinite_and_ponder_wait_whatever_ends_the_search(
    engine: EngineUnderTest, position: str, rest: str, sign: str, end: str
) -> None:
    go = "go infinite" if end == "stop" else "go ponder"
    engine.send(f"position {position}", f"{go} {rest}")
    engine.wait(sign)
    engine.send("isready")
    engine.wait("readyok")
    assert not [line for line in engine.log if line.startswith("bestmove")]
    engine.send(end)
    engine.wait("bestmove")


def test_what_pondering_found_is_reported_after_ponderhit(engine: EngineUnderTest) -> None:
    """python-chess and so lichess-bot take a move's score from there alone."""
    engine.send("position startpos moves e2e4 e7e5", "go ponder depth 3")
    found = engine.wait("info depth 3 ")
    engine.send("isready")
    engine.wait("readyok")
    engine.log.clear()
    engine.send("ponderhit")
    best = engine.wait("bestmove").split()[1]
    (again, _) = engine.log
    assert again.partition(" nodes ")[0] == found.partition(" nodes ")[0]
    assert f" pv {best}" in again


def test_variants(engine: EngineUnderTest, tmp_path: Path) -> None:
    engine.send("setoption name UCI_Variant value capablanca")
    assert engine.wait("info string variant") == (
        "info string variant capablanca files 10 ranks 8 pocket 0 template fairy startpos "
        "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1"
    )
    engine.send("position startpos", "go perft 2")
    assert engine.wait("Nodes searched") == "Nodes searched: 784"
    engine.send("setoption name UCI_Variant value standard", "go perft 3")
    assert engine.wait("Nodes searched") == "Nodes searched: 8902"
    own = tmp_path / "own.toml"
    own.write_text(
        '[knights]\nfiles = 8\nranks = 8\npromotion = "N"\n'
        'start = "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN w - - 0 1"\n'
        '[knights.pieces]\nK = "K"\nN = "N"\n'
    )
    engine.send(f"setoption name VariantPath value {own}")
    assert "var knights" in engine.wait("option name UCI_Variant")
    engine.send("setoption name UCI_Variant value knights", "go perft 1")
    engine.wait("Nodes searched")
    assert engine.log[-1] == "Nodes searched: 28"


def test_either_protocol_can_begin(engine: EngineUnderTest) -> None:
    engine.send("xboard", "protover 2")
    engine.wait("feature done=1")
    engine.send("ping 7")
    assert engine.wait("pong") == "pong 7"
    engine.send("uci")
    engine.wait("uciok")
    engine.send("position startpos", "go depth 2")
    engine.wait("bestmove")


@pytest.mark.parametrize(
    "search",
    [
        ["st 9", "go"],
        ["st 9", "go", "ping 8"],
        ["st 9", "go", "?"],
        ["analyze"],
        ["hint"],
        ["hard", "st 0.01", "go"],
    ],
)
def test_a_search_of_the_other_protocol_says_nothing(
    engine: EngineUnderTest, search: list[str]
) -> None:
    """Its move, its hint and its pong are of a conversation that is over."""
    engine.send("xboard", "protover 2", "new", "variant ryugi", "post", "ping 7")
    engine.wait("pong 7")
    for seconds in (0.0, 0.2, 0.6):
        engine.send("xboard", "new", "variant ryugi", "post", *search)
        time.sleep(seconds)
        engine.send("uci")
        engine.wait("id name")
        engine.log.clear()
        engine.send("isready", "d")
        engine.wait("Fen: rnbqkbnr/pppppppp")
        message = ("id ", "option ", "uciok", "readyok", "info string ")
        output = engine.log[: engine.log.index("readyok") + 1]
        assert [line for line in output if line and not line.startswith(message)] == []


def test_a_search_of_uci_is_answered_before_the_other_protocol(engine: EngineUnderTest) -> None:
    """By one move; and what was on the board is not there any more."""
    for _ in range(3):
        engine.send("uci", "setoption name UCI_Variant value ryugi", "isready")
        engine.wait("readyok")
        engine.log.clear()
        engine.send("position startpos moves a2a3", "go infinite", "xboard", "protover 2", "ping 1")
        engine.wait("pong 1")
        assert [line[:8] for line in engine.log].count("bestmove") == 1
        begun = next(n for n, line in enumerate(engine.log) if line.startswith("bestmove"))
        assert "feature done=0" in engine.log[begun:]
    # the game of the command line is the same in both
    other = EngineUnderTest("uci", "--variant", "ryugi")
    other.send("position startpos moves a2a3", "xboard", "uci", "d")
    assert other.wait("Fen: ", 60) == f"Fen: {START}"
    assert other.quit() == ""


def test_log_file(engine: EngineUnderTest, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    engine.send(f"setoption name Debug Log File value {log}", "isready")
    engine.wait("readyok")
    engine.send("setoption name Debug Log File value <empty>", "isready")
    engine.wait("readyok")
    text = log.read_text()
    assert " > isready" in text
    assert " < readyok" in text


def test_end_of_input_ends_the_engine() -> None:
    engine = EngineUnderTest()
    engine.send("uci", "position startpos", "go infinite")
    engine.wait("info depth 4")
    assert engine.process.stdin is not None
    engine.process.stdin.close()
    engine.process.wait(patient(20.0))  # an endless search would go on for ever
    assert engine.errors() == ""
    engine.close()


def test_broken_bytes_and_endless_lines(engine: EngineUnderTest) -> None:
    engine.send(b"\xff\xfe\x00position", b"position fen " + b"\xc3" * 50, b"x" * 200_000)
    engine.send(b"position startpos moves " + b"e3e5 " * 20_000, "isready")
    engine.wait("readyok")


def test_python_chess_plays_chess_with_it() -> None:
    with python_chess() as engine:
        board = chess.Board()
        for _ in range(12):
            result = engine.play(board, chess.engine.Limit(time=0.03))
            assert result.move is not None
            board.push(result.move)
        info = engine.analyse(board, chess.engine.Limit(depth=6), multipv=2)
        assert len(info) == 2


def test_levels(tmp_path: Path) -> None:
    """A level or an Elo is a few nodes whatever the clock, but for analysis and mate search."""
    engine = EngineUnderTest("uci").ready("setoption name Skill Level value 0")
    assert any("Skill Level" in line and "Level, 1 to 12" in line for line in engine.log)
    fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
    engine.send(f"position fen {fen}", "setoption name Level Seed value 7")

    def nodes(go: str) -> int:
        engine.log.clear()
        engine.send(go)
        engine.wait("bestmove")
        return max(int(line.split(" nodes ")[1].split()[0]) for line in engine.log if "pv" in line)

    for weak in ("Level value 1", "UCI_LimitStrength value true", "UCI_Elo value 700"):
        engine.send(f"setoption name {weak}")
        assert nodes("go wtime 600000 btime 600000") < 3000
    assert nodes("go mate 1") >= 1
    assert engine.log[-1].startswith("bestmove h5f7")
    engine.send("setoption name UCI_AnalyseMode value true", "position startpos")
    assert nodes("go depth 9") > 3000
    own = tmp_path / "own.toml"
    start = "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN w - - 0 1"
    own.write_text(
        f'[knights]\ntitle = "Knights"\nfiles = 8\nranks = 8\nstart = "{start}"\n'
        '[knights.pieces]\nK = "K"\nN = "N"\n'
    )
    (tmp_path / "knights.levels.json").write_text("{}")
    engine.send(
        f"setoption name VariantPath value {own}", "setoption name UCI_Variant value knights"
    )
    engine.send("setoption name Level value 3")
    assert "this is no table of levels" in engine.wait("info string error")
    engine.quit()


@pytest.mark.parametrize(("won", "score"), [(None, "cp 0"), (False, "mate 0"), (True, "mate 1")])
def test_a_finished_position_has_the_score_of_its_end(won: bool | None, score: str) -> None:
    """The mover may have won it: by Goryujin's passes, in users' games."""
    assert game_over_line(GameOver(won)) == f"info depth 0 score {score}"
