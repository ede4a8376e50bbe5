"""Settings of training with their limits and defaults, of which the command line makes options."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated

from ryugi_engine.settings.argument import Argument, all_cores

_Threads = Annotated[int, 1, 256, Argument("threads", "T", default="all cores")]
_Games = Annotated[int, 1, 256, Argument("games at a time", "T", default="all cores")]
_HIDDEN = "hidden size of the net, a multiple of 32"


@dataclass(frozen=True)
class SelfPlaySettings:
    """Settings of self-play games, the same for all games of a file."""

    nodes: Annotated[int, 1, 10**6, Argument("soft node limit of a move")] = 650
    #: Random plies of an opening, at least and at most.
    random_low: int = 8
    random_high: int = 10
    #: A score in centipawns that decides a game after so many plies.
    decided: int = 1400
    decided_plies: int = 4
    #: Bound of a recorded score, in centipawns.
    bounded: int = 2500
    odds: Annotated[
        int, 0, 100, Argument("percentage of games in which a side begins without a piece")
    ] = 10

    def times(self, magnitude: int) -> SelfPlaySettings:
        """Return the settings with larger bounds of scores, see ``Training.magnitude``."""
        return replace(self, decided=magnitude * self.decided, bounded=magnitude * self.bounded)


@dataclass(frozen=True)
class Hyperparameters:
    """The net's architecture and the hyperparameters of its training."""

    hidden_size: Annotated[int, 32, 512, Argument(_HIDDEN, option="--hidden")] = 32
    output_buckets: Annotated[
        int, 1, 8, Argument("output buckets, chosen by the number of pieces")
    ] = 1
    king_buckets: Annotated[
        int, 0, 4, Argument("king buckets, with horizontal mirroring", default="0, neither")
    ] = 0
    epochs: Annotated[int, 1, 10_000, Argument("passes over the data")] = 20
    batch_size: Annotated[int, 1, 1 << 20, Argument("positions of a batch")] = 4096
    learning_rate: Annotated[float, 1e-6, 1, Argument("initial learning rate of AdamW", "RATE")] = (
        0.002
    )
    epsilon: Annotated[
        float,
        1e-12,
        1,
        Argument("AdamW's epsilon: larger ones spare the weights of rare pieces and squares", "E"),
    ] = 1e-8
    wdl: Annotated[
        float, 0, 1, Argument("WDL weight: share of the game's result in the target", "SHARE")
    ] = 0.05
    td_lambda: Annotated[
        float,
        0,
        1,
        Argument(
            "weight, for every ply, of the game's later scores in the target",
            "L",
            option="--lambda",
        ),
    ] = 0.0
    seed: Annotated[
        int, 0, 2**31, Argument("seed of the initial weights and the order of the positions")
    ] = 0
    mirror: Annotated[bool, Argument("do not mirror positions at random", option="--no-mirror")] = (
        True
    )
    weight_decay: float = 0.1


@dataclass(frozen=True)
class ComparisonSettings:
    """Settings of matches between two nets."""

    games: Annotated[int, 2, 10**7, Argument("games in all")] = 400
    nodes: Annotated[int, 1, 10**7, Argument("soft node limit of the first net's moves")] = 3000
    equal_nodes: Annotated[bool, Argument("give both nets as many nodes (default: equal time)")] = (
        False
    )
    threads: _Games = field(default_factory=all_cores)


@dataclass(frozen=True)
class LevelSettings:
    """How the levels of a game are found."""

    hours: Annotated[float, 0.001, 10_000, Argument("hours in all, at most", "H")] = 0.5
    games: Annotated[int, 1, 10**7, Argument("games in all, at most")] = 5000
    threads: _Games = field(default_factory=all_cores)


@dataclass(frozen=True)
class RoundSettings:
    """Settings of rounds of self-play, training and comparison."""

    hours: Annotated[float, 0.001, 10_000, Argument("hours in all", "H")]
    threads: _Threads = field(default_factory=all_cores)
    #: Soft node limit of a move. Many fast games teach more than a few slow ones.
    nodes: int = 100
    hidden_size: (
        Annotated[
            int,
            32,
            512,
            Argument(_HIDDEN, option="--hidden", default="32 to 128, by the positions"),
        ]
        | None
    ) = None

    @property
    def rounds(self) -> int:
        """Number of rounds that share the time."""
        return max(1, min(10, round(1 + 2 * self.hours)))
