"""Learning a net: epochs over shuffled positions, each kept as a checkpoint to go on from."""

from __future__ import annotations

import io
import json
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.errors import UserError
from ryugi_engine.files import fault, read_bytes, replacing
from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.nets import SCALE, Net
from ryugi_engine.train.judge import judgements
from ryugi_engine.train.learn import gradients, step
from ryugi_engine.train.material import Material
from ryugi_engine.train.model import (
    INPUT_LIMIT,
    OUTPUT_LIMIT,
    Floats,
    Model,
    features,
    quantised_values,
    seats_of,
    stages_of,
    unbiased,
)
from ryugi_engine.train.positions import Records
from ryugi_engine.train.subject import training_of

#: Positions that a net's constant is set by, and that the kernel is compared on.
_SAMPLE = 50_000
_COMPARED = 2_000
_MAX_CHECKPOINT = 1 << 30
_NO_LIMIT = 1e9
_LAST_RATE = 0.01  # of the first
_ARRAYS = ("inputs", "biases", "outputs", "constants")


@dataclass(frozen=True)
class Plan:
    """How a net is learnt."""

    lanes: int = 32
    #: Outputs of their own for so many stages of a game, by the number of pieces left.
    stages: int = 1
    #: King buckets of a net whose views go by their king's side of the board; 0: of one that does
    #: not look where it is.
    buckets: int = 0
    epochs: int = 20
    batch: int = 4096
    rate: float = 0.002
    result_weight: float = 0.05
    correction: bool = True
    seed: int = 0
    #: Learn from each position as it is or in a mirror, by chance: castling aside both are alike.
    mirror: bool = True
    #: How fast weights fall to nothing that nothing holds up, a step and learning rate.
    decay: float = 0.1


@dataclass
class Losses:
    """Mean squared errors of the chance to win on the games kept apart."""

    to_score: float
    to_result: float


class Trainer:
    """A model that is being learnt."""

    def __init__(
        self, game: Game, material: Material, plan: Plan, threads: int, start: Net | None = None
    ) -> None:
        """``start`` is what is gone on from, instead of random numbers."""
        self.game, self.material, self.plan = game, material, plan
        self.training = training_of(game)
        self._start = "" if start is None else start.digest
        if start is None:
            self.model = Model.fresh(
                self.training, plan.lanes, plan.seed, plan.stages, plan.buckets
            )
        else:
            self.model = Model.of(start, self.training, plan.stages, plan.buckets)
        self.first, self.second = self.model.copies(0.0), self.model.copies(0.0)
        self.epoch = 0
        self.history: list[dict[str, float]] = []
        self._rows = features(self.training, max(plan.buckets, 1))
        self._seats = seats_of(self.training, self.model.seats)
        self._stages = stages_of(plan.stages, material.men)
        self._targets = material.targets(plan.result_weight)
        self._pool = ThreadPoolExecutor(threads)
        self._gradients = [self.model.copies(0.0) for _ in range(threads)]
        self._nothing = self.model.changed(lambda a: np.zeros((0,) * a.ndim, np.float32))
        self._batches = max(1, len(material.learnt) // plan.batch)

    # ---- arithmetic --------------------------------------------------------------------------

    def _losses(
        self,
        order: NDArray[np.int64],
        flips: NDArray[np.uint8],
        targets: Floats,
        models: list[Model],
        bases: Floats,
    ) -> float:
        """The sum of the losses; with gradients, one model a thread, these are added to them."""
        material = self.material
        parts, flipped = np.array_split(order, len(models)), np.array_split(flips, len(models))

        def part(number: int) -> float:
            return float(
                gradients(
                    parts[number],
                    flipped[number],
                    material.pieces,
                    material.sides,
                    bases,
                    targets,
                    self._rows,
                    self._seats,
                    self._stages,
                    *self.model.arrays(),
                    *models[number].arrays(),
                )
            )

        return sum(self._pool.map(part, range(len(models))))

    def _step(self, number: int, size: int) -> None:
        total, *others = self._gradients
        every = self.plan.epochs * self._batches
        share = 0.5 * (1 + math.cos(math.pi * min(1.0, number / every)))
        rate = self.plan.rate * (_LAST_RATE + (1 - _LAST_RATE) * share)
        for name in _ARRAYS:
            gradient = getattr(total, name)
            for other in others:
                gradient += getattr(other, name)
                getattr(other, name)[...] = 0
            limit = {"constants": _NO_LIMIT, "outputs": OUTPUT_LIMIT}.get(name, INPUT_LIMIT)
            step(
                getattr(self.model, name).reshape(-1),
                gradient.reshape(-1),
                getattr(self.first, name).reshape(-1),
                getattr(self.second, name).reshape(-1),
                rate,
                number,
                1.0 / size,
                0.0 if name in ("constants", "biases") else self.plan.decay,
                limit,
            )

    def run_epoch(self) -> float:
        """Learn from all positions once, in an order of its own; the mean loss on the way."""
        source = np.random.default_rng((self.plan.seed, self.epoch))
        order = source.permutation(self.material.learnt)
        flips = np.zeros(len(order), dtype=np.uint8)
        if self.plan.mirror:
            flips = source.integers(0, 2, len(order), dtype=np.uint8)
        loss = 0.0
        for number in range(self._batches):
            part = slice(number * self.plan.batch, (number + 1) * self.plan.batch)
            some, bases = order[part], self.material.bases
            loss += self._losses(some, flips[part], self._targets, self._gradients, bases)
            self._step(self.epoch * self._batches + number + 1, len(some))
        self.epoch += 1
        return loss / min(len(order), self._batches * self.plan.batch)

    def validate(self) -> Losses:
        """The losses on the games kept apart."""
        return self._validated(self.material.bases)

    def _validated(self, bases: Floats) -> Losses:
        order, nothing = self.material.validating, [self._nothing] * len(self._gradients)
        flips = np.zeros(len(order), dtype=np.uint8)
        found = [
            self._losses(order, flips, targets, nothing, bases) / len(order)
            for targets in (self.material.scores, self.material.results)
        ]
        return Losses(*found)

    def yardsticks(self) -> dict[str, float]:
        """Losses without the net: of the evaluation that it corrects, and of the searches."""
        apart = self.material.validating
        scores, results = self.material.scores[apart], self.material.results[apart]
        found = {"search to result": float(np.mean((scores - results) ** 2))}
        if self.plan.correction:
            chances = 1 / (1 + np.exp(-self.material.bases[apart]))
            found["evaluation to score"] = float(np.mean((chances - scores) ** 2))
            found["evaluation to result"] = float(np.mean((chances - results) ** 2))
        return found

    # ---- the net -----------------------------------------------------------------------------

    def net(self, card: dict[str, Any]) -> Net:
        """The model in integers, its constant set; UserError if it cannot be used."""
        source = np.random.default_rng(self.plan.seed)
        some = source.permutation(self.material.learnt)[:_SAMPLE]
        pieces, sides = self.material.pieces[some], self.material.sides[some]
        net = self.model.net(
            self.game.name, self.training, self.plan.correction, card, self.material.men
        )
        return unbiased(self.model, net, self.training, pieces, sides)

    def lost_by_rounding(self, net: Net) -> float:
        """Centipawns by which the integers miss the model, on average over games kept apart."""
        some = self.material.validating[:_SAMPLE]
        pieces, sides = self.material.pieces[some], self.material.sides[some]
        exact = self.model.values(self.training, pieces, sides, net.men) * SCALE
        return float(np.mean(np.abs(quantised_values(net, self.training, pieces, sides) - exact)))

    # ---- checkpoints -------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Keep everything that is needed to go on."""
        arrays = {
            f"{part}_{name}": getattr(model, name)
            for part, model in self._parts().items()
            for name in _ARRAYS
        }
        with replacing(path) as handle:
            history = np.array(json.dumps(self.history))
            np.savez(handle, facts=np.array(self._facts()), history=history, **arrays)

    def _parts(self) -> dict[str, Model]:
        return {"model": self.model, "first": self.first, "second": self.second}

    def _facts(self) -> str:
        learnt = [len(self.material.learnt), len(self.material.validating)]
        return json.dumps([self.game.name, asdict(self.plan), learnt, self._start])

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint; UserError if it is of another training, or damaged."""
        try:
            raw = io.BytesIO(read_bytes(path, _MAX_CHECKPOINT))
            with np.load(raw, allow_pickle=False) as held:
                if str(held["facts"]) != self._facts():
                    raise UserError(f"{path}: a checkpoint of another training: name another file")
                history = json.loads(str(held["history"]))
                for part, model in self._parts().items():
                    for name in _ARRAYS:
                        getattr(model, name)[...] = held[f"{part}_{name}"]
        except OSError as error:
            raise UserError(fault(path, error)) from None
        except UserError:
            raise
        except (ValueError, KeyError, EOFError, BadZipFile) as error:
            raise UserError(f"{path}: no checkpoint that can be gone on from: {error}") from None
        self.history, self.epoch = history, len(history)


def run(
    trainer: Trainer, checkpoint: Path | None, tell: Callable[[str], None]
) -> list[dict[str, float]]:
    """All epochs that are left, with a line and a checkpoint for each; their losses."""
    if checkpoint is not None and checkpoint.exists():
        trainer.resume(checkpoint)
        tell(f"{checkpoint}: going on after epoch {trainer.epoch}")
    while trainer.epoch < trainer.plan.epochs:
        began = time.monotonic()
        learning = trainer.run_epoch()
        losses = trainer.validate()
        seconds = max(time.monotonic() - began, 1e-3)
        trainer.history.append(
            {"learning": learning, "score": losses.to_score, "result": losses.to_result}
        )
        if checkpoint is not None:
            trainer.save(checkpoint)
        rate = len(trainer.material.learnt) / seconds
        tell(
            f"epoch {trainer.epoch} of {trainer.plan.epochs}: loss {learning:.5f},"
            f" to score {losses.to_score:.5f}, to result {losses.to_result:.4f},"
            f" {rate:,.0f} a second"
        )
    return trainer.history


def compared(game: Game, net: Net, held: Records) -> int:
    """How many records the kernel and the plain inference agree on; UserError if not on all.

    Of ``held`` so many are looked at that it takes no time.
    """
    some = held[held["clock"] == 0][:_COMPARED]
    training = training_of(game)
    wanted = quantised_values(net, training, some["pieces"], some["side"])
    found = judgements(game, net, some, learnt=True).astype(np.int64)
    if net.correction:
        found -= judgements(game, None, some, learnt=True)
    wrong = np.flatnonzero(found != wanted)
    if len(wrong):
        told = counted(len(wrong), "evaluation")
        raise UserError(f"the kernel's net differs from the plain one in {told}")
    return len(some)
