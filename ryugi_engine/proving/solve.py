"""Solving a position exactly with a game's prover."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from ryugi_engine.errors import UserError
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import LOST, ONGOING, WON
from ryugi_engine.kernel.block import Block

#: Nodes of the first call of the prover, and the maximum of a later one.
_FIRST_PART, _LARGEST_PART = 100_000, 20_000_000


@dataclass(frozen=True)
class Solution:
    """Result of solving: ``result`` is 1-0, 0-1, or "" if nothing is proven.

    ``plies`` bounds the length of the win; if ``margin`` is not "", ``line`` leads to it.
    """

    result: str
    line: list[str]
    plies: int
    margin: str
    nodes: int
    seconds: float


def solve(
    position: Position, *, megabytes: int, with_margin: bool, progress: Callable[[int, float], None]
) -> Solution:
    """Solve a position; ``progress(nodes, seconds)`` is called after each part of the work.

    UserError for a game without a prover, or a finished game.
    """
    if position.outcome() is not None:
        raise UserError("the game is over in this position")
    prover = position.rules.prover(megabytes)
    if prover is None:
        raise UserError(f"{position.game.name} has no exact solver")
    began = time.perf_counter()
    nodes, part, never = 0, _FIRST_PART, Block(8)
    value = ONGOING
    while value == ONGOING:
        value = prover.prove(position.state, part, never)
        nodes += prover.nodes
        progress(nodes, time.perf_counter() - began)
        if value == ONGOING and prover.exhausted():
            break
        part = min(2 * part, _LARGEST_PART)
    margin, codes = "", list[int]()
    if value != ONGOING:
        if with_margin:
            margin, codes = prover.margin(position.state, never)
        codes = codes or prover.line(position.state, never)
    seconds = time.perf_counter() - began
    if value == ONGOING:
        return Solution("", [], 0, "", nodes, seconds)
    assert value in (WON, LOST)
    white = (value == WON) == (position.side == 0)
    line = []
    walked = position.copy()
    for code in codes:
        line.append(walked.move_text(code))
        walked.push(code)
    plies = prover.plies(position.state)
    return Solution("1-0" if white else "0-1", line, plies, margin, nodes, seconds)
