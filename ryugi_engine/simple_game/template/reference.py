"""A simple game's reference rules: its own functions, run by Python."""

from __future__ import annotations

from ryugi_engine.simple_game.definition import definition_of
from ryugi_engine.simple_game.reference import SimpleReference

_DEFINITION = definition_of(__name__.rpartition(".")[0])


def parse(text: str) -> SimpleReference:
    """Return the position of a text; PositionError if it is wrong."""
    return SimpleReference.parse(_DEFINITION, text)
