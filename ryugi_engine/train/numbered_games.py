"""Games by their numbers, played by threads of this process or on a cluster."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

from ryugi_engine.games.game import Game
from ryugi_engine.processes.worker_pool import Worker, WorkerPool

if TYPE_CHECKING:
    from ryugi_engine.cluster import Cluster

#: The modules with self-play's kernels, besides a game's.
KERNELS = ("ryugi_engine.train.selfplay", "ryugi_engine.search.root")
W = TypeVar("W", bound=Worker)
Result = TypeVar("Result")


def play_here(
    game: Game,
    new_player: Callable[[Game], W],
    play: Callable[[W, int], Result | None],
    numbers: Sequence[int],
) -> list[Result | None]:
    """Play games as a unit on a cluster does; None for one that was stopped."""
    from ryugi_engine.cluster import while_wanted
    from ryugi_engine.games.registry import load_kernels

    load_kernels(game, *KERNELS, own=True)
    player = new_player(game)
    with while_wanted(player.stop):
        return [play(player, number) for number in numbers]


@contextlib.contextmanager
def games_of(
    players: Callable[[], Sequence[W]],
    play: Callable[[W, int], Result | None],
    cluster: Cluster | None,
    unit: Callable[..., Any],
    common: Any,
    first: int = 0,
) -> Iterator[Iterator[Result | None]]:
    """Context: the games from a number on as they end, and None now and then.

    ``players()`` play them here. With a cluster ``unit`` does, with what its games have in common.
    """
    if cluster is not None:
        with contextlib.closing(cluster.results(unit, common, count(first))) as results:
            yield (item if item is None else item[1] for item in results)
        return
    with WorkerPool(players(), play) as pool:
        yield pool.results(count(first))
