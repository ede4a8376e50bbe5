"""Interactive Diagrams: games written as such and read back are the same games."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.definitions import DefinitionError
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import read_definitions, registry
from tests.conftest import FAMILY
from tests.fairy.test_rules import GAMES
from tests.support.effort import effort
from tests.support.helpers import command

PAGE = """<html><head><title>A page</title></head>
<body><p>Text: with a colon, and a=b.</p>
<div class="idiagram" style="float: left;">
files=10
ranks=8
promoZone=1
promoChoice=QRBN
graphicsDir=/graphics.dir/alfaerie/
whitePrefix=w
satellite=demo
symmetry=mirror
royal=8
Pawn::::a2-j2
Knight:N:::b1,i1
Bishop::::c1,h1
Rook::::a1,j1
Archbishop::::d1
Chancellor::::g1
Queen::::e1
King::KisO3::f1
</div></body></html>
"""
WRITTEN = [game for game in [*map(registry().game, FAMILY), *GAMES] if game.diagram is not None]


def _read(folder: Path, text: str, name: str = "own.txt") -> Game:
    path = folder / name
    path.write_text(text)
    (game,) = read_definitions(str(path))
    return game


def _diagram(game: Game) -> str:
    assert game.diagram is not None
    return game.diagram()


@pytest.mark.parametrize("game", WRITTEN, ids=lambda game: game.name)
def test_back_and_forth(game: Game, tmp_path: Path, source: random.Random) -> None:
    """The same moves in random games."""
    again = _read(tmp_path, _diagram(game))
    one, other = Position(game), Position(again)
    for _ in range(effort(12, 100)):
        moves = one.legal_moves()
        assert sorted(moves) == sorted(other.legal_moves()), one.text()
        if not moves or one.outcome() or other.outcome():
            break
        move = source.choice(moves)
        one.push(move)
        other.push(move)


def test_en_passant_only_where_the_moves_say_so(tmp_path: Path) -> None:
    """Georgian chess has none, so its diagram's pawns capture without ``e``."""
    georgian = registry().game("georgian")
    again = _read(tmp_path, _diagram(georgian))
    chess = _read(tmp_path, _diagram(registry().game("crazyhouse")), "other.txt")
    for game, expected in (georgian, False), (again, False), (chess, True):
        position = Position(game)
        for move in ("c2c4", "d7d5", "h2h3", "d5d4", "e2e4"):
            position.push(move)
        assert ("d4e3" in position.legal_moves()) is expected, game.name


def test_most_plain_games_can_be_written() -> None:
    names = {game.name for game in WRITTEN}
    assert {*FAMILY, "crazyhouse", "grasshopper", "berolina", "tencubed"} <= names
    assert not {"shatranj", "makruk", "gustav3"} & names
    assert "atomic" not in names


def test_a_web_page_s_diagram(tmp_path: Path) -> None:
    """Names stand for moves and letters, ``a2-j2`` for squares, Black's are mirrored."""
    game = _read(tmp_path, PAGE, "my game.html")
    assert game.name == "my-game"
    assert game.start == ("rnbaqkcbnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBAQKCBNR w KQkq - 0 1")
    moves = Position(game, "r4k3r/9P/10/10/10/10/10/R4K3R w KQkq - 0 1").legal_moves()
    assert {"f1i1", "f1c1", "j7j8q"} - set(moves) == {"j7j8q"}  # a rook stands there
    assert "f1h1" not in moves


def test_hands_and_promotion_as_in_shogi(tmp_path: Path) -> None:
    text = "files=5\nranks=5\npromoZone=1\nmaxPromote=2\npromoOffset=4\nholdingsType=1\n"
    text += "pawn:P:fW::a2\nsilver:S:::c1\ngold:G:::b1\nking:K:K::a1\n"
    text += "tokin:+P:WfF:::\nsilver+:+S:WfF:::1\n"
    game = _read(tmp_path, text)
    position = Position(game, "4k/S4/5/5/K4[Pp] w - - 0 1")
    moves = position.legal_moves()
    assert {"a4a5", "a4a5+", "P@b2"} <= set(moves)
    position.push("a4a5+")
    assert position.text().startswith("+S3k/")


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("Knight:N:::b1", "Knight:Nn:::b1", 14, "'Nn': a piece is one letter A-Z"),
        ("Bishop::::c1", "Bishop::::b1", 15, "two pieces stand on file 2, rank 1"),
        ("Rook::::a1", "Rook::::a9", 16, "'a9' is not on a board of 10x8"),
        ("Archbishop::", "Zeppelin::", 17, "needs its moves"),
        ("KisO3", "KxO3", 20, "'x' in 'KxO3'"),
        ("Chancellor:", "Chancellor:N", 18, "another piece has the letter N"),
        ("ranks=8", "ranks=88", 5, "'88' is not a whole number in 0..16"),
        ("royal=8", "shuffle=RN", 12, "cannot be read here, see LIMITS.md"),
        ("symmetry=mirror", "symmetry=some", 11, "is none of mirror, rotate, none"),
        ("Queen::::e1", "Queen", 19, "is neither key=value nor"),
        ("promoChoice=QRBN", "promoChoice=QX", 7, "'X' is not one of the pieces"),
    ],
)
def test_faults_name_the_line(old: str, new: str, line: int, reason: str, tmp_path: Path) -> None:
    assert old in PAGE
    with pytest.raises(DefinitionError) as error:
        _read(tmp_path, PAGE.replace(old, new, 1), "own.html")
    assert reason in str(error.value)
    assert error.value.line == line


def test_mutated_diagrams(tmp_path: Path, source: random.Random) -> None:
    """Read, or refused in one line: nothing else happens."""
    for _ in range(effort(150, 3000)):
        lines = PAGE.splitlines()
        for _ in range(source.randint(1, 3)):
            at = source.randrange(len(lines))
            line = lines[at]
            cut = source.randrange(len(line) + 1)
            sign = source.choice(["", ":", "=", "9", "a", "K", "<", ",", "-", "\n", "&", "0"])
            lines[at] = line[:cut] + sign + line[cut + source.randint(0, 2) :]
        fault = ""
        try:
            _read(tmp_path, "\n".join(lines), "own.html")
        except UserError as error:
            fault = str(error)
        assert "\n" not in fault


def test_the_command(tmp_path: Path) -> None:
    done = command("diagram", "chess", "--html")
    assert done.returncode == 0, done.stderr
    path = tmp_path / "copy.html"
    path.write_text(done.stdout)
    done = command("perft", "--variants", str(path), "--variant", "copy", "--depth", "3")
    assert "\nNodes searched: 8902\n" in done.stdout, done.stderr
    done = command("diagram", "atomic")
    assert done.returncode == 2
    assert done.stderr == "ryugi-engine: atomic: an Interactive Diagram cannot say this game\n"
