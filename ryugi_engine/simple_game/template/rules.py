"""A simple game's Rules, with the kernels and layouts of its package."""

from __future__ import annotations

from ryugi_engine.simple_game.rules import SimpleRules

from . import entries
from . import layout as L


class Rules(SimpleRules):
    """See :class:`ryugi_engine.games.game.Rules`."""

    kernels = entries.KERNELS
    refresh = entries.refresh
    layout, frame = L.STATE, L.FRAME
    definition = L.DEFINITION
