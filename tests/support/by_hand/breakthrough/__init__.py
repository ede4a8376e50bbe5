"""Breakthrough, on 8x8 squares: who reaches the other side first, by D. Troyka."""

from __future__ import annotations

from pathlib import Path

from variants.breakthrough.text import SIZE, START

from ryugi_engine.games.game import Game, Reference, Rules


def _load() -> Rules:
    from variants.breakthrough.rules import BreakthroughRules

    return BreakthroughRules(GAME)


def _reference(text: str) -> Reference:
    from variants.breakthrough.reference import Reference as Position

    return Position.parse(text)


GAME = Game(
    name="breakthrough",
    title="Breakthrough",
    files=SIZE,
    ranks=SIZE,
    start=START,
    load=_load,
    pieces={"P": "fmWfF"},
    draws=False,
    folder=Path(__file__).parent,
    reference=_reference,
)


def games() -> list[Game]:
    """Return the game."""
    return [GAME]
