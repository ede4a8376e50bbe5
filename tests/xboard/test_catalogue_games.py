"""Games of the general family over CECP, and in a real XBoard."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ryugi_engine.games.game import read_move
from ryugi_engine.games.notation import cecp_move, own_ranks
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import catalogue, registry
from tests.support.gui import engine_command, needs_xboard, xboard
from tests.xboard.test_cecp import engine, new_game, own_move  # noqa: F401 - a fixture
from xboard import features, setup
from xboard.setup import setup_lines

#: How XBoard has described its own shogi and crazyhouse since 4.4.
OWN_TABLES = {"shogi": "PNBRLS...G.++++++", "crazyhouse": "PNBRQ.......~~~~"}


@pytest.mark.parametrize("name", OWN_TABLES)
def test_slots_are_those_of_xboard(name: str) -> None:
    """Promotion and holdings depend on them: what is promoted lies eleven further."""
    table = setup.piece_table(registry().game(name))
    half = len(table) // 2
    white, black = table[:half], table[half:]
    assert white.rstrip("K").rstrip(".") == OWN_TABLES[name]
    assert white.endswith("K")
    assert black == white.lower()


@pytest.mark.parametrize("name", catalogue())
def test_every_game_is_described(name: str) -> None:
    """A letter in each slot at most once, moves of each letter, a start that XBoard reads."""
    game = registry().game(name)
    lines = setup_lines(game)
    if name in features.KNOWN:
        assert lines == []
        return
    _, table, size, rows, *fields = lines[0].split(" ")
    letters = [sign for sign in table.strip("()") if sign.isalpha()]
    assert len(letters) == len(set(letters))
    assert re.fullmatch(rf"{game.files}x{game.ranks}\+[0-9]+_[a-z]+", size)
    assert not any("+" in field for field in fields)
    begin = {sign for sign in rows.partition("[")[0] if sign.isalpha()}
    assert begin <= set(letters)
    described = {line.split()[1] for line in lines[1:]}
    assert all(line.split(" ")[0] == "piece" and line.split()[2] for line in lines[1:])
    assert {f"+{letter}&" for letter in game.promoted} <= described


def test_what_is_announced() -> None:
    line = features.variants_line(registry().games(), registry().game("ryugi"), catalogue())
    names = line.split('"')[1].split(",")
    assert names[0] == "ryugi"
    assert {"crazyhouse", "shogi", "xiangqi", "makruk", "courier", "grand", "atomic"} <= set(names)
    assert len(names) == len(set(names))
    assert "nocheckatomic" not in names  # XBoard would take it for atomic


def test_ranks_from_0_on_boards_of_ten() -> None:
    """Source: the specification, at ``usermove``."""
    assert cecp_move("a1a10", 10) == "a0a9"
    assert own_ranks("h2e2", 10) == "h3e3"
    assert own_ranks("a0a9q", 10) == "a1a10q"
    assert cecp_move("a1a9", 9) == own_ranks("a1a9", 11) == "a1a9"
    for move in Position(registry().game("xiangqi")).legal_moves():
        assert own_ranks(cecp_move(move, 10), 10) == move


def test_xiangqi_is_played(engine) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    new_game(engine, "xiangqi")
    engine.send("usermove h2e2")
    answer = own_ranks(own_move(engine), 10)
    position = Position(registry().game("xiangqi"))
    position.push("h3e3")
    assert answer in position.legal_moves()


def test_a_king_passes_for_the_user_and_for_the_engine(engine) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    new_game(engine, "janggi", "force")
    engine.send("usermove c3c4", "exclude all", "include @@@@", "go")
    assert own_move(engine) == "@@@@"
    position = Position(registry().game("janggi"))
    for move in ("c4c5", "pass", "e4e5"):
        position.push(move)
    engine.send("usermove e3e4")
    position.push(read_move(own_ranks(own_move(engine), 10)))
    new_game(engine, "janggi", "force")
    engine.send("usermove @@@@", "exclude @@@@", "go")
    position = Position(registry().game("janggi"))
    position.push("pass")
    position.push(own_ranks(own_move(engine), 10))


def test_positions_without_castling_and_courier_s_own_start(engine) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    new_game(
        engine, "nocastle", "force", "setboard qnknrrbb/pppppppp/8/8/8/8/PPPPPPPP/QNKNRRBB w - 0 1"
    )
    engine.send("usermove a2a3", "ping 7")
    engine.wait("pong 7")
    assert not any("llegal" in line for line in engine.log)
    new_game(engine, "courier", "force")
    engine.send("usermove g2g3", "ping 8")  # not possible after the opening moves of our start
    engine.wait("pong 8")
    assert not any("llegal" in line for line in engine.log)


@needs_xboard
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "moves"),
    [("shogi", ["c3c4", "h2d2"]), ("crazyhouse", ["e2e4", "d2d4"]), ("xiangqi", ["h3e3", "h1g3"])],
)
def test_by_mouse(name: str, moves: list[str], tmp_path: Path) -> None:
    """Moves of a user, and the engine's answers."""
    game = registry().game(name)
    with xboard(tmp_path, "-variant", name, "-depth", "1") as window:
        window.wait("first : pong 1")
        window.find_board(game.files, game.ranks, holdings=game.pocket > 0)
        for move in moves:
            window.move(move)
            window.wait(f"usermove.*{cecp_move(move, game.ranks)}", 10)
            window.wait("<first : move")
            window.settled()
        assert "llegal" not in window.log.replace("LegalDrop", "")


@needs_xboard
@pytest.mark.slow
@pytest.mark.parametrize("name", ["shogi", "crazyhouse", "grand"])
def test_xboard_referees_a_match(name: str, tmp_path: Path) -> None:
    """Drops, promotions and a board of ten ranks: no move is illegal to XBoard."""
    second = tmp_path / "second"
    second.mkdir()
    arguments = ("-noGUI", "-scp", engine_command(second), "-variant", name, "-mm", "-mg", "1")
    arguments += ("-xexit", "-depth", "2", "-ruleMoves", "0", "-repeatsToDraw", "0")
    with xboard(tmp_path, *arguments) as window:
        window.process.wait(300)
        log = window.log
    assert "llegal move" not in log
    assert "forfeit" not in log.lower()
    assert log.count(": move ") > 20
