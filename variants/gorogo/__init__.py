"""GoRoGo, Go on 5x5 points with Henges, by M. Yamamoto."""

from __future__ import annotations

from pathlib import Path

from ryugi_engine.games.game import Game, Reference, Rules
from ryugi_engine.games.groups import GROUPS
from variants.gorogo.text import MOVE, SIZE, START

_FOLDER = Path(__file__).parent


def _load() -> Rules:
    from variants.gorogo.rules import GoRoGoRules

    return GoRoGoRules(GAME)


def _reference(text: str) -> Reference:
    from variants.gorogo.reference import Reference

    return Reference.parse(text)


GAME = Game(
    name="gorogo",
    title="GoRoGo",
    group=GROUPS[0],
    about="Go on 5x5 points, with Henges that belong to whoever is to move",
    files=SIZE,
    ranks=SIZE,
    start=START,
    load=_load,
    pieces={"S": "", "H": ""},
    names={"S": "stone", "H": "Henge"},
    move_shape=MOVE.pattern,
    placed=True,
    proves=True,
    pocket=2,
    neutral="H",
    captures=True,
    draws=False,
    longest=25,
    horizon=6,
    folder=_FOLDER,
    bench_depth=5,
    reference=_reference,
)


def games() -> list[Game]:
    """Return the game."""
    return [GAME]
