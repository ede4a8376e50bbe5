"""Access to a game's training interface: records, rules with nets, weights."""

from __future__ import annotations

from collections.abc import Mapping

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, Rules
from ryugi_engine.games.registry import rules_of
from ryugi_engine.games.training import Trainable, Training, Tunable
from ryugi_engine.nnue.file_format import read_net
from ryugi_engine.nnue.net import Net


def _trainable(game: Game, rules: Rules) -> Trainable:
    if not isinstance(rules, Trainable):
        raise UserError(f"{game.name}: its evaluation cannot be learnt: {rules.not_trainable}")
    return rules


def training_of(game: Game) -> Training:
    """Return how a game's positions are recorded; UserError for a game that cannot be trained."""
    return _trainable(game, rules_of(game)).training()


def rules_with(
    game: Game, net: Net | None, weights: Mapping[str, float] | None = None
) -> Trainable:
    """Return rules with ``net``, or without a net, instead of the game's own net.

    ``weights`` replace those of the hand-crafted evaluation.
    """
    rules = _trainable(game, rules_of(game)).with_net(net)
    return rules if weights is None else tunable(game, rules).with_weights(weights)


def tunable(game: Game, rules: Rules) -> Tunable:
    """Return the rules if their evaluation has weights; UserError for others."""
    if not isinstance(rules, Tunable):
        raise UserError(f"{game.name}: its evaluation has no weights, chess-like games' have")
    return rules


def own_net(game: Game) -> Net | None:
    """Return the net that comes with a game; None if there is none."""
    path = _trainable(game, rules_of(game)).own_net
    return None if path is None else read_net(path)
