"""Generate positions: games of self-play on all cores, appended to a file as they end."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ryugi_engine.files.output import POSITIONS
from ryugi_engine.files.reading import naming
from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.training import RECORD
from ryugi_engine.nnue.net import Net
from ryugi_engine.text.progress import Progress
from ryugi_engine.train.numbered_games import games_of, play_here
from ryugi_engine.train.player import UNDECIDED, Player
from ryugi_engine.train.positions import Writer, dtype, facts_of, last_game, read_facts
from ryugi_engine.train.record_check import check_records
from ryugi_engine.train.settings import SelfPlaySettings
from ryugi_engine.train.trainable_game import training_of

if TYPE_CHECKING:
    from ryugi_engine.cluster import Cluster
    from ryugi_engine.games.sent_game import LocalGame

#: Share of the positions that may be of drawn games.
_MOST_DRAWN = 0.5
#: Games that tell whether play decides them; the share that is enough; times as many nodes at most.
_TRIED, _ENOUGH_DECIDED, _MOST_TIMES = 40, 0.25, 8


@dataclass(frozen=True)
class Ended:
    """A finished game: its number and records."""

    records: bytes
    nodes: int


def _played(player: Player, number: int) -> Ended | None:
    records = player.play(number)
    return None if records is None else Ended(records, int(player.seen["nodes"]))


@dataclass(frozen=True)
class _Common:
    """What all games of a file have in common."""

    settings: SelfPlaySettings
    seed: int
    net: Net | None

    def player(self, game: Game) -> Player:
        """Return a new player of them."""
        return Player(game, self.settings, self.seed, self.net)


def play_numbers(game: LocalGame, common: _Common, numbers: Sequence[int]) -> list[Ended | None]:
    """A unit on a cluster: play games by their numbers; None for one that was stopped."""
    return play_here(game.game, common.player, _played, numbers)


class _Draws:
    """Which drawn games are left out, so that they are not the bulk of the positions."""

    def __init__(self, itemsize: int) -> None:
        self._result, self._itemsize = RECORD.offsets["result"], itemsize
        self._positions = self._drawn = 0

    def keeps(self, game: bytes) -> bool:
        """Return whether to keep a game's records; one without any is kept."""
        count = len(game) // self._itemsize
        drawn = count if count and game[self._result] == 0 else 0
        if drawn and self._drawn + drawn > _MOST_DRAWN * (self._positions + count):
            return False
        self._positions += count
        self._drawn += drawn
        return True


def decided_share(
    game: Game, net: Net | None, nodes: int, *, threads: int = 1, seconds: float = math.inf
) -> float:
    """Return the share of some games that were won by who was ahead in the last recorded position.

    Games end otherwise by a rule about repetition, for example, or as draws. It is that of the
    games that are over in ``seconds``, and 1 if there are none.
    """
    common, kind = (
        _Common(SelfPlaySettings(nodes=nodes), 0, net),
        dtype(training_of(game).inputs.cells),
    )
    undecided = UNDECIDED * training_of(game).magnitude
    decided = played = ended = 0
    end = time.monotonic() + seconds

    def players() -> list[Player]:
        return [common.player(game) for _ in range(threads)]

    with games_of(players, _played, None, play_numbers, common) as games:
        for over in games:
            if over is not None:
                ended += 1
                if over.records:
                    last = np.frombuffer(over.records, kind)[-1]
                    played += 1
                    decided += int(last["score"]) * int(last["result"]) > undecided
            if ended >= _TRIED or time.monotonic() > end:
                break
    return decided / played if played else 1.0


def nodes_to_decide(
    game: Game, net: Net | None, nodes: int, *, threads: int = 1, seconds: float = math.inf
) -> int:
    """Return the nodes of a move with which play decides games: ``nodes``, or 2, 4 or 8 times that.

    Where there are many moves, few nodes are a ply or two. Then players without a plan move to and
    fro until a rule about repetition ends the game, and its result says nothing. Where scores of
    the evaluation without a net say nothing of the result, it is ``nodes``.
    """
    if net is None and not training_of(game).decided_by_material:
        return nodes
    end = time.monotonic() + seconds
    for times in (1, 2, 4):
        left = max(0.0, end - time.monotonic())
        share = decided_share(game, net, times * nodes, threads=threads, seconds=left)
        if share >= _ENOUGH_DECIDED:
            return times * nodes
    return _MOST_TIMES * nodes


def generate(
    game: Game,
    out: Path,
    positions: int,
    settings: SelfPlaySettings,
    *,
    threads: int,
    seed: int | None,
    net: Net | None = None,
    seconds: float = math.inf,
    report: Callable[[str], None],
    cluster: Cluster | None = None,
) -> int:
    """Play until a file has ``positions`` positions, or for ``seconds``; return their number.

    An existing file is resumed, after any end of its writer. KeyboardInterrupt ends it tidily:
    games that have ended are in the file. A cluster plays in place of this process's threads.
    """
    training = training_of(game)
    facts = facts_of(game, training)
    made = {
        **asdict(settings.times(training.magnitude)),
        "teacher": "" if net is None else net.digest,
    }
    with naming(out):
        resumed = POSITIONS.check(out)
    if resumed:
        made["seed"] = read_facts(out).get("seed") if seed is None else seed
    else:
        made["seed"] = random.randrange(1 << 31) if seed is None else seed
    with Writer(out, facts, made) as writer:
        check_records(out, training)
        if writer.count >= positions:
            report(f"{out}: {counted(writer.count, 'position')} already")
            return writer.count
        first = last_game(out) + 1
        common = _Common(settings, int(made["seed"]), net)
        wanted = positions if seconds == math.inf else math.inf
        progress = Progress("positions", report, have=writer.count, wanted=wanted, seconds=seconds)
        played = nodes = 0
        draws = _Draws(writer.itemsize)
        end = time.monotonic() + seconds

        def players() -> list[Player]:
            return [common.player(game) for _ in range(threads)]

        with games_of(players, _played, cluster, play_numbers, common, first) as games:
            for ended in games:
                if ended is not None:
                    # at once: what ends the process costs no game that has ended
                    if draws.keeps(ended.records):
                        writer.add(ended.records)
                    played += 1
                    nodes += ended.nodes
                enough = writer.count >= positions or time.monotonic() > end
                speed = f"{nodes / progress.seconds / 1e6:.2f} Mn/s"
                progress(writer.count, counted(played, "game"), speed, now=enough)
                if enough:
                    break
        return writer.count
