"""Access to a game's training interface: records, rules with nets."""

from __future__ import annotations

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import rules_of
from ryugi_engine.games.training import Trainable, Training
from ryugi_engine.nnue.architecture import SCALE
from ryugi_engine.nnue.net import Net


def trainable(game: Game) -> Trainable:
    """Return a game's rules; UserError for a game that cannot be trained."""
    rules = rules_of(game)
    if not isinstance(rules, Trainable):
        raise UserError(f"{game.name}: its evaluation cannot be learnt: {rules.not_trainable}")
    return rules


def training_of(game: Game) -> Training:
    """Return how a game's positions are recorded; UserError for a game that cannot be trained."""
    return trainable(game).training()


def scale_of(training: Training) -> int:
    """Return the scale of a game's nets: centipawns of an output of 1.0."""
    return SCALE * training.magnitude


def rules_with(game: Game, net: Net | None) -> Trainable:
    """Return rules with ``net``, or without a net, instead of the game's own net."""
    return trainable(game).with_net(net)


def own_net(game: Game) -> Net | None:
    """Return the net that a game is played by unless another one is asked for; None without."""
    return trainable(game).net
