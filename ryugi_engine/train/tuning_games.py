"""The games of ``train search``, in a process of their own: its kernels read the parameters.

A process whose environment has ``parameters.RUN_TIME`` set. Kernels read one set of parameters, so
two players cannot search at the same time in a process: each search begins by copying its player's.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from ryugi_engine import process
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import entry
from ryugi_engine.kernel.memory import call6, load64, store64
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P
from ryugi_engine.search.root import search_root
from ryugi_engine.train.player import Player
from ryugi_engine.train.selfplay import PLAYED, duel
from ryugi_engine.train.settings import SelfPlaySettings
from ryugi_engine.train.trainable_game import own_net

#: Decided later than games that are learnt from, and no side begins with less.
_SETTINGS = replace(SelfPlaySettings(), decided=2000, decided_plies=8, odds=0)
_COUNT = len(P.PARAMETERS)
#: Where kernels read the parameters, and the address of the search.
_VALUES = P.VALUES.address if P.VALUES is not None else 0
_SEARCH = Block(1)
_SEARCH_ADDRESS = _SEARCH.address


@entry(6, late=True)
def search_with_parameters(
    W: int, depth: int, alpha: int, beta: int, first: int, below: int
) -> int:
    """``search_root`` with the parameters of the thread's player."""
    own = L.WORKER(W).root_args.parameters
    for number in range(_COUNT):
        store64(_VALUES, number, load64(own, number))
    score: int = call6(load64(_SEARCH_ADDRESS, 0), W, depth, alpha, beta, first, below)
    return score


class _TunedPlayer:
    """A player whose search has parameters of its own."""

    def __init__(self, game: Game, nodes: int, seed: int) -> None:
        settings = replace(_SETTINGS, nodes=nodes)
        self.player = Player(game, settings, seed, own_net(game), search=search_with_parameters)
        self._values = Block(_COUNT)
        self.player.worker.view["root_args"]["parameters"] = self._values.address

    def set(self, values: Mapping[str, int]) -> None:
        """Set parameters by name; the others have their usual values."""
        chosen = {p.name: values.get(p.name, int(p.value)) for p in P.PARAMETERS}
        self._values.words[:] = list(chosen.values())
        self.player.worker.set_reductions(chosen["lmr_base"], chosen["lmr_divisor"])


@cache
def _players(name: str, variants: str, nodes: int) -> tuple[_TunedPlayer, _TunedPlayer]:
    """Return two players with the same openings."""
    assert P.VALUES is not None
    _SEARCH.words[0] = search_root.address
    seed = random.Random("openings of tuning").getrandbits(30)
    games = registry()
    if variants:
        games.load_file(variants)
    game = games.game(name)
    return _TunedPlayer(game, nodes, seed), _TunedPlayer(game, nodes, seed)


def begin() -> None:
    """Prepare the process: ignore Ctrl-C, which the parent handles."""
    process.ignore_interrupts()


def play_pair(
    name: str,
    variants: str,
    nodes: int,
    number: int,
    plus: Mapping[str, int],
    minus: Mapping[str, int],
) -> int | None:
    """Play both games of the opening with this number; return the half points of ``plus``, 0..4.

    ``variants`` is a file that defines the game, "" for the engine's own. None if the game was
    over before its first search.
    """
    one, other = _players(name, variants, nodes)
    one.set(plus)
    other.set(minus)
    points = 0
    for side in (0, 1):
        for each in (one, other):
            each.player.begin(*one.player.drawn(number))
        if duel(one.player.block.address, other.player.block.address, side) != PLAYED:
            return None
        result = int(one.player.seen["result"])
        points += 1 + (result if side == 0 else -result)
    return points
