"""Names that are almost right: commands, actions, options, games; ``help`` and ``version``."""

from __future__ import annotations

import pytest

from ryugi_engine import __version__
from ryugi_engine.cli import main
from ryugi_engine.errors import did_you_mean
from tests.support.helpers import EngineUnderTest, TerminalUnderTest


@pytest.mark.parametrize(
    ("words", "suggested"),
    [
        (["bensh"], "'bensh' is unknown, did you mean 'bench'?"),
        (["train", "generat"], "'generat' is unknown, did you mean 'generate'?"),
        (["record", "anlyse", "x"], "did you mean 'analyse'?"),
        (["bench", "--depht", "3"], "unknown option --depht, did you mean '--depth'?"),
        (["perft", "--depth=1", "--mvoes=3"], "unknown option --mvoes, did you mean '--moves'?"),
        (["perft", "--depth", "1", "--variant", "ryugy"], "variant 'ryugy', did you mean 'ryugi'?"),
        (["match", "--tournament", "gauntlett"], "did you mean 'gauntlet'?"),
        (["xyzzy"], "'xyzzy' is unknown, choose from uci, xboard, "),
        (["bench", "--xyzzy"], "unknown option --xyzzy; "),
        (["perft", "3"], "perft: error: '3' belongs to no option; one of the arguments --depth"),
        (["perft", "--deph", "3"], "unknown option --deph, did you mean '--depth'?"),
        (["perft", "--depth", "3", "4"], "perft: error: '4' belongs to no option; "),
        (["--variant", "chess", "perft"], "--variant goes after 'perft', it is one of its options"),
        (["--depth=3", "perft"], "--depth goes after 'perft', it is one of its options"),
        (["record", "--fen", "x", "new", "f"], "--fen goes after 'new'"),
        (["variants-ini", "--variant", "chess"], "--variant, did you mean '--variants'?"),
        (["games", "3"], "games: error: '3' belongs to no option; 'ryugi-engine games --help'"),
        (["-variant", "chess", "show"], "unknown option -variant, did you mean '--variants'?"),
        (["show", "-variant", "chess"], "unknown option -variant, did you mean '--variant'?"),
        (["record", "show"], "the following arguments are required: FILE"),
        (["record", "show", "f", "5"], "record show: error: '5' belongs to no option"),
        (["train", "generate", "--posisions", "3"], "--posisions, did you mean '--positions'?"),
    ],
)
def test_what_is_almost_right_is_suggested(
    words: list[str], suggested: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code: object = main(words)
    except SystemExit as leaving:
        code = leaving.code
    assert code == 2
    errors = capsys.readouterr().err
    assert suggested in errors
    assert errors.count("\n") == 1


def test_nothing_similar_is_nothing() -> None:
    assert did_you_mean("zzz", ["bench", "perft"]) == ""


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["help"], "usage: ryugi-engine "),
        (["help", "bench"], "usage: ryugi-engine bench "),
        (["help", "train", "net"], "usage: ryugi-engine train net "),
        (["version"], f"ryugi-engine {__version__}"),
    ],
)
def test_help_and_version_are_commands_too(
    words: list[str], shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(words)
    assert not leaving.value.code
    assert capsys.readouterr().out.startswith(shown)


def test_a_person_is_greeted_a_gui_is_not() -> None:
    terminal = TerminalUnderTest()
    terminal.wait("type 'uci' or 'xboard'")
    terminal.leave(b"quit\n")
    engine = EngineUnderTest()
    engine.send("uci")
    engine.wait("uciok")
    assert not any("type 'uci'" in line for line in engine.log)
    engine.quit()
