"""Reasons of results, as records and displays name them."""

from __future__ import annotations

from typing import Any

from ryugi_engine.kernel.abi import DRAWN
from variants.chess.definition import Definition


def reason_of(game: Definition, frame: Any, *, mated: bool, result: int) -> str:
    """Return why the position in a frame has this result."""
    rules = game.rules
    if mated:
        return "checkmate" if frame["checked"] else "stalemate"
    if rules.check_counting and frame["checks"][1 - int(frame["side"])] == 0:
        return "checks given"
    if rules.castling_wins and result != DRAWN:
        return "castling decides"
    if rules.n_move_rule and frame["clock"] >= 2 * rules.n_move_rule and result == DRAWN:
        return f"{rules.n_move_limit or rules.n_move_rule}-move rule"
    if any(rules.flag_region) and result != DRAWN:
        return "goal reached"
    if rules.extinction_value != "none" and result != DRAWN:
        return "no pieces left of a kind"
    if (rules.connect_n or rules.connect_nxn or rules.collinear_n) and result != DRAWN:
        return "row completed"
    if rules.n_fold_rule and frame["null_distance"] >= 4:
        return repetition(rules.n_fold_limit or rules.n_fold_rule)
    return "normal"


def repetition(times: int) -> str:
    """Return the name of a repetition: ``threefold repetition`` for 3 times."""
    names = {2: "twofold", 3: "threefold", 4: "fourfold", 5: "fivefold"}
    return f"{names.get(times, f'{times}-fold')} repetition"
