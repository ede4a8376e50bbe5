"""Making positions: games of self-play on all cores, appended to a file as they end."""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any

from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import Block
from ryugi_engine.search import layout as L
from ryugi_engine.search.root import search_root
from ryugi_engine.search.table import Table
from ryugi_engine.search.worker import Worker
from ryugi_engine.train.openings import Openings
from ryugi_engine.train.positions import Writer, facts_of, last_game, read_facts
from ryugi_engine.train.selfplay import PLAY, PLAYED, STOPPED, play
from ryugi_engine.train.subject import training_of

_TABLE_MEGABYTES = 2
#: A search may have so many times the nodes after which it begins no new iteration.
_HARD = 8
#: Plies, and records of one game that there is room for.
_LONGEST = 400
_SECONDS_A_BLOCK = 5.0
_SECONDS_A_LINE = 10.0
_STOP = L.CONTROL.word("stop")


@dataclass(frozen=True)
class Settings:
    """How games are played; a file's games are all played alike."""

    nodes: int = 650
    random_low: int = 8
    random_high: int = 10
    decided: int = 1400
    decided_plies: int = 4
    bounded: int = 2500
    #: Of a hundred games so many begin without a piece.
    odds: int = 10
    #: The net that the games were played with, "" for none.
    teacher: str = ""


class Player:
    """The memory for one game at a time."""

    def __init__(self, game: Game, settings: Settings, seed: int) -> None:
        training = training_of(game)
        self._seed, self._settings = seed, settings
        self._openings = Openings(game, settings.odds)
        self._worker, self._table = Worker(), Table(_TABLE_MEGABYTES)
        self.control = Block(L.CONTROL.words)
        position = Position(game)
        self._worker.prepare(position, self._table, self.control, [])
        self._worker.seen["given"]["node_limit"] = _HARD * settings.nodes
        assert self._worker.state is not None
        self._state = self._worker.state
        self._records = Block(_LONGEST * training.words)
        self._block = Block(PLAY.words)
        self.seen: Any = PLAY.of(self._block)
        longest = min(_LONGEST, position.rules.room(self._state) - settings.random_high)
        for name, value in {
            "worker": self._worker.block.address,
            "search": search_root.address,
            "record": training.record.address,
            "soft_nodes": settings.nodes,
            "deepest": L.MAX_PLY // 2,
            "decided": settings.decided,
            "decided_plies": settings.decided_plies,
            "bounded": settings.bounded,
            "longest": longest,
            "out": self._records.address,
            "record_words": training.words,
            "room": _LONGEST,
        }.items():
            self.seen[name] = value

    def play(self, number: int) -> bytes | None:
        """Play the game of a number; its records, None if it was stopped."""
        source = random.Random(f"{self._seed} {number}")
        low, high = self._settings.random_low, self._settings.random_high
        image, plies = self._openings.draw(source, low, high)
        self._worker.clear()
        self._table.clear()
        self._state.words[: len(image)] = image
        self.seen["random"] = source.getrandbits(63)
        self.seen["opening"] = plies
        self.seen["game"] = number
        end = play(self._block.address)
        if end == STOPPED:
            return None
        words = int(self.seen["records"]) * int(self.seen["record_words"])
        return self._records.words[:words].tobytes() if end == PLAYED else b""


@dataclass
class _Game:
    """What a thread tells of a game, or why it can go on no longer."""

    records: bytes = b""
    nodes: int = 0
    error: BaseException | None = None


class Maker:
    """Threads that play, each in kernels that leave the interpreter alone."""

    def __init__(self, game: Game, settings: Settings, threads: int, seed: int) -> None:
        self._players = [Player(game, settings, seed) for _ in range(threads)]
        self._ended: queue.Queue[_Game] = queue.Queue(maxsize=64 * threads)
        self._stopping = threading.Event()

    def games(self, first: int) -> Iterator[_Game]:
        """Games as they end, those from number ``first`` on, for ever."""
        numbers = count(first)

        def work(player: Player) -> None:
            try:
                while not self._stopping.is_set():
                    records = player.play(next(numbers))
                    if records is not None:
                        self._ended.put(_Game(records, int(player.seen["nodes"])))
            except BaseException as error:
                self._ended.put(_Game(error=error))

        for player in self._players:
            threading.Thread(target=work, args=(player,), daemon=True).start()
        while True:
            try:
                ended = self._ended.get(timeout=1.0)
            except queue.Empty:
                continue
            if ended.error is not None:
                raise ended.error
            yield ended

    def stop(self) -> None:
        """End all games, which leave no records."""
        self._stopping.set()
        for player in self._players:
            player.control.words[_STOP] = 1


def _told(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{max(1, minutes)} min"


class _Progress:
    """A line every few seconds: how many, how fast, until when."""

    def __init__(self, have: int, wanted: int, tell: Callable[[str], None]) -> None:
        self._first, self._wanted, self._tell = have, wanted, tell
        self._began = self._last = time.monotonic()
        self.games = self.nodes = 0

    def __call__(self, have: int, last: bool = False) -> None:
        now = time.monotonic()
        if not last and now - self._last < _SECONDS_A_LINE:
            return
        self._last = now
        seconds = max(now - self._began, 1e-3)
        rate = (have - self._first) / seconds
        line = f"positions: {have:,} of {self._wanted:,}, {rate:,.0f} a second"
        line += f", {counted(self.games, 'game')}, {self.nodes / seconds / 1e6:.2f} Mn/s"
        if not last and rate > 0:
            left = (self._wanted - have) / rate
            at = time.strftime("%H:%M", time.localtime(time.time() + left))
            line += f", {_told(left)} left, until {at}"
        self._tell(line)


def make(
    game: Game,
    out: Path,
    positions: int,
    settings: Settings,
    *,
    threads: int,
    seed: int | None,
    tell: Callable[[str], None],
) -> int:
    """Play until a file holds so many positions; how many it holds.

    A file that is there is gone on with, whatever ended it. KeyboardInterrupt ends it tidily:
    games that have ended are in the file.
    """
    facts = facts_of(game.name, training_of(game))
    made = dict(asdict(settings))
    if out.exists() and out.stat().st_size:
        made["seed"] = read_facts(out).get("seed") if seed is None else seed
    else:
        made["seed"] = random.randrange(1 << 31) if seed is None else seed
    with Writer(out, facts, made) as writer:
        if writer.count >= positions:
            tell(f"{out}: {counted(writer.count, 'position')} already")
            return writer.count
        first = last_game(out) + 1
        maker = Maker(game, settings, threads, int(made["seed"]))
        progress = _Progress(writer.count, positions, tell)
        parts: list[bytes] = []
        held, written_at = 0, time.monotonic()
        try:
            for ended in maker.games(first):
                parts.append(ended.records)
                held += len(ended.records) // writer.itemsize
                progress.games += 1
                progress.nodes += ended.nodes
                enough = writer.count + held >= positions
                if enough or time.monotonic() - written_at > _SECONDS_A_BLOCK:
                    block, parts, held = b"".join(parts), [], 0
                    writer.add(block)
                    written_at = time.monotonic()
                progress(writer.count + held, last=enough)
                if enough:
                    break
        finally:
            maker.stop()
            writer.add(b"".join(parts))
        return writer.count
