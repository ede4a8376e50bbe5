"""Training a net: epochs over shuffled positions, a checkpoint after each."""

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
from ryugi_engine.files.output import CHECKPOINT
from ryugi_engine.files.reading import fault, read_bytes
from ryugi_engine.files.writing import replacing
from ryugi_engine.games.game import Game, counted
from ryugi_engine.nnue.float_net import (
    FEATURE_WEIGHT_LIMIT,
    OUTPUT_WEIGHT_LIMIT,
    FloatNet,
    Floats,
    Weights,
    without_rounding_bias,
)
from ryugi_engine.nnue.net import Net
from ryugi_engine.train.dataset import Dataset
from ryugi_engine.train.evaluate_records import evaluations
from ryugi_engine.train.gradients import Batch, Tables, adamw_step, gradients
from ryugi_engine.train.positions import Records
from ryugi_engine.train.settings import Hyperparameters
from ryugi_engine.train.trainable_game import scale_of, training_of

#: Positions for the output biases and rounding error, and for the comparison with the kernel.
_SAMPLE = 50_000
_COMPARED = 2_000
_MAX_CHECKPOINT = 1 << 30
_NO_LIMIT = 1e9
#: Learning rate of the last step, as a share of the first one's.
_FINAL_RATE = 0.01


@dataclass
class Losses:
    """Mean squared errors of the chance to win on the validation games."""

    to_score: float
    to_result: float


class Trainer:
    """A net that is being trained."""

    def __init__(
        self,
        game: Game,
        dataset: Dataset,
        settings: Hyperparameters,
        threads: int,
        finetune: Net | None = None,
        seconds: float = math.inf,
    ) -> None:
        """``finetune`` is the net to begin with, instead of random weights.

        Training is over after ``seconds``, if not before.
        """
        self._began, self._seconds = time.monotonic(), seconds
        self.game, self.dataset, self.settings = game, dataset, settings
        self.training = training_of(game)
        inputs = self.training.inputs
        self._finetuned = "" if finetune is None else finetune.digest
        buckets = {
            "output_buckets": settings.output_buckets,
            "king_buckets": settings.king_buckets,
            "max_pieces": dataset.max_pieces,
            "scale": scale_of(self.training),
        }
        size, seed = settings.hidden_size, settings.seed
        if finetune is None:
            self.net = FloatNet.random(inputs, size, seed, **buckets)
        else:
            self.net = FloatNet.of(finetune, inputs, hidden_size=size, seed=seed, **buckets)
        #: First and second moments of AdamW.
        self.first, self.second = self.net.weights.zeros(), self.net.weights.zeros()
        self.epoch = 0
        self.history: list[dict[str, float]] = []
        self._tables = Tables.of(self.net)
        self._kept_targets: Floats | None = None
        self._pool = ThreadPoolExecutor(threads)
        self._gradients = [self.net.weights.zeros() for _ in range(threads)]
        self._no_gradients = self.net.weights.map(lambda a: np.zeros((0,) * a.ndim, np.float32))
        self._batches = max(1, dataset.training_positions // settings.batch_size)

    # ---- training ----------------------------------------------------------------------------

    def _loss(
        self,
        dataset: Dataset,
        order: NDArray[np.int64],
        mirrored: NDArray[np.uint8],
        targets: Floats,
        slopes: list[Weights],
    ) -> float:
        """Return the summed loss; add the gradients to ``slopes``, one per thread."""
        orders = np.array_split(order, len(slopes))
        mirrors = np.array_split(mirrored, len(slopes))

        def part(number: int) -> float:
            batch = Batch(orders[number], mirrors[number], dataset.cells, dataset.sides, targets)
            return float(gradients(batch, self._tables, self.net.weights, slopes[number]))

        return sum(self._pool.map(part, range(len(slopes))))

    @property
    def _time_used(self) -> float:
        """The part of the time that has passed."""
        return (time.monotonic() - self._began) / self._seconds

    @property
    def over(self) -> bool:
        """Whether all epochs are done, or the time is over."""
        return self.epoch >= self.settings.epochs or self._time_used >= 1

    def _step(self, number: int, size: int) -> None:
        """Add up the threads' gradients and update the weights; cosine learning rate schedule.

        The rate falls by the time where that is too short for all steps.
        """
        total, *others = self._gradients
        steps = self.settings.epochs * self._batches
        done = min(1.0, max(number / steps, self._time_used))
        share = 0.5 * (1 + math.cos(math.pi * done))
        rate = self.settings.learning_rate * (_FINAL_RATE + (1 - _FINAL_RATE) * share)
        for name in Weights._fields:
            gradient = getattr(total, name)
            for other in others:
                gradient += getattr(other, name)
                getattr(other, name)[...] = 0
            limits = {"output_biases": _NO_LIMIT, "output_weights": OUTPUT_WEIGHT_LIMIT}
            adamw_step(
                getattr(self.net.weights, name).reshape(-1),
                gradient.reshape(-1),
                getattr(self.first, name).reshape(-1),
                getattr(self.second, name).reshape(-1),
                rate,
                number,
                1.0 / size,
                0.0 if name.endswith("biases") else self.settings.weight_decay,
                limits.get(name, FEATURE_WEIGHT_LIMIT),
                self.settings.epsilon,
            )

    def run_epoch(self) -> float:
        """Train on all positions once, in random order, as time allows; return the mean loss."""
        source = np.random.default_rng((self.settings.seed, self.epoch))
        loss, seen, number = 0.0, 0, 0
        for dataset in self.dataset.parts(source):
            targets = self._targets(dataset)
            order = source.permutation(dataset.training)
            mirrored = np.zeros(len(order), dtype=np.uint8)
            if self.settings.mirror and self.training.symmetric:
                mirrored = source.integers(0, 2, len(order), dtype=np.uint8)
            size = self.settings.batch_size
            for batch in range(max(1, len(order) // size)):
                part = slice(batch * size, (batch + 1) * size)
                number += 1
                loss += self._loss(dataset, order[part], mirrored[part], targets, self._gradients)
                self._step(self.epoch * self._batches + number, len(order[part]))
                seen += len(order[part])
                if self._time_used >= 1:
                    break
            if self._time_used >= 1:
                break
        self.epoch += 1
        return loss / seen

    def _targets(self, dataset: Dataset) -> Floats:
        """Return the targets of a part; those of a dataset in memory are kept."""
        if dataset is not self.dataset:
            return dataset.targets(self.settings.wdl, self.settings.td_lambda)
        if self._kept_targets is None:
            self._kept_targets = dataset.targets(self.settings.wdl, self.settings.td_lambda)
        return self._kept_targets

    def validate(self) -> Losses:
        """Return the losses on the validation games."""
        order = self.dataset.validation
        slopes = [self._no_gradients] * len(self._gradients)
        mirrored = np.zeros(len(order), dtype=np.uint8)
        losses = [
            self._loss(self.dataset, order, mirrored, targets, slopes) / len(order)
            for targets in (self.dataset.scores, self.dataset.results)
        ]
        return Losses(*losses)

    def baseline(self) -> float:
        """Return the loss of the search, as a prediction of the results."""
        validation = self.dataset.validation
        scores, results = self.dataset.scores[validation], self.dataset.results[validation]
        return float(np.mean((scores - results) ** 2))

    # ---- quantisation ------------------------------------------------------------------------

    def quantised(self, metadata: dict[str, Any]) -> Net:
        """Return the quantised net. Raises UserError if a sum could overflow."""
        source = np.random.default_rng(self.settings.seed)
        dataset = next(self.dataset.parts(source))
        some = source.permutation(dataset.training)[:_SAMPLE]
        cells, sides = dataset.cells[some], dataset.sides[some]
        net = self.net.quantised(self.game.name, metadata=metadata, rules=self.training.rules)
        return without_rounding_bias(self.net, net, cells, sides)

    def rounding_error(self, net: Net) -> float:
        """Return the mean absolute error of the quantised net on validation games, centipawns."""
        some = self.dataset.validation[:_SAMPLE]
        cells, sides = self.dataset.cells[some], self.dataset.sides[some]
        exact = self.net.forward(cells, sides) * net.scale
        return float(np.mean(np.abs(net.evaluate(cells, sides) - exact)))

    # ---- checkpoints -------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        arrays = {
            f"{part}_{name}": getattr(weights, name)
            for part, weights in self._parts().items()
            for name in Weights._fields
        }
        with replacing(path, CHECKPOINT) as handle:
            history = np.array(json.dumps(self.history))
            np.savez(handle, facts=np.array(self._facts()), history=history, **arrays)

    def _parts(self) -> dict[str, Weights]:
        return {"model": self.net.weights, "first": self.first, "second": self.second}

    def _facts(self) -> str:
        """Return what a checkpoint must agree on with the training that resumes it."""
        sizes = [self.dataset.training_positions, len(self.dataset.validation)]
        return json.dumps([self.game.name, asdict(self.settings), sizes, self._finetuned])

    def resume(self, path: Path) -> None:
        """Resume from a checkpoint. Raises UserError if it is another training's, or damaged."""
        try:
            raw = io.BytesIO(read_bytes(path, _MAX_CHECKPOINT))
            with np.load(raw, allow_pickle=False) as saved:
                if str(saved["facts"]) != self._facts():
                    raise UserError(f"{path}: a checkpoint of another training: name another file")
                history = json.loads(str(saved["history"]))
                for part, weights in self._parts().items():
                    for name in Weights._fields:
                        getattr(weights, name)[...] = saved[f"{part}_{name}"]
        except OSError as error:
            raise UserError(fault(path, error)) from None
        except UserError:
            raise
        except (ValueError, KeyError, EOFError, BadZipFile):
            raise UserError(f"{path}: this is no checkpoint, or it is damaged") from None
        self.history, self.epoch = history, len(history)


def run(
    trainer: Trainer, checkpoint: Path | None, report: Callable[[str], None]
) -> list[dict[str, float]]:
    """Train the remaining epochs, with a line and a checkpoint for each; return the losses."""
    if checkpoint is not None and CHECKPOINT.check(checkpoint):
        trainer.resume(checkpoint)
        report(f"{checkpoint}: resumed after epoch {trainer.epoch}")
    while not (trainer.over and trainer.history):
        began = time.monotonic()
        training = trainer.run_epoch()
        losses = trainer.validate()
        seconds = max(time.monotonic() - began, 1e-3)
        trainer.history.append(
            {"learning": training, "score": losses.to_score, "result": losses.to_result}
        )
        if checkpoint is not None:
            trainer.save(checkpoint)
        rate = trainer.dataset.training_positions / seconds
        report(
            f"epoch {trainer.epoch} of {trainer.settings.epochs}: loss {training:.5f},"
            f" to score {losses.to_score:.5f}, to result {losses.to_result:.4f},"
            f" {rate:,.0f} positions/s"
        )
    return trainer.history


def compare_with_kernel(game: Game, net: Net, records: Records) -> int:
    """Check that the kernel evaluates some records as ``Net.evaluate`` does; return their number.

    Raises UserError if it does not.
    """
    some = records[records["clock"] == 0][:_COMPARED]
    expected = net.evaluate(some["cells"], some["side"])
    wrong = int(np.count_nonzero(evaluations(game, net, some) != expected))
    if wrong:
        raise UserError(f"the kernel disagrees with the net in {counted(wrong, 'evaluation')}")
    return len(some)
