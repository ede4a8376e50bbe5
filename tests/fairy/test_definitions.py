"""The language of the general family: what is read, and what is refused in a line."""

from __future__ import annotations

import dataclasses
import random
import re
from pathlib import Path

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.definitions import DefinitionError, read_text
from ryugi_engine.games.notation import PositionError
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import Registry, read_definitions
from ryugi_engine.kernel.abi import HEADER
from scripts import write_keys
from tests.support.effort import effort
from tests.support.helpers import ROOT
from variants import chess as chess_games
from variants.chess.definition import betza
from variants.chess.definition.game_rules import Rules
from variants.chess.fast.game import KernelChoice, kernels_of
from variants.chess.formats.toml import KEYS, read_game

_FOLDER = ROOT / "variants" / "chess"
GOOD = """[odd]
files = 8
ranks = 8
start = "rnbqkbnr/pcppppcp/8/8/8/8/PCPPPPCP/RNBQKBNR[] w KQkq - 0 1"
promotion = "QRBNC"
piece_drops = true
captures_to_hand = true
stalemate_value = "loss"
promotion_region = ["*8 d5", "*1"]

[odd.pieces]
P = "fmWfceFifmnD"
N = "N"
B = "B"
R = "R"
Q = "Q"
K = "KisO2"
C = "mRcpR"
"""


@pytest.mark.parametrize(
    ("text", "number", "steps"),
    [
        ("N", 8, 1), ("fN", 2, 1), ("ffN", 2, 1), ("fhN", 4, 1), ("fsW", 3, 1), ("WfF", 6, 1),
        ("FfW", 5, 1), ("R", 4, 15), ("R4", 4, 4), ("NN", 8, 15), ("N0", 8, 15), ("K", 8, 1),
        ("fmWfceFifmnD", 4, 1), ("frB", 1, 15), ("rbB", 1, 15), ("vR", 2, 15), ("nZ", 8, 1),
        ("", 0, 0),
    ],
)  # fmt: skip
def test_moves(text: str, number: int, steps: int) -> None:
    """Source: https://www.gnu.org/software/xboard/Betza.html and Fairy-Stockfish's pieces."""
    moves = betza.parse(text).moves
    assert len(moves) == number
    assert {move.steps for move in moves} <= {steps}


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ('C = "mRcpR"', 'C = "zB"', 18, "crooked riders cannot be defined, see LIMITS.md"),
        ('C = "mRcpR"', 'C = "cacaK"', 18, "more than one capture on the way"),
        ('C = "mRcpR"', 'C = "camfK"', 18, "directions stand before the other modifiers"),
        ('C = "mRcpR"', 'C = "xK"', 18, "'x' in 'xK' is not a piece atom"),
        ('C = "mRcpR"', 'C = "afpR4"', 18, "only riders without limit hop here"),
        ('C = "mRcpR"', 'C = "R123"', 18, "is no range"),
        ('C = "mRcpR"', 'C = "mf"', 18, "ends without an atom"),
        ('K = "KisO2"', 'K = "KisO5"', 17, "no room to castle"),
        ("files = 8", "files = 17", 2, "17 is not in 1..16"),
        ('"loss"', '"lost"', 8, "must be one of draw, loss, win"),
        ('"*8 d5"', '"*8 5d"', 9, "'5d' is not a square"),
        ('["*8 d5", "*1"]', "3", 9, "must be a text, or a list of White's and Black's"),
        ('"QRBNC"', '"QX"', 5, "'X' is not one of the pieces"),
        ("piece_drops = true", "piece_drop = true", 6, "did you mean 'piece_drops'?"),
        ("/PCPPPPCP/", "/PCPPPPC/", 4, "rank 2: 7 squares instead of 8"),
        ("RNBQKBNR[]", "RNBKKBNR[]", 4, "board: White has 2 kings"),
        ("/8/8/8/8/", "/4C3/8/8/8/", 4, "the side not to move is in check"),
    ],
)
def test_faults_are_told_by_line_and_key(old: str, new: str, line: int, reason: str) -> None:
    assert old in GOOD
    with pytest.raises(DefinitionError, match=re.escape(reason)) as error:
        chess_games.define(read_text(GOOD.replace(old, new, 1), "odd.toml")[0])
    assert error.value.line == line


def test_a_king_that_could_be_captured_is_refused() -> None:
    """Positions read later as well, for which the kernels would see two kings of a side."""
    game = _general("odd", GOOD)
    start = Position(game).text()  # type: ignore[arg-type]
    exposed = start.replace("/8/8/8/8/", "/4C3/8/8/8/")
    with pytest.raises(PositionError, match="side to move: the side not to move is in check"):
        Position(game, exposed)  # type: ignore[arg-type]
    assert Position(game, exposed.replace(" w ", " b "))  # type: ignore[arg-type]


def test_the_tables_of_keys_are_written_from_the_code() -> None:
    """scripts/write_keys.py was run after the last change; every key has a row and a sentence."""
    text = write_keys.RULES.read_text()
    assert write_keys.with_tables(text) == text, "run scripts/write_keys.py"
    rows = [row for rows in write_keys.sections().values() for row in rows]
    keys = [*KEYS, *(rule.name for rule in dataclasses.fields(Rules))]
    assert sorted(row.key for row in rows) == sorted(keys)
    for row in rows:
        assert re.fullmatch(r"[A-Z][^|]*\.", row.meaning), row.key
        assert row.value, row.key


def test_the_table_s_examples_are_read() -> None:
    """In a game that has what they speak of."""
    good = GOOD.replace('N = "N"', 'N = "N"\nG = "K"\nM = "N"\nS = "fsW"')
    needed = {"first_turn_moves": "moves_a_turn = 2\n"}
    for row in (row for rows in write_keys.sections().values() for row in rows):
        if row.key in ("pieces", "start", "files", "ranks", "alice_boards"):
            continue  # of other boards
        lines = [line for line in good.splitlines() if not line.startswith(f"{row.key} ")]
        lines.insert(1, f"{needed.get(row.key, '')}{row.key} = {row.example}")
        text = "\n".join(lines)
        text = text.replace("isO2", "") if row.key == "castling" else text
        read_game(read_text(text, row.key)[0])


def test_the_document_s_example_is_played(tmp_path: Path) -> None:
    text = (_FOLDER / "VARIANTS.md").read_text()
    path = tmp_path / "own.toml"
    path.write_text(re.findall(r"```toml\n(.*?)```", text, re.DOTALL)[0])
    (game,) = read_definitions(str(path))
    position = Position(game)
    assert game.package == "variants.chess.general"
    assert len(position.legal_moves()) > 20
    position.push(next(move for move in position.legal_moves() if move.startswith("b2b8")))
    assert "[N]" in position.text().split()[0] or "[n]" in position.text().split()[0].lower()


def _perft(game: object, text: str, depth: int) -> int:
    position = Position(game, text)  # type: ignore[arg-type]
    first = int(HEADER.of(position.state)["moves"])
    return int(position.rules.kernels.perft(position.state.address, depth, 1, first))


def _general(name: str, text: str) -> object:
    return chess_games.game_of(
        read_game(read_text(text, f"{name}.toml")[0]), KernelChoice(None, "general kernels")
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["ryugi", "unicorngreat", "chess", "capablanca", "gothic", "embassy", "janus"]
)
def test_shipped_games_are_the_same_in_the_general_family(name: str) -> None:
    """Perft of all positions of their suites, at a depth that both count at once."""
    text = (ROOT / "variants" / "chess" / "definitions" / f"{name}.toml").read_text()
    text = re.sub("(?m)^net = .*\n", "", text)
    general, fast = _general(name, text), Registry().game(name)
    for line in fast.positions("perft")[: effort(12, 1000)]:
        start, *counts = [part.strip() for part in line.split(";")]
        for count in counts:
            depth, _, number = count.removeprefix("D").partition(" ")
            if int(number) <= effort(200_000, 5_000_000):
                assert _perft(general, start, int(depth)) == int(number), (start, depth)


def test_a_game_that_fits_is_played_by_the_fast_family() -> None:
    for name in ("nightrider", "almost", "raazuvaa"):
        game = chess_games.find(name)
        assert game is not None
        assert game.package == "variants.chess.fast", name
    plain = (ROOT / "variants" / "chess" / "definitions" / "chess.toml").read_text()
    reader = read_text(plain.replace("[chess]", "[mine]").replace("[chess.", "[mine."), "m.toml")[0]
    assert chess_games.define(reader).family == "fast kernels"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('N = "N"', 'N = "gQ"', "N hops"),
        ('N = "N"', 'N = "fN"', "N moves in some directions only"),
        ('N = "N"', 'N = "R4"', "N is a rider of limited range"),
        ('N = "N"', 'N = "mNcB"', "N moves and captures in different ways"),
        ('N = "N"', 'N = "nN"', "N is lame or must jump"),
        ('N = "N"', 'N = "KiN"', "N has moves of its first turn"),
        ('N = "N"', 'N = "afsW"', "N has moves of several legs"),
        ('N = "N"', 'N = "DD"', "N rides by leaps of D"),
        ('N = "N"', 'N = "RD"', "N leaps by D along its line of R"),
        ('N = "N"', 'N = ""', "N does not move"),
        ('K = "WF"', 'K = "R"', "its royal piece is a rider"),
        ('royal = "K"', 'royal = "-"', "it has no royal piece"),
        ("files = 8", "stalemate_value = 'loss'\nfiles = 8", "it has stalemate_value"),
        ("files = 8", "piece_drops = true\nfiles = 8", "it has piece_drops"),
        ("n_fold_rule = 3", "n_fold_rule = 0", "it has no n_fold_rule"),
        ("files = 8", 'promotion_region = "*7 *8"\nfiles = 8', "it has promotion_region"),
        ("files = 8", 'soldier = "B"\nfiles = 8', "it has a soldier"),
        ('promotion = "QRBN"', "", "its pawns promote to nothing"),
        ('"e1 g1 h1 f1"', '"e1 g1 h1 f1", "e1 b1 b1 c1"', "its castling K has several rooks"),
        ('Q = ["e1', 'k = ["e8 f8 h8 e8"]\nQ = ["e1', "its sides castle in different ways"),
        ("/RNBQ", "/RPBQ", "in its start board: pawn on b1"),
    ],
)
def test_why_the_fast_kernels_do_not_play_a_game(old: str, new: str, reason: str) -> None:
    """``check`` gives the reason, of any kind."""
    folder = ROOT / "variants" / "chess" / "definitions"
    text = (folder / "chess.toml").read_text().replace("ranks = 8", 'ranks = 8\nroyal = "K"')
    assert old in text
    text = re.sub(r"\[chess", "[mine", text.replace(old, new, 1))
    (reader,) = read_text(text, "mine.toml")
    definition = read_game(reader)
    assert kernels_of(definition).name == f"general kernels: {reason}"


@pytest.mark.parametrize(
    ("old", "line", "new"),
    [
        ('double_step = ["a2"]', 3, "double_step_region"),
        ("[odd.rules]\nclaim_moves = 50", 20, "n_move_rule"),
        ("[odd.rules]\n\ndraw_repetition = 5", 21, "n_fold_limit"),
        ('[odd.rules]\nlone_minors = "B"', 20, "lone_minors"),
    ],
)
def test_keys_of_earlier_versions_are_refused_by_their_new_names(
    old: str, line: int, new: str
) -> None:
    text = GOOD + old + "\n" if "[" in old[:1] else GOOD.replace("ranks", f"{old}\nranks", 1)
    with pytest.raises(DefinitionError, match=f"is now {new}") as error:
        chess_games.define(read_text(text, "odd.toml")[0])
    assert error.value.line == line


@pytest.mark.slow
def test_mutated_definitions_are_refused_in_a_line_or_played(
    source: random.Random, tmp_path: Path
) -> None:
    """Lines cut, doubled, swapped or spoilt, of the catalogue and of a table."""
    catalogue = (_FOLDER / "catalogue.ini").read_text()
    sections = [part for part in re.split(r"\n(?=\[)", catalogue) if part.startswith("[")]
    kept = refused = 0
    for _ in range(effort(150, 10_000)):
        ini = source.random() < 0.7
        text = source.choice(sections) if ini else GOOD
        lines = text.splitlines()
        for _ in range(source.randint(1, 4)):
            at = source.randrange(len(lines))
            line = lines[at]
            kind = source.randrange(5)
            if kind == 0 and len(lines) > 2:
                del lines[at]
            elif kind == 1:
                lines.insert(at, source.choice(lines))
            elif line:
                cut = source.randrange(len(line))
                sign = source.choice("0129=[]*+-:aKPnpgjim/ \"'~\\x00\u00e9")
                lines[at] = line[:cut] + sign + line[cut + (kind == 2) :]
        path = tmp_path / ("own.ini" if ini else "own.toml")
        path.write_text("\n".join(lines).replace("[", "[own-", 1) + "\n", encoding="utf-8")
        try:
            games = read_definitions(str(path))
            for game in games:
                position = Position(game)
                for _ in range(3):
                    codes = position.legal_codes()
                    if not codes:
                        break
                    position.push(source.choice(codes))
            kept += 1
        except UserError as error:
            fault = str(error)
            refused += 1
            assert "\n" not in fault, fault
    assert kept
    assert refused
