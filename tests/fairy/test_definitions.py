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
from tests.support.effort import effort
from tests.support.helpers import ROOT
from variants import fairy
from variants.chess_family import define as define_fast
from variants.fairy import betza
from variants.fairy.definition import Rules
from variants.fairy.reading import read_game

_FOLDER = ROOT / "variants" / "fairy"
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
        ("RNBQKBNR[]", "RNBKKBNR[]", 4, "White has 2 royal pieces"),
        ("/8/8/8/8/", "/4C3/8/8/8/", 4, "the side not to move is in check"),
    ],
)
def test_faults_are_told_by_line_and_key(old: str, new: str, line: int, reason: str) -> None:
    assert old in GOOD
    with pytest.raises(DefinitionError, match=re.escape(reason)) as error:
        fairy.define(read_text(GOOD.replace(old, new, 1), "odd.toml")[0])
    assert error.value.line == line


def test_a_king_that_could_be_captured_is_refused() -> None:
    """Positions read later as well, for which the kernels would see two kings of a side."""
    game = _general("odd", GOOD)
    start = Position(game).text()  # type: ignore[arg-type]
    exposed = start.replace("/8/8/8/8/", "/4C3/8/8/8/")
    with pytest.raises(PositionError, match="side to move: the side not to move is in check"):
        Position(game, exposed)  # type: ignore[arg-type]
    assert Position(game, exposed.replace(" w ", " b "))  # type: ignore[arg-type]


def test_every_rule_is_documented_with_its_values_and_default() -> None:
    text = (_FOLDER / "RULES.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) ?\| (.+) \|$", text, re.MULTILINE)
    documented = {name: (values, default) for name, values, default, _ in rows}
    fields = dataclasses.fields(Rules)
    assert documented.keys() == {field.name for field in fields}
    forms = {"flag": "flag", "flags": "flag", "set": "pieces", "region": "region", "rights": "text"}
    for field in fields:
        kind, default = field.metadata["kind"], field.default
        values = forms.get(kind, "table")
        if kind == "number":
            values, default = "{}..{}".format(*field.metadata["limits"]), str(default)
        elif kind == "choice":
            values, default = ", ".join(f"`{n}`" for n in field.metadata["names"]), f"`{default}`"
        elif kind == "flag":
            default = "true" if default else ""
        assert documented[field.name][0] == values, field.name
        assert default == documented[field.name][1] or not isinstance(default, str), field.name


def test_the_document_s_example_is_played(tmp_path: Path) -> None:
    text = (_FOLDER / "RULES.md").read_text()
    path = tmp_path / "own.toml"
    path.write_text(re.findall(r"```toml\n(.*?)```", text, re.DOTALL)[0])
    (game,) = read_definitions(str(path))
    position = Position(game)
    assert game.package == "variants.fairy"
    assert len(position.legal_moves()) > 20
    position.push(next(move for move in position.legal_moves() if move.startswith("b2b8")))
    assert "[N]" in position.text().split()[0] or "[n]" in position.text().split()[0].lower()


def _perft(game: object, text: str, depth: int) -> int:
    position = Position(game, text)  # type: ignore[arg-type]
    first = int(HEADER.of(position.state)["moves"])
    return int(position.rules.kernels.perft(position.state.address, depth, 1, first))


def _general(name: str, text: str) -> object:
    return fairy.game_of(read_game(read_text(text, f"{name}.toml")[0]))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["ryugi", "unicorngreat", "chess", "capablanca", "gothic", "embassy", "janus"]
)
def test_shipped_games_are_the_same_in_the_general_family(name: str) -> None:
    """Perft of all positions of their suites, at a depth that both count at once."""
    text = (ROOT / "variants" / "chess_family" / "definitions" / f"{name}.toml").read_text()
    text = re.sub("(?m)^net = .*\n", "", text)
    general, fast = _general(name, text), Registry().game(name)
    for line in fast.positions("perft")[: effort(12, 1000)]:
        start, *counts = [part.strip() for part in line.split(";")]
        for count in counts:
            depth, _, number = count.removeprefix("D").partition(" ")
            if int(number) <= effort(200_000, 5_000_000):
                assert _perft(general, start, int(depth)) == int(number), (start, depth)


def test_castling_of_betza_is_that_of_the_list() -> None:
    """Ryugi by its author's strings: two or three squares, and a pawn with its double step."""
    folder = ROOT / "variants" / "chess_family" / "definitions"
    text = (folder / "ryugi.toml").read_text()
    table = read_text(text, "ryugi.toml")[0].table
    pieces = {**table["pieces"], table.get("royal", "K"): "KisO3isO2", "P": "ifmnDfmWfceF"}
    lines = ["[ryugi2]", f"files = {table['files']}", f"ranks = {table['ranks']}"]
    lines += [f'start = "{table["start"]}"', f'promotion = "{table["promotion"]}"']
    lines += ["[ryugi2.pieces]", *(f'{letter} = "{moves}"' for letter, moves in pieces.items())]
    general = _general("ryugi2", "\n".join(lines))
    for line in Registry().game("ryugi").positions("perft")[:20]:
        start, *counts = [part.strip() for part in line.split(";")]
        for count in counts[:3]:
            depth, _, number = count.removeprefix("D").partition(" ")
            assert _perft(general, start, int(depth)) == int(number), (start, depth)


def test_a_game_that_fits_is_played_by_the_fast_family() -> None:
    for name in ("nightrider", "almost", "raazuvaa"):
        game = fairy.find(name)
        assert game is not None
        assert game.package == "variants.chess_family", name
    plain = (ROOT / "variants" / "chess_family" / "definitions" / "chess.toml").read_text()
    reader = read_text(plain.replace("[chess]", "[mine]").replace("[chess.", "[mine."), "m.toml")[0]
    assert fairy.define(reader).package == define_fast(reader).package


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
