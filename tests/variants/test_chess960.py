"""Chess960: published perft counts, python-chess, Fairy-Stockfish and the reference rules."""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import pyffish
import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.notation import PositionError
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.perft.count import Perft
from ryugi_engine.records.san import engine_move, to_san
from ryugi_engine.train.trainable_game import training_of
from tests.support.effort import effort
from tests.support.helpers import EngineUnderTest, command, python_chess, rounds
from xboard import gui_board

ENGINE = f"'{sys.executable}' -m ryugi_engine"
#: From A. Wagner's suite of 960 positions, fischer.epd: nodes at depth 4.
PERFT = (
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 326_672),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 667_366),
    ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", 273_318),
)


def chess960() -> Game:
    return registry().game("chess960")


@pytest.mark.parametrize(("text", "nodes"), PERFT)
def test_published_perft(text: str, nodes: int) -> None:
    assert Perft(Position(chess960(), text), 4).run().nodes == nodes


def test_names() -> None:
    assert registry().game("FischeRandom") is chess960()
    assert registry().game("caparandom").name == "capablanca960"
    assert chess960() not in registry().games()
    assert registry().game("chess").chess960 is not None
    assert chess960().chess960 is None
    assert registry().game("gorogo").chess960 is None
    for name, reason in (
        ("gorogo", "there is no castling"),
        ("ryugi", "there are several ways to castle to a side"),
        ("crazyhouse", "only the fast kernels play it .general kernels: it has piece_drops."),
    ):
        with pytest.raises(UserError, match=f"'{name}960': {name} has no Chess960: {reason}"):
            registry().game(f"{name}960")
    with pytest.raises(UserError, match="chess960: its net is that of chess"):
        training_of(chess960())


def test_the_option_says_where_it_changes_nothing() -> None:
    lines = "setoption name UCI_Chess960 value true\nsetoption name UCI_Variant value {}\nquit\n"
    for name, refused in (("crazyhouse", True), ("capablanca", False), ("chess960", False)):
        answer = command("uci", input=lines.format(name)).stdout
        assert (f"UCI_Chess960: {name} is played from its own setup only: " in answer) == refused


def test_a_position_is_refused_where_the_option_cannot_be_followed() -> None:
    """Where castling rights could mean other rooks; without rights nothing can be misread."""
    rows = "4k3/8/8/8/8/8/8/N3K2R[H]"
    lines = "setoption name UCI_Chess960 value true\nsetoption name UCI_Variant value seirawan\n"
    lines += f"position fen {rows} w AEH - 0 1\nposition fen {rows} w - - 0 7\nd\nquit\n"
    answer = command("uci", input=lines).stdout
    assert answer.count("UCI_Chess960 is on, but seirawan is played from its own setup only") == 1
    assert f"Fen: {rows} w - - 0 7" in answer


def test_the_start_positions_are_those_of_the_numbers() -> None:
    expected = tuple(chess.Board.from_chess960_pos(n).shredder_fen() for n in range(960))
    assert chess960().positions("openings") == expected
    assert chess960().start == expected[518]


@pytest.mark.more
def test_games_against_python_chess_and_the_reference_rules(source: random.Random) -> None:
    """Moves, texts, SAN and castlings of random games from random setups."""
    seen: Counter[str] = Counter()
    for _ in rounds(effort(3, 300), seen, castlings=3):
        board = chess.Board.from_chess960_pos(source.randrange(960))
        position = Position(chess960(), board.shredder_fen())
        slow = chess960().reference(board.shredder_fen())
        for _ in range(60):
            moves = {move.uci() for move in board.legal_moves}
            assert set(position.legal_moves()) == moves == set(slow.legal_moves()), board.fen()
            if not moves or position.outcome() is not None:
                break
            rare = [move for move in board.legal_moves if board.is_castling(move)]
            move = source.choice(rare or list(board.legal_moves))
            san, code = board.san(move), position.parse_move(move.uci())
            seen["castlings"] += move in rare
            assert to_san(position, code) == san
            assert position.parse_move(engine_move(position, san)) == code
            if move in rare:  # GUIs write it so, too
                assert position.parse_move(san.rstrip("+#")) == code
            board.push(move)
            position.push(code)
            slow = slow.legal_moves()[move.uci()]
            own, theirs = position.text().split(), board.shredder_fen(en_passant="legal").split()
            assert own == theirs == slow.text().split()
        while position.moves:
            position.pop()
            board.pop()
        assert position.text() == board.shredder_fen(en_passant="legal")


@pytest.mark.more
def test_capablanca_random_against_fairy_stockfish(source: random.Random) -> None:
    game = registry().game("caparandom")
    for _ in range(effort(5, 100)):
        row = list("RNABQKBCNR")
        while True:
            source.shuffle(row)
            rooks = [file for file, piece in enumerate(row) if piece == "R"]
            if rooks[0] < row.index("K") < rooks[1]:
                break
        pieces = "".join(row)
        files = "".join("abcdefghij"[file] for file in reversed(rooks))
        text = f"{pieces.lower()}/pppppppppp/10/10/10/10/PPPPPPPPPP/{pieces} w"
        position = Position(game, f"{text} {files.upper()}{files} - 0 1")
        played: list[str] = []
        for _ in range(50):
            # Fairy-Stockfish knows Capablanca's board with any setup by this name
            theirs = pyffish.legal_moves("caparandom", position.root_text, played)
            assert sorted(position.legal_moves()) == sorted(theirs), position.text()
            if not theirs or position.outcome() is not None:
                break
            at = position.rules.board(position.state)
            castling = [
                m for m in theirs if at.get((ord(m[2]) - 97, int(m[3:4]) - 1)) in ("R", "r")
            ]
            own = [m for m in castling if at[ord(m[0]) - 97, int(m[1]) - 1] in ("K", "k")]
            played.append(source.choice(own or theirs))
            position.push(played[-1])


@pytest.mark.parametrize(
    ("field", "canonical"),
    [
        ("KQkq", "HBhb"),  # X-FEN: the outermost rooks
        ("HBhb", "HBhb"),
        ("Fk", "Fh"),
        ("bHKh", "castling: 'bHKh' names two rooks of one side"),
        ("FH", "castling: 'FH' names two rooks of one side"),
        ("HH", "castling: a letter stands twice in 'HH'"),
        ("G", "castling: 'G' needs R on g1"),
        ("C", "castling: 'C' needs R on c1"),
        ("Z", "castling: 'Z' is not a castling right of chess960"),
        ("-", "-"),
    ],
)
def test_the_field_of_rights(field: str, canonical: str) -> None:
    text = "1r2k2r/8/8/8/8/8/8/1R2KR1R w {} - 0 1"
    if canonical.startswith("castling"):
        with pytest.raises(PositionError) as error:
            Position(chess960(), text.format(field))
        assert str(error.value) == canonical
    else:
        assert Position(chess960(), text.format(field)).text() == text.format(canonical)
        moved = "4k3/8/8/8/4K3/8/8/R6R w {} - 0 1".format(field if field == "-" else "HA")
        if field != "-":
            with pytest.raises(PositionError, match="castling: 'H' needs the king on rank 1"):
                Position(chess960(), moved)


def test_a_rook_that_shielded_its_king() -> None:
    """The rook from b1 would uncover the rook on a1, also where the king stays."""
    for row in ("rRK5", "rR1K4"):
        position = Position(chess960(), f"4k3/8/8/8/8/8/8/{row} w B - 0 1")
        assert not [m for m in position.legal_moves() if m.endswith("b1") and m[0] in "cd"]
    position = Position(chess960(), "4k3/8/8/8/8/8/8/1RK5 w B - 0 1")
    assert "c1b1" in position.legal_moves()
    position.push("c1b1")
    assert position.text() == "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"


def test_positions_outlive_the_tables_that_are_kept(source: random.Random) -> None:
    """Copies hold their own castling, however many other setups came since."""
    texts = source.sample(chess960().positions("openings"), 40)
    copies = []
    for text in texts:
        position = Position(chess960(), text)
        copies.append(position.copy())
        del position
    for text, position in zip(texts, copies, strict=True):
        assert Perft(position, 3).run().nodes == Perft(Position(chess960(), text), 3).run().nodes
        assert position.text() == text


def test_over_uci() -> None:
    """The option turns chess into Chess960 and back; each game reads its own castling."""
    text = "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1"
    engine = EngineUnderTest("uci")

    def shown(*lines: str) -> str:
        engine.ready(*lines)
        engine.send("d")
        return engine.wait("Fen: ")

    option = "setoption name UCI_"
    castled = shown(f"{option}Chess960 value true", f"position fen {text} moves f1b1 e8e7")
    assert castled.endswith("8/4k3/8/8/8/8/8/2KR2R1 w - - 2 2")
    assert shown(f"{option}Variant value capablanca").endswith(" w JAja - 0 1")
    assert shown(f"{option}Variant value gorogo").startswith("Fen: 5/5/5/5/5")
    moved = "position startpos moves e2e4"
    assert shown(f"{option}Variant value chess", moved).endswith(" b HAha - 0 1")
    assert shown(f"{option}Chess960 value false", moved).endswith(" b KQkq - 0 1")
    engine.send(f"position fen {text}")
    engine.wait("info string error: castling: 'G' is not a castling right of chess")
    engine.quit()


def test_with_python_chess_over_both_protocols() -> None:
    """A castling of either side is sent as the protocol has it."""
    for protocol in ("uci", "xboard"):
        board = chess.Board("4k3/8/8/8/8/8/7r/R1K3R1 w GA - 0 1", chess960=True)
        with python_chess(protocol) as engine:
            castling = chess.Move.from_uci("c1a1")
            limit = chess.engine.Limit(depth=2)
            moves = [castling] if protocol == "uci" else None
            first = engine.play(board, limit, root_moves=moves).move
            assert first in board.legal_moves
            board.push(castling)
            board.push_uci("e8e7")
            assert engine.play(board, limit).move in board.legal_moves


def test_xboard_is_sent_castling_by_name() -> None:
    board = gui_board.board_of(chess960(), "3k4/8/8/8/8/8/8/1RK5 w")
    gui = gui_board.GuiBoard()
    gui.set(chess960(), "3k4/8/8/8/8/8/8/1RK5 w B - 0 1")
    assert gui.legs("c1b1", 0, "3k4/8/8/8/8/8/8/2KR4 b - - 1 1", match=False) == ["O-O-O"]
    assert gui.shows("3k4/8/8/8/8/8/8/2KR4 b - - 1 1")
    assert gui_board.after(chess960(), board, "c1c2", 0)[2, 1] == "K"


@pytest.mark.slow
def test_a_match_of_both_protocols(tmp_path: Path) -> None:
    """From the start positions; python-chess reads the games."""
    path = tmp_path / "games.pgn"
    words = ["match", "--variant", "chess960", "--games", "6", "--tc", "nodes=200", "--quiet"]
    words += ["--engine", f"cmd={ENGINE}", "name=A"]
    words += ["--engine", f"cmd={ENGINE} xboard", "proto=xboard", "name=B"]
    done = command(*words, "--seed", "3", "--pgn-out", str(path))
    assert done.returncode == 0, done.stdout + done.stderr
    with path.open() as handle:
        games = [chess.pgn.read_game(handle) for _ in range(6)]
    boards = [game.board() for game in games if game is not None]
    assert all(game is not None and not game.errors for game in games)
    assert len({board.fen() for board in boards}) == 3
    assert all(board.chess960 for board in boards)
    assert "O-O" in path.read_text()
