"""Rounds of self-play, training and comparison; the best net plays the next round.

Everything lies in one folder: ``round-N.pos`` has the positions of a round, ``round-N.net`` its
net. ``GAME.net`` is the best net so far, and ``journal.json`` has what has been done. However the
process ends, the same call resumes.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ryugi_engine.errors import UserError
from ryugi_engine.files.output import ROUNDS
from ryugi_engine.files.reading import naming, read_text
from ryugi_engine.files.writing import write_whole
from ryugi_engine.games.game import Game, counted
from ryugi_engine.match.sprt import Sprt
from ryugi_engine.nnue.file_format import read_net, write_net
from ryugi_engine.nnue.net import Net
from ryugi_engine.nnue.origin import BEGUN_AS
from ryugi_engine.train.compare import Comparison, compare
from ryugi_engine.train.datagen import generate, nodes_to_decide
from ryugi_engine.train.dataset import lambda_of
from ryugi_engine.train.gains import MOST_ELO, NO_GAIN, draw, gain_of, sums_of
from ryugi_engine.train.material_net import material_net
from ryugi_engine.train.net_training import train_net
from ryugi_engine.train.positions import difference, facts_of
from ryugi_engine.train.settings import (
    ComparisonSettings,
    Hyperparameters,
    RoundSettings,
    SelfPlaySettings,
)
from ryugi_engine.train.trainable_game import own_net, scale_of, training_of

if TYPE_CHECKING:
    from ryugi_engine.cluster import Cluster

#: How a round's time is shared out; share of the games' that tells how many nodes a move needs.
_PLAYING, _LEARNING, _TRYING = 0.6, 0.22, 0.1
#: Of the whole time, so much is kept to say at the end what was gained.
_LAST = 0.05
#: Seconds of a round at least.
_SHORTEST = 5.0
#: A test of two nets, and its games at most.
_TEST = Sprt(0.0, 10.0, model="logistic")
_GAMES = 2000


class _Size(NamedTuple):
    """What suits so many positions or more.

    A large net overfits few positions.
    """

    positions: int
    hidden_size: int
    output_buckets: int
    wdl: float


_SIZES = (
    _Size(15_000_000, 128, 8, 0.4),
    _Size(5_000_000, 64, 8, 0.3),
    _Size(1_500_000, 64, 4, 0.1),
    _Size(0, 32, 1, 0.05),
)
#: The newest positions are learnt from, so many at most.
_MOST_POSITIONS = 200_000_000
#: Epochs at least and at most; at most where targets look ahead, and of a net learnt further.
_EPOCHS, _EPOCHS_AHEAD, _EPOCHS_FURTHER = (3, 30), 8, 4
_MAX_JOURNAL = 1 << 20
#: Initial learning rates of random weights or material, and of a net that is learnt further.
_RANDOM_RATE, _LEARNT_RATE = 0.002, 0.0003
#: Share of the points against the evaluation without a net below which the game's net is not learnt
#: further: learning begins as material. Then AdamW's epsilon, which spares what is rare.
_POOR, _EPSILON = 0.25, 5e-4
#: Default training speed: positions per second and thread, times the hidden size.
_RATE = 2.5e7


class Rounds:
    """The rounds of a game's training, kept in a folder."""

    def __init__(
        self,
        game: Game,
        folder: Path,
        settings: RoundSettings,
        report: Callable[[str], None],
        cluster: Cluster | None = None,
    ) -> None:
        """Begin, or take up what the folder holds; UserError if that is something else."""
        facts = facts_of(game, training_of(game))  # refuses games that have nothing to learn
        self.game, self.folder, self.settings, self._report = game, folder, settings, report
        self._path, self._cluster = folder / "journal.json", cluster
        with naming(folder):
            folder.mkdir(exist_ok=True)
        with naming(self._path):
            resumed = ROUNDS.check(self._path)
        # in this order: a journal is known by its beginning
        self.journal: dict[str, Any] = {"game": game.name, "rounds": [], "spent": 0.0}
        self.journal["facts"] = facts
        if resumed:
            self._take_up(facts)

    def _take_up(self, facts: Mapping[str, Any]) -> None:
        try:
            with naming(self._path):
                held = json.loads(read_text(self._path, _MAX_JOURNAL))
            if held["game"] != self.game.name:
                message = f"the folder of {held['game']}, not of {self.game.name}"
                raise UserError(f"{self._path}: {message}")
            differs = difference(held.get("facts", facts), facts)
            if differs:
                raise UserError(f"{self._path}: the definition has changed since: {differs}")
            self.journal = {**held, "spent": float(held["spent"]), "rounds": list(held["rounds"])}
        except (ValueError, KeyError, TypeError) as error:
            if isinstance(error, UserError):
                raise
            raise UserError(f"{self._path}: this is no journal of rounds: {error}") from None
        self._report(f"{self.folder}: going on after {counted(self._done, 'round')}")

    @property
    def _last_seconds(self) -> float:
        """Seconds of a comparison with the evaluation without a net."""
        return _LAST * 3600 * self.settings.hours

    @property
    def _round_seconds(self) -> float:
        """The present round's part of what is left of the time."""
        before = float(self._entry.setdefault("spent before", self.journal["spent"]))
        left = 3600 * self.settings.hours - self._last_seconds - before
        return max(_SHORTEST, left / (self.settings.rounds - self._done))

    # ---- the journal -------------------------------------------------------------------------

    @property
    def _done(self) -> int:
        return sum("verdicts" in entry for entry in self.journal["rounds"])

    @property
    def _entry(self) -> dict[str, Any]:
        """The round that is being done."""
        entries: list[dict[str, Any]] = self.journal["rounds"]
        if len(entries) == self._done:
            entries.append({"number": self._done + 1, "played": 0.0})
        return entries[-1]

    def _write(self) -> None:
        with naming(self._path):
            write_whole(self._path, json.dumps(self.journal, indent=1) + "\n", ROUNDS)

    @contextlib.contextmanager
    def _timed(
        self, entry: dict[str, Any] | None = None, step: str = ""
    ) -> Iterator[Callable[[str], None]]:
        """Count the time of a step, and give it a ``report`` that keeps the time so far.

        What is kept is not lost when the step is interrupted, or the process killed.
        """
        began = time.monotonic()

        def keep() -> None:
            nonlocal began
            now = time.monotonic()
            seconds, began = now - began, now
            self.journal["spent"] += seconds
            if entry is not None and step:
                entry[step] = entry.get(step, 0.0) + seconds
            self._write()

        def report(line: str) -> None:
            keep()
            self._report(line)

        try:
            yield report
        finally:
            keep()

    # ---- nets --------------------------------------------------------------------------------

    @property
    def best_path(self) -> Path:
        """The path of the best net, which may not exist yet."""
        return self.folder / f"{self.game.name}.net"

    @property
    def best(self) -> Net | None:
        """The best net so far; None: the evaluation without a net."""
        return read_net(self.best_path) if self.best_path.exists() else None

    def _keep(self, net: Net) -> None:
        """Make a net the best."""
        with naming(self.best_path):
            write_net(net, self.best_path)

    # ---- a round -----------------------------------------------------------------------------

    def _play(self, entry: dict[str, Any]) -> None:
        number, teacher = entry["number"], self.best
        left = _PLAYING * self._round_seconds - entry["played"]
        path = self.folder / f"round-{number}.pos"
        by = "the evaluation without a net" if teacher is None else f"net {teacher.digest}"
        self._report(f"round {number} of {self.settings.rounds}: games, played by {by}")
        with self._timed(entry, "played") as report:
            if "nodes" not in entry:
                entry["nodes"] = nodes_to_decide(
                    self.game,
                    teacher,
                    self.settings.nodes,
                    threads=self.settings.threads,
                    seconds=_TRYING * left,
                )
                report(f"{counted(entry['nodes'], 'node')} a move")
                left -= entry["played"]
            entry["positions"] = generate(
                self.game,
                path,
                10**10,
                SelfPlaySettings(nodes=entry["nodes"]),
                threads=self.settings.threads,
                seed=None,
                net=teacher,
                seconds=max(1.0, left),
                report=report,
                cluster=self._cluster,
            )
        if not entry["positions"]:
            raise UserError(f"--hours: no game of {self.game.name} was over in the time: too few")
        entry["has played"] = True
        self._write()

    def _begin(self) -> None:
        """Let the net that the game has play first, if it is better than none."""
        net, verdict = self._first, "none"
        if net is not None:
            comparison = self._compare(net, None, self._last_seconds)
            verdict = f"{net.metadata.get(BEGUN_AS, net.digest)}: {comparison.summary()}"
            self._report(f"against the evaluation without a net, that of {verdict}")
            if comparison.better:
                self._keep(net)
                self.journal["gains"] = [gain_of(comparison.elo)]
            self.journal["material"] = comparison.sample.score < _POOR
        self.journal["nearest"] = verdict  # the name that version 0.2 gave it
        self._write()

    def _learn(self, entry: dict[str, Any]) -> Path:
        number = entry["number"]
        rounds, positions = self._newest()
        paths = [self.folder / f"round-{n}.pos" for n in rounds]
        size = next(size for size in _SIZES if positions >= size.positions)
        hidden_size = self.settings.hidden_size or size.hidden_size
        output_buckets = size.output_buckets
        by_material = self.journal.get("material", False)
        start = self.best or (material_net(self.game) if by_material else self._first)
        fresh = start is None or by_material
        if start is not None:
            hidden_size = max(hidden_size, start.hidden_size)
            if start.output_buckets > 1:
                output_buckets = start.output_buckets
        seconds = _LEARNING * self._round_seconds
        rate = self.journal.get("neurons a second", _RATE * self.settings.threads) / hidden_size
        if "lambda" not in entry:
            scale = scale_of(training_of(self.game))
            entry["lambda"] = lambda_of(paths, scale) if fresh else 0.0  # shogi's net lost 113 Elo
        low, high = _EPOCHS
        if not fresh:
            high = _EPOCHS_FURTHER  # 139 Elo against 30 epochs
        elif entry["lambda"]:
            high = _EPOCHS_AHEAD
        name = f"round-{number}"
        # kept: a checkpoint is resumed only with the same settings
        epochs = entry.setdefault(
            f"epochs of {name}", int(max(low, min(high, seconds * rate / max(1, positions))))
        )
        self._write()
        settings = Hyperparameters(
            hidden_size=hidden_size,
            output_buckets=output_buckets,
            learning_rate=_RANDOM_RATE if fresh else _LEARNT_RATE,
            epochs=epochs,
            wdl=size.wdl,
            td_lambda=entry["lambda"],
            epsilon=_EPSILON if by_material else Hyperparameters.epsilon,
            seed=number,
        )
        self._report(f"round {number}: learning")
        began = time.monotonic()
        with self._timed() as report:
            train_net(
                self.game,
                paths,
                self.folder / f"{name}.net",
                settings,
                threads=self.settings.threads,
                finetune=start,
                checkpoint=self.folder / f"{name}.checkpoint",
                curve_file=self.folder / f"{name}.svg",
                seconds=seconds,
                report=report,
            )
        took = max(1.0, time.monotonic() - began)
        if took < seconds:  # else it has not learnt all epochs
            self.journal["neurons a second"] = positions * settings.epochs * hidden_size / took
        return self.folder / f"{name}.net"

    @cached_property
    def _first(self) -> Net | None:
        """The net that the game has: its own, a similar game's, or the hypernetwork's."""
        return own_net(self.game)

    def _newest(self) -> tuple[list[int], int]:
        """Return the rounds to train on, newest first, and their number of positions.

        The last round's are always included; older ones were played by weaker players.
        """
        rounds: list[int] = []
        total = 0
        for entry in reversed(self.journal["rounds"]):
            held = int(entry.get("positions", 0))
            if rounds and total + held > _MOST_POSITIONS:
                break
            rounds.append(int(entry["number"]))
            total += held
        return rounds, total

    def _compare(self, net: Net | None, other: Net | None, seconds: float) -> Comparison:
        with self._timed() as report:
            return compare(
                self.game,
                net,
                other,
                ComparisonSettings(games=_GAMES, threads=self.settings.threads),
                test=_TEST,
                seconds=seconds,
                report=report,
                cluster=self._cluster,
            )

    def run_round(self) -> None:
        """Run one round: generate positions, train a net, compare it."""
        entry = self._entry
        if "nearest" not in self.journal:
            self._begin()
        if "has played" not in entry:
            self._play(entry)
        path = self._learn(entry)
        net = read_net(path)
        ends = entry["spent before"] + self._round_seconds
        share = (1 - _PLAYING - _LEARNING) * self._round_seconds
        seconds = max(1.0, min(share, ends - self.journal["spent"]))
        verdict = self._compare(net, self.best, seconds)
        message = f"{path.name} against the best so far: {verdict.summary()}"
        self._report(f"round {entry['number']}: {message}")
        gain = NO_GAIN
        if verdict.better:
            self._keep(net)
            entry["best"] = path.name
            gain = gain_of(verdict.elo)
        entry["verdicts"] = [message]
        gains = self.journal.setdefault("gains", [NO_GAIN])
        gains.append(gain)
        self._write()
        if len(gains) == entry["number"] + 1:  # earlier versions kept none
            self._tell(entry["number"])

    def _tell(self, number: int) -> None:
        """Say what the rounds have gained together so far, and draw it."""
        sums = sums_of(self.journal["gains"])
        gain = sums[-1]
        if gain.error >= MOST_ELO:
            self._report(f"round {number}: too few games to say how much has been gained so far")
            return
        known = f"about {gain} Elo" if gain.error else "no gain"
        self._report(f"round {number}: {known} over the evaluation without a net so far")
        path = self.folder / f"{self.game.name}.svg"
        draw(self.game.name, sums, path)
        self._report(f"{path}: Elo by round")

    def run(self) -> None:
        """Run the remaining rounds, and report what they have gained together."""
        while self._done < self.settings.rounds:
            self.run_round()
        best = self.best
        if best is None:
            self._report("no net plays better than the evaluation without a net: give it more time")
            return
        verdict = self._compare(best, None, self._last_seconds)
        self.journal["gain"] = verdict.summary()
        self._write()
        self._report(f"{self.best_path}: against the evaluation without a net {verdict.summary()}")
        self._report(f"play with it: play --net {self.best_path}, or the option EvalFile")
