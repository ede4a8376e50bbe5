"""A simple game's Rules, with the kernels and layouts of its package."""

from __future__ import annotations

from ryugi_engine.simple_game.rules import SimpleRules
from ryugi_engine.simple_game.trained_rules import TrainedRules

from . import entries
from . import layout as L


class PlainRules(SimpleRules):
    """See :class:`ryugi_engine.games.game.Rules`."""

    kernels = entries.KERNELS
    refresh = entries.refresh
    layout, frame = L.STATE, L.FRAME
    definition = L.DEFINITION


Rules: type[PlainRules] = PlainRules
if L.PLANES:
    from . import training

    class LearningRules(PlainRules, TrainedRules):
        """See :class:`ryugi_engine.games.training.Trainable`."""

        record, recall, learnt = training.record, training.recall, training.learnt
        planes = L.PLANES

    Rules = LearningRules
