"""The analysis of a file of games: search their positions, then write the games again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ryugi_engine import __version__
from ryugi_engine.analysis import annotate
from ryugi_engine.analysis.agreement import agreed
from ryugi_engine.analysis.journal import Journal, keys
from ryugi_engine.analysis.judgement import centipawn_loss, game_accuracies, judged
from ryugi_engine.analysis.search_pool import PositionResult, SearchPool
from ryugi_engine.analysis.summary import GameSummary, Play
from ryugi_engine.core.evaluation import Evaluation as NetChoice
from ryugi_engine.core.events import Detail
from ryugi_engine.errors import UserError
from ryugi_engine.files import locks, reading, writing
from ryugi_engine.files.output import CHANGED, NEW
from ryugi_engine.games.game import NAMES, Game, IllegalMove, Rules, counted
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import Registry, load_kernels
from ryugi_engine.records.annotation import Evaluation
from ryugi_engine.records.encoding import decoded
from ryugi_engine.records.pgn import Record, in_file, read_records
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.record_file import composed
from ryugi_engine.records.rewrite import rewritten
from ryugi_engine.records.san import in_san
from ryugi_engine.search.limits import Limits
from ryugi_engine.text.progress import Progress

#: Bytes that an evaluation takes in a record at least.
_LEAST = len("{[%eval 0.0]} ")


@dataclass(frozen=True)
class Wish:
    """Settings of an analysis: limits, games and side."""

    limits: Limits
    #: The limits as the user gave them.
    limits_text: str
    #: Positions at a time.
    threads: int
    #: Of each search's table.
    megabytes: int
    #: Numbers of the file's games, from 1; None: all.
    games: Sequence[int] | None = None
    #: The file of a net that positions are evaluated by, where it fits; "" for each game's own.
    net: str = ""
    #: Whose moves are judged, 0 White's, 1 Black's; None: both.
    side: int | None = None

    def plan(self) -> dict[str, Any]:
        """Return the settings that analyses must share for their results to be combined."""
        plan = {"engine": __version__, "search": self.limits_text, "hash": self.megabytes}
        return plan | ({"net": self.net} if self.net else {})


@dataclass
class _GamePlan:
    """A game of the file: who moved, and its positions by their keys."""

    number: int
    record: Record
    game: Game
    root: str
    #: The side to move in each position, one more than moves.
    sides: list[int]
    keys: list[str]
    #: How the last position stands where the game is over in it.
    ended: Evaluation | None
    #: Whether the record has moves in the engine's notation, not in SAN.
    in_coordinates: bool

    @classmethod
    def of(cls, number: int, record: Record, games: Registry) -> _GamePlan:
        """Return a record's plan; RecordError if nothing of it can be read."""
        playback = Playback.of(record, games)
        position = playback.position
        outcome = position.outcome()
        ended = None
        if outcome is not None:
            ended = Evaluation(mate=None if outcome.winner is None else 1 - 2 * outcome.winner)
        root, moves = position.root_text, list(position.moves)
        names = list(keys(playback.game.name, root, moves))
        sides = [position.side]
        while position.moves:
            position.pop()
            sides.append(position.side)
        sides.reverse()
        coordinates = playback.in_coordinates
        return cls(number, record, playback.game, root, sides, names, ended, coordinates)

    @property
    def open(self) -> Sequence[str]:
        """The keys of the positions in which the game goes on; none of a game without moves."""
        if not self.record.steps:
            return ()
        return self.keys if self.ended is None else self.keys[:-1]

    def positions(self, wanted: set[str], rules: Rules) -> Iterator[tuple[str, Position]]:
        """Yield the wanted positions by some rules, and remove them from the set."""
        if wanted.isdisjoint(self.open):
            return
        position = Position(self.game, self.root, rules)
        for ply, key in enumerate(self.open):
            if key in wanted:
                wanted.discard(key)
                yield key, position.copy()
            if ply < len(self.record.steps):
                position.push(self.record.steps[ply].code)


def _write_game(plan: _GamePlan, findings: dict[str, PositionResult], wish: Wish) -> GameSummary:
    """Write the results into a game's record and return a summary; IllegalMove if they differ."""
    record = plan.record
    annotate.clear(record)
    record.tags[annotate.TAG] = f"{__version__}, {wish.limits_text}"
    moves = [step.move for step in record.steps]
    result = agreed([findings[key] for key in plan.open], moves, plan.sides, plan.ended)
    evaluations = [one.evaluation for one in result]
    if plan.ended is not None:
        evaluations.append(plan.ended)
    names = (" ".join(record.tags.get(name, "?").split()) for name in NAMES)
    plays = [Play(name, side) for side, name in enumerate(names)]
    position = Position(plan.game, plan.root)
    if record.steps:
        annotate.write_start(record, evaluations[0])
    for ply, step in enumerate(record.steps):
        side, before, after = plan.sides[ply], evaluations[ply], evaluations[ply + 1]
        plays[side].moves += 1
        plays[side].loss += centipawn_loss(before, after, side)
        best = result[ply]
        verdict = judged(before, after, side) if best.line[0] != step.move else None
        if wish.side not in (None, side):
            verdict = None
        if verdict is None:
            if ply + 1 < len(result):  # the end of a finished game speaks for itself
                annotate.write(step, after)
        else:
            plays[side].verdicts[verdict] += 1
            sans = in_san(position, best.line)
            written = best.line if plan.in_coordinates else sans
            annotate.write_verdict(step, after, verdict, best, side, written)
        position.push(step.code)
    accuracies = game_accuracies(evaluations, plan.sides[:-1])
    for play, accuracy in zip(plays, accuracies, strict=True):
        play.accuracy = accuracy
    if wish.side is not None:
        plays = [plays[wish.side]]
    return GameSummary(plan.number, plan.game.name, record.result, plays)


class Analysis:
    """The analysis of a file's games, which are written back or to another file."""

    def __init__(
        self,
        path: Path,
        out: Path | None,
        games: Registry,
        wish: Wish,
        tell: Callable[[str], None],
        count: Callable[[int, int], None] | None = None,
    ) -> None:
        """``tell`` gets lines about the progress, ``count`` the positions that are known, and all,
        in place of such lines.

        UserError for a fault of the file.
        """
        self._count = count
        self.path, self._games, self._wish, self._tell = path, games, wish, tell
        with reading.naming(out or path):
            self.out = path if out is None or writing.same(path, out) else out
        self.journal_path = self.out.with_name(self.out.name + ".analysis")
        self._rules: dict[Game, Rules] = {}
        self._read()
        begun = self.journal_path.exists()
        with reading.naming(self.out):
            (CHANGED if self.out is path or begun else NEW).check(self.out)

    def _bytes(self) -> bytes:
        with reading.naming(self.path):
            return reading.read_bytes(self.path, reading.MAX_RECORDS)

    def _read(self) -> None:
        """Read the file, and ask the rules about all its games: they will be rewritten."""
        self._content = self._bytes()
        self._records = read_records(self.path, self._content)
        chosen = self._wish.games
        have = len(self._records)
        self._plans: list[_GamePlan] = []
        for number in chosen or ():
            if number > have:
                raise UserError(f"{self.path} has {counted(have, 'game')}, no game {number}")
        faults: dict[int, UserError] = {}
        for number, record in enumerate(self._records, start=1):
            if chosen is None or number in chosen:
                try:
                    self._plans.append(self._plan(number, record))
                except UserError as error:
                    faults[number] = error
        if faults and not self._plans:
            raise next(iter(faults.values()))
        for number, fault in faults.items():
            self._tell(f"{fault}: game {number} is left out")
        least = len(self._content) + _LEAST * sum(len(p.record.steps) for p in self._plans)
        if least > reading.MAX_RECORDS:
            self._refuse_size()

    def _plan(self, number: int, record: Record) -> _GamePlan:
        """Return the plan of a game; UserError for one with a fault, which must not be changed."""
        with in_file(self.path):
            plan = _GamePlan.of(number, record, self._games)
        if record.faults:
            raise UserError(f"{self.path}:{record.faults[0]}")
        return plan

    def _refuse_size(self) -> None:
        raise UserError(f"{self.out}: would be larger than a file of records may be")

    def run(self) -> list[GameSummary]:
        """Search the positions that the journal lacks, write the games, return their summaries.

        After KeyboardInterrupt the results so far are in the journal.
        """
        net = NetChoice(lambda note: None if isinstance(note, Detail) else self._tell(note.text))
        net.read(self._wish.net)
        for game in dict.fromkeys(plan.game for plan in self._plans):
            load_kernels(game, "ryugi_engine.search.root")
            self._rules[game] = net.rules(game)
            if self._wish.net:
                net.report()
        with Journal(self.journal_path, self._wish.plan()) as journal:
            while True:
                self._search(journal)
                summaries, raw = self._compose(journal.results)
                with reading.naming(self.out), locks.locked(self.out, self._tell):
                    if self.out is not self.path or self._bytes() == self._content:
                        self._write(raw)
                        journal.remove()
                        return summaries
                self._tell(f"{self.path}: somebody has written it meanwhile, it is read again")
                self._read()

    def _search(self, journal: Journal) -> None:
        every = {key for plan in self._plans for key in plan.open}
        wanted = every - journal.results.keys()
        have, nodes = len(every) - len(wanted), 0
        if have:
            self._tell(f"positions: {have:,} of {len(every):,} are known already")
        if not wanted:
            return
        threads = min(self._wish.threads, len(wanted))
        searchers = SearchPool(self._wish.limits, threads, self._wish.megabytes)
        plans = ((plan, self._rules[plan.game]) for plan in self._plans)
        positions = (both for plan, rules in plans for both in plan.positions(wanted, rules))
        progress = Progress("positions", self._tell, have=have, wanted=len(every), every=5.0)

        def report(now: bool = False) -> None:
            if self._count is not None:
                self._count(have, len(every))
                return
            progress(have, f"{nodes / progress.seconds / 1e6:.2f} Mn/s", now=now)

        try:
            for key, result, searched in searchers.search(positions):
                journal.add(key, result)
                have, nodes = have + 1, nodes + searched
                report()
        finally:
            searchers.stop()
            report(now=True)

    def _compose(self, results: dict[str, PositionResult]) -> tuple[list[GameSummary], bytes]:
        """Write the results into the games; return their summaries and the file's content."""
        try:
            summaries = [_write_game(plan, results, self._wish) for plan in self._plans]
        except IllegalMove as error:
            raise UserError(f"{self.journal_path}: is damaged, delete it: {error}") from None
        text = decoded(self.path, self._content)
        text = rewritten(text, [plan.record for plan in self._plans])
        return summaries, composed(self.out, text, self._content)

    def _write(self, raw: bytes) -> None:
        """Rewrite the file, whole or not at all; the caller has locked it."""
        with reading.naming(self.out):
            kind = CHANGED if self.out is self.path else NEW
            if kind is NEW and self.out.is_file() and self.out.stat().st_size == len(raw):
                if reading.read_bytes(self.out, reading.MAX_RECORDS) == raw:
                    return  # killed before the journal was removed
            with writing.replacing(self.out, kind) as handle:
                handle.write(raw)
