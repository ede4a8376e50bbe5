"""The net to begin with: that of the shipped game whose pieces move most alike."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import registry
from ryugi_engine.games.training import Likeness, Training
from ryugi_engine.nnue.net import Net
from ryugi_engine.train.trainable_game import own_net, training_of

#: The share of a game's pieces that another has, from which that one's net is a beginning.
_ENOUGH = 0.4
#: What an aim counts for, where a kind of piece counts for 1.
_AIM = 0.5


def _most_alike(kind: str, like: Likeness, others: Mapping[str, Likeness]) -> str:
    """Return the kind of others with the same moves, else that of the nearest value.

    Promoted kinds go to promoted ones, and royal ones to royal ones, where there are any.
    """

    def distance(other: str) -> tuple[bool, bool, int, bool]:
        theirs = others[other]
        moves_differ = theirs.moves != like.moves
        is_royal = (theirs.value == 0) != (like.value == 0)
        is_marked = other.strip("+~") != kind if moves_differ else other[-1:] != kind[-1:]
        return is_royal, moves_differ, abs(theirs.value - like.value), is_marked

    return min(others, key=distance)


def _kin_kinds(own: Training, other: Training) -> dict[str, str]:
    """Return the most similar kind of another game for each of a game's."""
    return {kind: _most_alike(kind, like, other.kinds) for kind, like in own.kinds.items()}


def _traits(training: Training) -> set[tuple[str, Hashable]]:
    """Return how a game's pieces move, and those that may be in hand."""
    kinds, hand = training.kinds, " in hand"
    held = (c.name.removesuffix(hand) for c in training.inputs.counters if c.name.endswith(hand))
    on_board = {("on the board", like.moves) for like in kinds.values()}
    return on_board | {("in hand", kinds[kind].moves) for kind in held}


class Kinship(NamedTuple):
    """How alike a game is to another that has a net; the greatest is the most alike."""

    #: The share that both have of what one of them has: kinds of piece, on the board and in hand,
    #: and aims; 0 where one wants to lose pieces and the other to win them.
    share: float
    #: Files and ranks that only one of the boards has, negative.
    board: int
    #: From how many positions the net learnt.
    positions: int


def kinship(own: Training, other: Training, net: Net) -> Kinship:
    """Return how alike two games are, by facts of their rules; ``net`` is the other's."""
    ours, theirs = _traits(own), _traits(other)
    both = len(ours & theirs) + _AIM * len(own.aims & other.aims)
    one = len(ours | theirs) + _AIM * len(own.aims | other.aims)
    return Kinship(
        both / one if own.reversed == other.reversed else 0.0,
        -abs(own.inputs.files - other.inputs.files) - abs(own.inputs.ranks - other.inputs.ranks),
        int(net.metadata.get("positions", 0)),
    )


def adapted(net: Net, game: Game) -> Net:
    """Return a net of any game for this one; UserError if its game or pieces are not known."""
    own = training_of(game)
    if net.inputs.difference(own.inputs) == "":
        same = {kind: kind for kind in own.inputs.kinds}
        return net.with_inputs(game.name, own.inputs, own.rules, same)
    other = training_of(registry().game(net.game))
    if not own.kinds or {*net.inputs.kinds} != {*other.kinds}:
        raise UserError(f"a net of {net.game}, {net.inputs.difference(own.inputs)}")
    return net.with_inputs(game.name, own.inputs, own.rules, _kin_kinds(own, other))


def nearest_net(game: Game) -> Net | None:
    """Return the shipped net of the most similar game, made to fit; None if none is similar."""
    own = training_of(game)
    found: list[tuple[Kinship, Net]] = []
    for group in registry().groups().values():
        for other in group if own.kinds else ():
            net = own_net(other) if other.trained and other.name != game.name else None
            if net is not None and training_of(other).kinds:
                found.append((kinship(own, training_of(other), net), net))
    best = max(found, key=lambda entry: entry[0], default=None)
    return adapted(best[1], game) if best is not None and best[0].share >= _ENOUGH else None
