"""Goryujin, dragons of pentominoes on 60x30 squares, by T. Uchihashi."""

from __future__ import annotations

from pathlib import Path

from ryugi_engine.games.game import Game, Reference, Rules
from ryugi_engine.games.groups import GROUPS
from variants.goryujin.shapes import LETTERS
from variants.goryujin.text import FILES, PASS_MOVE, PLACEMENT, RANKS, START

_FOLDER = Path(__file__).parent


def _load() -> Rules:
    from variants.goryujin.rules import GoryujinRules

    return GoryujinRules(GAME)


def _reference(text: str) -> Reference:
    from variants.goryujin.reference import Reference

    return Reference.parse(text)


GAME = Game(
    name="goryujin",
    title="Goryujin",
    group=GROUPS[0],
    about="Dragons of pentominoes grow across 60x30 squares",
    files=FILES,
    ranks=RANKS,
    start=START,
    load=_load,
    pieces=dict.fromkeys(LETTERS, ""),
    move_shape=PLACEMENT.pattern + r"\+?",
    placed=True,
    pocket=len(LETTERS),
    draws=False,
    longest=5 * 130,
    timeout_pass=PASS_MOVE,
    folder=_FOLDER,
    bench_depth=4,
    beam=24,
    reference=_reference,
)


def games() -> list[Game]:
    """Return the game."""
    return [GAME]
