"""Names that are almost right: commands, actions, options, games; ``help`` and ``version``."""

from __future__ import annotations

import pytest

from ryugi_engine import __version__
from ryugi_engine.commands.cli import main
from tests.support.helpers import EngineUnderTest, TerminalUnderTest


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
