"""``--variants FILE`` of one game: that game is meant, in every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ryugi_engine.commands.cli import main
from tests.support.helpers import EngineUnderTest, command

START = "rnbckbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBCKBNR w - - 0 1"
ONE = f"""
[mine]
files = 8
ranks = 8
start = "{START}"
promotion = "CRBN"
pieces = {{ K = "K", C = "KN", R = "R", B = "B", N = "N" }}
"""


@pytest.fixture
def one(tmp_path: Path) -> list[str]:
    """The option with a file of one game."""
    (tmp_path / "one.toml").write_text(ONE)
    return ["--variants", str(tmp_path / "one.toml")]


def test_what_commands_say(
    one: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.pgn"
    for words, said in (
        (["perft", "--depth", "1"], f"Fen: {START}"),
        (["show"], f"Fen: {START}"),
        (["bench", "--depth", "1"], "mine 1/1: "),
        (["diagram"], "centaur:C:KN::d1:d8"),
        (["variants-ini"], "[mine]"),
        (["record", "new", str(record)], ": mine, "),
    ):
        assert main([*words, *one]) == 0, words
        assert said in capsys.readouterr().out, words
    assert '[Variant "mine"]' in record.read_text()
    assert main(["solve", *one]) == 2
    assert "mine has no exact solver" in capsys.readouterr().err
    assert main(["perft", "--depth", "1", "--json", "--variant", "chess", *one]) == 0
    assert json.loads(capsys.readouterr().out)["variant"] == "chess"
    done = command("play", *one, input="quit\n")
    assert " | r | n | b | c | k | b | n | r |" in done.stdout


def test_two_games_are_not_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.toml"
    path.write_text(ONE + ONE.replace("[mine]", "[other]"))
    assert main(["perft", "--depth", "1", "--variants", str(path)]) == 0
    assert "Variant: ryugi" in capsys.readouterr().out
    assert main(["diagram", "--variants", str(path)]) == 2
    assert "which game?" in capsys.readouterr().err


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_what_guis_are_told(protocol: str, one: list[str]) -> None:
    engine = EngineUnderTest(protocol, *one)
    if protocol == "uci":
        engine.send("uci")
        assert "default mine " in engine.wait("option name UCI_Variant")
    else:
        engine.send("protover 2")
        assert 'variants="mine,' in engine.wait("feature variants")
    engine.quit()
