"""Perft: counting legal move sequences, and suites of known counts."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine.errors import UserError
from ryugi_engine.files.reading import MAX_POSITIONS, naming, read_text
from ryugi_engine.games.game import Game
from ryugi_engine.games.notation import parse_counter
from ryugi_engine.games.position import Position
from ryugi_engine.games.position_reading import OPERATION, read_epd
from ryugi_engine.kernel import jit
from ryugi_engine.kernel.abi import HEADER, CrowdedPosition, copy_state
from ryugi_engine.kernel.block import Block
from ryugi_engine.perft.hashed import CountTable, hash_perft

if TYPE_CHECKING:
    from ryugi_engine.cluster import Cluster
    from ryugi_engine.games.sent_game import LocalGame

#: Minimum depth of a job, so that the overhead of handing it out is negligible.
_JOB_DEPTH = 3
_JOBS_PER_THREAD = 10
MAX_DEPTH = 40
#: The largest count that a suite may hold.
MAX_COUNT = 10**18


@dataclass
class Count:
    """Result of a count: leaf nodes, nodes by root move, seconds."""

    depth: int
    nodes: int = 0
    seconds: float = 0.0
    divide: dict[str, int] = field(default_factory=dict)
    stopped: bool = False

    @property
    def nodes_per_second(self) -> int:
        """Nodes per second; 0 if no time was measured."""
        return int(self.nodes / self.seconds) if self.seconds > 0 else 0


def _jobs(position: Position, depth: int, wanted: int) -> list[tuple[list[int], int]]:
    """Split a count into jobs: (moves from the root, remaining depth), both at least 1.

    There are at least ``wanted`` jobs, unless they would become shallower than is worth it.
    ``depth`` is at least 2. The position is unchanged on return.
    """
    lines = [([code], depth - 1) for code in position.legal_codes()]
    while 0 < len(lines) < wanted and lines[0][1] > _JOB_DEPTH:
        deeper = []
        for line, left in lines:
            for code in line:
                position.push(code)
            deeper += [([*line, code], left - 1) for code in position.legal_codes()]
            for _ in line:
                position.pop()
        lines = deeper
    return lines


@dataclass(frozen=True)
class _Common:
    """What the units of a count have in common: the position, and how to count."""

    text: str
    moves: Sequence[str]
    bulk: bool
    hash_megabytes: int


def count_lines(
    game: LocalGame, common: _Common, jobs: Sequence[tuple[list[int], int]]
) -> list[int]:
    """A unit on a cluster: count after each line of moves to its depth."""
    from ryugi_engine.cluster import while_wanted

    position = Position(game.game, common.text)
    for move in common.moves:
        position.push(move, refereed=True)
    results = []
    for line, depth in jobs:
        for code in line:
            position.push(code)
        perft = Perft(position, depth, bulk=common.bulk, hash_megabytes=common.hash_megabytes)
        with while_wanted(perft.stop):
            results.append(perft.run().nodes)
        for _ in line:
            position.pop()
    return results


class Perft:
    """One count; another thread can stop it."""

    bounded = True

    def __init__(
        self,
        position: Position,
        depth: int,
        *,
        bulk: bool = True,
        threads: int = 1,
        hash_megabytes: int = 0,
        progress: Callable[[int, int, int], None] | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        """``progress(jobs done, jobs, nodes)`` is called about once a second.

        A cluster counts in place of this process's threads; its count cannot be stopped.
        """
        self._position = position.copy()
        self._depth = depth
        self._bulk = int(bulk)
        self._threads = threads
        self._table = CountTable(hash_megabytes) if hash_megabytes > 0 else None
        self._progress, self._cluster = progress, cluster
        self._common = _Common(position.root_text, position.moves, bulk, hash_megabytes)
        self._states: list[Block] = []
        self._stop = threading.Event()

    def stop(self) -> None:
        """Stop the count; its result is marked ``stopped``."""
        self._stop.set()
        for state in self._states:
            HEADER.of(state)["stop"] = 1

    def _count(self, state: Block, depth: int) -> int:
        out = int(HEADER.of(state)["moves"])
        if self._table is not None:
            nodes = hash_perft(self._position.kernels, state, self._table, depth)
        else:
            nodes = self._position.kernels.perft(state.address, depth, self._bulk, out)
        if nodes < 0:
            raise CrowdedPosition("a position on the way has")
        return nodes

    def run(self) -> Count:
        """Count, and return the result."""
        result = Count(self._depth)
        self._load()
        began = time.perf_counter()
        if self._stop.is_set():
            result.stopped = True
            return result
        if self._depth == 0:
            result.nodes = 1
            return result
        roots = self._position.legal_codes()
        result.divide = {self._position.move_text(code): 0 for code in roots}
        if self._depth == 1:
            result.divide = dict.fromkeys(result.divide, 1)
            result.nodes = len(roots)
        else:
            self._share_out(result, {c: self._position.move_text(c) for c in roots}, began)
        result.seconds = time.perf_counter() - began
        result.stopped = self._stop.is_set()
        return result

    def _load(self) -> None:
        """Load the kernels before timing starts; :meth:`stop` ends the wait, not the compiler."""
        kernels = self._position.kernels

        def load() -> None:
            jit.load_all((kernels.perft, kernels.generate, kernels.make, kernels.unmake))

        loading = threading.Thread(target=load, daemon=True)
        loading.start()
        while loading.is_alive() and not self._stop.is_set():
            loading.join(0.02)
        if not self._stop.is_set():
            load()  # raises what has failed in the thread

    def _send_out(
        self, cluster: Cluster, result: Count, names: dict[int, str], began: float
    ) -> None:
        jobs = _jobs(self._position, self._depth, _JOBS_PER_THREAD * cluster.slots)
        done, reported = 0, began
        with contextlib.closing(cluster.results(count_lines, self._common, jobs)) as results:
            for item in results:
                if item is not None:
                    (line, _), nodes = item
                    result.divide[names[line[0]]] += nodes
                    result.nodes += nodes
                    done += 1
                if self._progress is not None and time.perf_counter() - reported > 1.0:
                    reported = time.perf_counter()
                    self._progress(done, len(jobs), result.nodes)

    def _share_out(self, result: Count, names: dict[int, str], began: float) -> None:
        if self._cluster is not None:
            self._send_out(self._cluster, result, names, began)
            return
        wanted = _JOBS_PER_THREAD * self._threads if self._threads > 1 else 2
        jobs = _jobs(self._position, self._depth, wanted)
        total = len(jobs)
        queue: Iterator[tuple[list[int], int]] = iter(jobs)
        lock = threading.Lock()
        failures: list[BaseException] = []
        done = 0
        reported = began

        def work(state: Block) -> None:
            nonlocal done, reported
            kernels = self._position.kernels
            try:
                while not self._stop.is_set():
                    with lock:
                        job = next(queue, None)
                    if job is None:
                        return
                    line, depth = job
                    for code in line:
                        kernels.make(state.address, code)
                    nodes = self._count(state, depth)
                    for _ in line:
                        kernels.unmake(state.address)
                    with lock:
                        result.divide[names[line[0]]] += nodes
                        result.nodes += nodes
                        done += 1
                        now = time.perf_counter()
                        if self._progress is not None and now - reported > 1.0 and done < total:
                            reported = now
                            self._progress(done, total, result.nodes)
            except BaseException as error:  # handed to the caller's thread below
                failures.append(error)
                self.stop()

        self._states = [copy_state(self._position.state) for _ in range(self._threads)]
        helpers = [
            threading.Thread(target=work, args=(state,), daemon=True) for state in self._states[1:]
        ]
        for helper in helpers:
            helper.start()
        work(self._states[0])
        for helper in helpers:
            helper.join()
        if failures:
            raise failures[0]


@dataclass(frozen=True)
class SuiteLine:
    """A position of a suite with its known counts by depth."""

    number: int
    text: str
    counts: dict[int, int]


def read_suite(path: Path) -> list[SuiteLine]:
    """Read lines ``FEN ;D1 20 ;D2 400`` or EPD; UserError for a faulty one.

    Blank lines and those with # are left out.
    """
    lines = []
    with naming(path):
        content = read_text(path, MAX_POSITIONS)
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        text, operations = read_epd(line)
        counts = {}
        for name, operand in operations.items():
            counted = name[0] in "Dd" and name[1:].isdigit()
            if not counted and OPERATION.fullmatch(name):
                continue  # an operation of EPD that says nothing about counts
            if not (counted and operand.isdigit()):
                shown = f"{name} {operand}".strip()[:40]
                raise UserError(f"{path}:{number}: '{shown}' is not like 'D4 1563839'")
            try:
                depth = parse_counter(name[1:], "depth", MAX_DEPTH)
                counts[depth] = parse_counter(operand, "count", MAX_COUNT)
            except ValueError as error:
                raise UserError(f"{path}:{number}: {error}") from None
        if not counts:
            raise UserError(f"{path}:{number}: no counts")
        lines.append(SuiteLine(number, text.strip(), counts))
    if not lines:
        raise UserError(f"{path}: no positions")
    return lines


def suite_position(game: Game, path: Path, line: SuiteLine) -> Position:
    """Return the position of a suite line; UserError if it is wrong."""
    try:
        return Position(game, line.text)
    except ValueError as error:
        raise UserError(f"{path}:{line.number}: {error}") from None
