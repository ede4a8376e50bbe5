"""Processes that play a study's units: one for each core here, or those of a cluster.

A game of few nodes a move is half Python, which threads of one process would wait for.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any

from ryugi_engine.errors import UserError
from ryugi_engine.games.sent_game import LocalGame
from ryugi_engine.study.plan import Plan, Unit
from ryugi_engine.study.player import KERNELS, Player

if TYPE_CHECKING:
    from ryugi_engine.cluster import Cluster

#: Seconds after which who waits for a result gets None.
_LOOK = 0.5
#: A cluster's worker keeps the player of its thread: to make one takes seconds.
_kept = threading.local()


def play_units(local: LocalGame, plan: Plan, units: Sequence[Unit]) -> list[dict[str, Any] | None]:
    """A unit on a cluster: play some games."""
    from ryugi_engine.cluster import while_wanted
    from ryugi_engine.games.registry import load_kernels

    if getattr(_kept, "of", None) != (local, plan):
        load_kernels(local.game, *KERNELS, own=True)
        _kept.player, _kept.of = Player(local.game, plan), (local, plan)
    player: Player = _kept.player
    player.go_on()
    with while_wanted(player.stop):
        return [player.play(unit) for unit in units]


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _child(variants: str, plan: Plan, pipe: Connection) -> None:
    """Play the units that come through a pipe; the process ends with its parent in any case."""
    from ryugi_engine.games.registry import load_kernels, registry

    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        if variants:
            registry().load_file(variants)
        game = registry().game(plan.game)
        load_kernels(game, *KERNELS, own=True)
        player = Player(game, plan)
        while True:
            pipe.send(player.play(pipe.recv()))
    except UserError as error:
        pipe.send(error)


class Workers:
    """Plays units, some at a time. A context manager that ends the processes."""

    def __init__(self, plan: Plan, variants: str, processes: int, cluster: Cluster | None) -> None:
        """``variants`` is the file with a user's definition, "" for a game of the engine."""
        self._plan, self._cluster = plan, cluster
        self._children: dict[Connection, multiprocessing.process.BaseProcess] = {}
        context = multiprocessing.get_context("spawn")
        try:
            for _ in range(0 if cluster is not None else processes):
                ours, theirs = context.Pipe()
                child = context.Process(target=_child, args=(variants, plan, theirs), daemon=True)
                child.start()
                theirs.close()
                self._children[ours] = child
        except OSError as error:
            self._end()
            raise UserError(f"study: no process: {error.strerror or error}") from None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def _end(self) -> None:
        for child in self._children.values():
            child.kill()
        for child in self._children.values():
            child.join()

    def results(self, units: Sequence[Unit]) -> Iterator[tuple[Unit, dict[str, Any]] | None]:
        """Yield units with their results as they come, and None now and then."""
        results = self._elsewhere(units) if self._cluster is not None else self._here(units)
        with contextlib.closing(results) as some:
            for item in some:
                yield None if item is None or item[1] is None else (item[0], item[1])

    def _elsewhere(self, units: Sequence[Unit]) -> Generator[Any, None, None]:
        assert self._cluster is not None
        with contextlib.closing(self._cluster.results(play_units, self._plan, units)) as results:
            yield from results

    def _here(self, units: Sequence[Unit]) -> Generator[Any, None, None]:
        """Give each process a unit whenever it has none."""
        remaining, playing = iter(units), dict[Connection, Unit]()

        def give(pipe: Connection) -> None:
            unit = next(remaining, None)
            if unit is not None:
                pipe.send(unit)
                playing[pipe] = unit

        try:
            for pipe in self._children:
                give(pipe)
            while playing:
                ready = wait([*playing], _LOOK)
                if not ready:
                    yield None
                for pipe in [pipe for pipe in playing if pipe in ready]:
                    result, unit = pipe.recv(), playing.pop(pipe)
                    if isinstance(result, UserError):
                        raise result
                    give(pipe)
                    yield unit, result
        except (EOFError, OSError):
            raise UserError("a process that played has ended; the same command resumes") from None
