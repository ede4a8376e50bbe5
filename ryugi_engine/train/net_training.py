"""``train net``: from files of positions to the file of a net."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ryugi_engine import __version__
from ryugi_engine.errors import UserError
from ryugi_engine.files.output import CHECKPOINT, NET, PICTURE
from ryugi_engine.files.reading import naming
from ryugi_engine.files.writing import write_whole
from ryugi_engine.games.game import Game, counted
from ryugi_engine.nnue.architecture import CHUNK
from ryugi_engine.nnue.file_format import write_net
from ryugi_engine.nnue.net import Net
from ryugi_engine.nnue.origin import BEGUN_AS
from ryugi_engine.text.chart import Line, chart
from ryugi_engine.train.dataset import load
from ryugi_engine.train.positions import records
from ryugi_engine.train.settings import Hyperparameters
from ryugi_engine.train.trainable_game import training_of
from ryugi_engine.train.trainer import Trainer, compare_with_kernel, run

#: Seconds of training in any case.
_LEAST = 1.0


def _beginning_with(net: Net, settings: Hyperparameters) -> Hyperparameters:
    """Return the settings of a net that begins as a copy of another, of its size or larger.

    Raises UserError if it cannot begin so.
    """
    hidden_size = max(settings.hidden_size, net.hidden_size)
    if hidden_size % net.hidden_size:
        raise UserError(
            f"--finetune: a net of hidden size {net.hidden_size} cannot become one of {hidden_size}"
        )
    return replace(
        settings,
        hidden_size=hidden_size,
        output_buckets=max(settings.output_buckets, net.output_buckets),
        king_buckets=max(settings.king_buckets, net.king_buckets * bool(net.zones.any())),
    )


def _begun_as(net: Net | None) -> dict[str, Any]:
    """Return the metadata about the net that one began as."""
    return {} if net is None else {"finetuned": net.metadata.get(BEGUN_AS, net.digest)}


def train_net(
    game: Game,
    data: list[Path],
    out: Path,
    settings: Hyperparameters,
    *,
    threads: int,
    finetune: Net | None = None,
    checkpoint: Path | None = None,
    curve_file: Path | None = None,
    seconds: float = math.inf,
    report: Callable[[str], None],
) -> Net:
    """Train a net, for ``seconds`` at most, and write its file.

    Raises UserError for unsuitable arguments.
    ``finetune`` is the net to begin with, see ``FloatNet.of``. An interrupt keeps the last
    checkpoint; the net is written only at the end.
    """
    end = time.monotonic() + seconds
    if settings.hidden_size % CHUNK:
        raise UserError(f"--hidden: a multiple of {CHUNK}, not {settings.hidden_size}")
    if settings.king_buckets and not training_of(game).inputs.king:
        raise UserError(f"--king-buckets: {game.name} has no king that it could go by")
    for path, kind in ((out, NET), (checkpoint, CHECKPOINT), (curve_file, PICTURE)):
        if path is not None:
            with naming(path):
                kind.check(path)
    if finetune is not None:
        settings = _beginning_with(finetune, settings)
    dataset = load(game, data)
    report(
        f"{counted(dataset.training_positions, 'training position')},"
        f" {counted(len(dataset.validation), 'validation position')},"
        f" {counted(dataset.games, 'game')}"
    )
    trainer = Trainer(
        game, dataset, settings, threads, finetune, max(end - time.monotonic(), _LEAST)
    )
    baseline = trainer.baseline()
    report(f"without the net: search to result {baseline:.5f}")
    history = run(trainer, checkpoint, report)
    metadata = {
        "engine": __version__,
        "positions": dataset.training_positions,
        "games": dataset.games,
        **asdict(settings),
        **_begun_as(finetune),
        **{f"loss to {name}": round(history[-1][name], 6) for name in ("score", "result")},
        "search to result": round(baseline, 6),
    }
    net = trainer.quantised(metadata)
    error = trainer.rounding_error(net)
    net = replace(net, metadata={**metadata, "rounding error, centipawns": round(error, 2)})
    compared = compare_with_kernel(game, net, records(data[0]))
    with naming(out):
        write_net(net, out)
    report(
        f"{out}: net {net.digest}, rounding changes an evaluation by {error:.2f} centipawns,"
        f" the kernel agrees on {counted(compared, 'position')}"
    )
    if curve_file is not None:
        lines = [
            Line(
                f"{name}: {history[-1][key]:.5f}",
                [(epoch, losses[key]) for epoch, losses in enumerate(history, start=1)],
            )
            for name, key in (("validation, to score", "score"), ("training", "learning"))
        ]
        picture = chart(f"{game.name}: {out.name}", "epoch", lines)
        with naming(curve_file):
            write_whole(curve_file, picture, PICTURE)
        report(f"{curve_file}: losses by epoch")
    return net
