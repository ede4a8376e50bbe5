"""From files of positions to a net's file: gathering, learning, rounding, comparing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from ryugi_engine import __version__
from ryugi_engine.errors import UserError
from ryugi_engine.files import naming, write_whole
from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.nets import LANES, Net, digest_of, read_net
from ryugi_engine.games.registry import rules_of
from ryugi_engine.games.training import Tunable
from ryugi_engine.train.curve import curve
from ryugi_engine.train.material import gathered
from ryugi_engine.train.positions import records
from ryugi_engine.train.trainer import Plan, Trainer, compared, run


def _corrected(game: Game, plan: Plan) -> dict[str, str]:
    """What the card of a net says of the evaluation that it corrects."""
    rules = rules_of(game)
    if not plan.correction or not isinstance(rules, Tunable):
        return {}
    return {"weights": digest_of(rules.weights)}


def teach(
    game: Game,
    data: list[Path],
    out: Path,
    plan: Plan,
    *,
    threads: int,
    start: Path | None = None,
    checkpoint: Path | None = None,
    curve_file: Path | None = None,
    tell: Callable[[str], None],
) -> Net:
    """Learn a net and write its file; UserError in one line for what cannot be.

    ``start`` is the file of a net to go on from; it has as many lanes. An interrupt keeps the last
    checkpoint; the file is written at the end alone.
    """
    if plan.lanes % LANES:
        raise UserError(f"--lanes: a multiple of {LANES}, not {plan.lanes}")
    if not out.parent.is_dir():
        raise UserError(f"{out}: there is no folder {out.parent}")
    begun = None if start is None else read_net(start)
    if begun is not None and begun.lanes != plan.lanes:
        raise UserError(f"{start}: a net of {begun.lanes} lanes, not of {plan.lanes}")
    if begun is not None and begun.correction != plan.correction:
        does = "corrects the hand-written evaluation" if begun.correction else "stands alone"
        raise UserError(f"{start}: a net that {does}; --alone says which one is wanted")
    material = gathered(game, data, correction=plan.correction, threads=threads)
    tell(
        f"{counted(len(material.learnt), 'position')} to learn from,"
        f" {counted(len(material.validating), 'position')} of other games to validate with,"
        f" {counted(material.games, 'game')}"
    )
    trainer = Trainer(game, material, plan, threads, begun)
    yardsticks = trainer.yardsticks()
    tell("without the net: " + ", ".join(f"{k} {v:.5f}" for k, v in yardsticks.items()))
    history = run(trainer, checkpoint, tell)
    card = {
        "engine": __version__,
        "positions": len(material.learnt),
        "games": material.games,
        **asdict(plan),
        **({} if begun is None else {"start": begun.digest}),
        **_corrected(game, plan),
        **{f"loss to {name}": round(history[-1][name], 6) for name in ("score", "result")},
        **{name: round(value, 6) for name, value in yardsticks.items()},
    }
    net = trainer.net(card)
    lost = trainer.lost_by_rounding(net)
    net = replace(net, card={**card, "centipawns lost by rounding": round(lost, 2)})
    agreed = compared(game, net, records(data[0]))
    with naming(out):
        net.write(out)
    tell(
        f"{out}: net {net.digest}, rounding changes an evaluation by {lost:.2f} centipawns,"
        f" the kernel agrees on {counted(agreed, 'position')}"
    )
    if curve_file is not None:
        levels = {k: v for k, v in yardsticks.items() if k == "evaluation to score"}
        lines = {
            "to score, other games": [losses["score"] for losses in history],
            "while learning": [losses["learning"] for losses in history],
        }
        with naming(curve_file):
            write_whole(curve_file, curve(f"{game.name}: {out.name}", lines, levels))
        tell(f"{curve_file}: losses by epoch")
    return net
