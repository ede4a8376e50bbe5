"""The net of a game that nobody has trained, from its definition alone."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ryugi_engine.games.training import Training
from ryugi_engine.nnue.net import Net
from variants.chess.definition.definition import Definition
from variants.chess.definition.likeness import aims_of
from variants.chess.family.kinship import NETS, likeness, nearest, similar_net
from variants.chess.hypernet.features import features_of
from variants.chess.hypernet.hypernet import Hypernet

HYPERNET_FILE = NETS / "hypernet.npz"
#: The share from which another game's net is better than the hypernetwork's.
_KIN = 0.9
#: Aims with which a net made from rules may be worse than none.
_DOUBTFUL = frozenset(
    (
        "to be mated", "to be stalemated", "to stalemate", "to take all pieces", "to reach squares",
        "to make a row", "the armies differ", "several moves make a turn", "no check is given",
        "there are walls", "captures explode",
    )
)  # fmt: skip
#: Aims of games that the hypernetwork has not learnt.
_STRANGE = frozenset(
    ("to lose pieces", "to count pieces", "there are walls", "pieces are dropped from anywhere")
)


class Made(NamedTuple):
    """A net that nobody has trained, and whether it may be worse than none."""

    net: Net
    doubtful: bool


@cache
def _hypernet() -> Hypernet | None:
    """Return the hypernetwork; None before it has been learnt."""
    return Hypernet.read(HYPERNET_FILE) if HYPERNET_FILE.exists() else None


def suits(game: Definition) -> bool:
    """Return whether the hypernetwork has learnt games like this one."""
    strange = aims_of(game) & _STRANGE
    return not strange and bool(game.royal or game.rules.extinction_value == "loss")


def first_net(game: Definition, training: Training, without: str = "") -> Made | None:
    """Return the net of a similar game, or the hypernetwork's; None if neither would help.

    That of the game ``without`` is left out. UserError if the net would not fit the kernels.
    """
    like = likeness(game, training.inputs)
    kin = nearest(like, without)
    if kin is not None and kin[1].share >= _KIN:
        return Made(similar_net(kin[0], game, training), doubtful=False)
    doubtful = bool(like.aims & _DOUBTFUL)
    hypernet = _hypernet() if suits(game) else None
    if hypernet is not None:
        features = features_of(game, training)
        new = hypernet.known(features) < 0
        net = hypernet.net(features, training, game.name)
        return Made(net, doubtful or 2 * int(new.sum()) > len(new))
    return None if kin is None else Made(similar_net(kin[0], game, training), doubtful)
