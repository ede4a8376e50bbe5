"""Solving a position exactly with a game's prover, resumable."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ryugi_engine.errors import UserError
from ryugi_engine.files import fault, naming
from ryugi_engine.games.game import Prover
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import LOST, ONGOING, WON
from ryugi_engine.kernel.block import Block
from ryugi_engine.output import TABLE
from ryugi_engine.proving import saved as saved_table

#: Nodes of the first call of the prover, and the maximum of a later one.
_FIRST_PART, _LARGEST_PART = 100_000, 20_000_000
#: Seconds between two writes of the table.
_SAVE_EVERY = 60.0


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


def load_table(prover: Prover, path: Path, megabytes: int) -> None:
    """Load an earlier run's table if the file exists. UserError if it is damaged."""
    try:
        if TABLE.check(path):
            saved_table.load(prover, path, megabytes)
    except OSError as error:
        more = f" of the table: say --hash {2 * megabytes}" if error.errno == errno.EFBIG else ""
        raise UserError(fault(path, error) + more) from None
    except UserError as error:
        raise UserError(f"{path}: no table of this game: {error}") from None


def save_table(prover: Prover, path: Path) -> None:
    """Write a prover's table to a file, atomically. UserError if that fails."""
    with naming(path):
        saved_table.save(prover, path)


def solve(
    position: Position,
    *,
    megabytes: int,
    state_file: Path | None,
    with_margin: bool,
    progress: Callable[[int, float], None],
) -> Solution:
    """Solve a position; ``progress(nodes, seconds)`` is called after each part of the work.

    ``state_file`` is loaded if it exists, and the table is saved there, on KeyboardInterrupt, too.
    UserError for a game without a prover, a finished game or a faulty file.
    """
    if position.outcome() is not None:
        raise UserError("the game is over in this position")
    prover = position.rules.prover(megabytes)
    if prover is None:
        raise UserError(f"{position.game.name} has no exact solver")
    if state_file is not None:
        load_table(prover, state_file, megabytes)
        save_table(prover, state_file)  # a file that cannot be written is refused at once
    began = saved = time.perf_counter()
    nodes, part, never = 0, _FIRST_PART, Block(8)
    value = ONGOING
    try:
        while value == ONGOING:
            value = prover.prove(position.state, part, never)
            nodes += prover.nodes
            now = time.perf_counter()
            progress(nodes, now - began)
            if value == ONGOING and prover.exhausted():
                break
            part = min(2 * part, _LARGEST_PART)
            if state_file is not None and now - saved > _SAVE_EVERY:
                save_table(prover, state_file)
                saved = now
        margin, codes = "", list[int]()
        if value != ONGOING:
            if with_margin:
                margin, codes = prover.margin(position.state, never)
            codes = codes or prover.line(position.state, never)
        seconds = time.perf_counter() - began
    finally:
        if state_file is not None:
            save_table(prover, state_file)
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
