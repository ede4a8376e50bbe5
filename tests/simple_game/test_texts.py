"""Position texts of simple games: what is accepted is written back, what is wrong is one line."""

from __future__ import annotations

import random
import sys

from tests.simple_game.test_games import ENVIRONMENT, NAMES
from tests.support.effort import effort
from tests.support.helpers import completed

_FUZZ = """
import random, sys
from ryugi_engine.errors import UserError
from ryugi_engine.games.registry import registry
source, count = random.Random(int(sys.argv[1])), int(sys.argv[2])
for game in map(registry().game, sys.argv[3:]):
    accepted = 0
    for _ in range(count):
        text = list(game.start)
        for _ in range(source.randrange(1, 3)):
            at = source.randrange(len(text))
            text[at : at + source.randrange(3)] = source.choice("sSPpqQAW0123456789/[] -,wbxé\\\\0")
        text = "".join(text)
        try:
            position = game.reference(text)
        except UserError as error:
            assert "\\n" not in str(error) and str(error), text
            continue
        accepted += 1
        assert game.reference(position.text()).text() == position.text(), text
    assert accepted, game.name
"""


def test_mutated_texts(source: random.Random) -> None:
    count = effort(800, 20_000)
    words = [str(source.randrange(2**31)), str(count), *NAMES]
    done = completed([sys.executable, "-c", _FUZZ, *words], env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
