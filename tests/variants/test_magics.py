"""The magics that a file keeps are those that the search finds."""

from __future__ import annotations

from typing import Any

import pytest

from ryugi_engine.games.registry import registry, rules_of
from ryugi_engine.kernel.block import Block
from variants.chess.fast import layout as L
from variants.chess.fast import magics


def _board_only(rules: Any) -> Block:
    """Return a block of tables with nothing but the board's size."""
    tables = rules._tables
    block = Block(len(tables.words))
    for field in ("files", "ranks"):
        L.DRAFT.of(block)[field] = L.DRAFT.of(tables)[field]
    return block


@pytest.mark.parametrize("name", ["chess", "ryugi"])
def test_known_magics_are_those_of_the_search(name: str) -> None:
    rules: Any = rules_of(registry().game(name))
    searched, filled = _board_only(rules), _board_only(rules)
    magics.fill(searched, rules.definition, search=True)
    magics.fill(filled, rules.definition)
    game = rules.definition
    assert magics.to_text(filled, game) == magics.to_text(searched, game)
    kept = [
        f"{game.files} {game.ranks} {rider} {square} {lo} {hi}\n"
        for (files, ranks, rider, square), (lo, hi) in magics.known().items()
        if (files, ranks) == (game.files, game.ranks)
    ]
    assert magics.to_text(searched, game) == "".join(kept)
    assert len(kept) == 2 * game.files * game.ranks
