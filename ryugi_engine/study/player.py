"""Plays the games of a study in this process, one at a time, and keeps what figures need."""

from __future__ import annotations

import math
import random
from typing import Any

from ryugi_engine.games.game import CrowdingMove, Game, Outcome
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import rules_of
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Report
from ryugi_engine.search.searcher import Searcher
from ryugi_engine.study.activity import Activity
from ryugi_engine.study.mates import PLIES, ending
from ryugi_engine.study.odds import start_without
from ryugi_engine.study.plan import MATE, ODDS, Plan, Unit, opening_plies
from ryugi_engine.study.rule_use import games_without, uses

#: The modules with the kernels that are needed, besides the game's.
KERNELS = ("ryugi_engine.search.searcher",)
_HASH_MEGABYTES = 16
#: Plies after which a game is broken off, and counts as drawn.
LONGEST = 600
BROKEN_OFF = f"unfinished after {LONGEST} plies"
CROWDED = "too many moves"
#: Lines of which each move of an opening is drawn, and at most where more are as good as the best.
LINES, _MOST_LINES = 10, 100
#: Nodes of an opening's searches, at least and for each legal move: at any strength all lines are
#: found. Opening moves are drawn with the weight exp(-loss / T). T is in centipawns; on the first
#: two plies it is larger where few moves are as good.
_OPENING_NODES, _NODES_A_MOVE = 2_000, 20
_TEMPERATURE, _FREE_PLIES, _FREE_RANK = 30.0, 2, 4
#: Every so many plies the second-best move is looked for, too.
_EVERY = 6
#: Every how many games of each strength show which rules matter: that takes a tenth of a second.
_RULES_EVERY = (4, 2, 1)
#: Centipawns that a score is counted as at most: a forced win.
MOST = 3_000


def clipped(score: int) -> int:
    """Return a score in centipawns within the bounds that figures use."""
    return max(-MOST, min(MOST, score))


class _Lines:
    """Keeps the last reports of a search, by line, and those of the last whole iteration."""

    def __init__(self, lines: int) -> None:
        self.reports: dict[int, Report] = {}
        self._lines = lines
        self._whole: dict[int, Report] = {}

    def __call__(self, report: Report) -> None:
        if report.score.bound:
            return
        self.reports[report.multipv] = report
        depths = {one.depth for one in self.reports.values()}
        if len(self.reports) == self._lines and depths == {report.depth}:
            self._whole = dict(self.reports)

    def moves(self, *, alike: bool = False) -> list[tuple[str, int]]:
        """Return (move, score) of each line, best first; ``alike``: all of the same depth."""
        reports = (self._whole if alike else {}) or self.reports
        found = {r.pv[0]: clipped(r.score.cp) for _, r in sorted(reports.items()) if r.pv}
        return sorted(found.items(), key=lambda item: -item[1])


def drawn_move(moves: list[tuple[str, int]], source: random.Random, free: bool) -> str:
    """Draw one of some (move, score); see :data:`_TEMPERATURE`."""
    best = moves[0][1]
    temperature = _TEMPERATURE
    if free:
        at = moves[min(_FREE_RANK, len(moves)) - 1][1]
        temperature = max(temperature, (best - at) / 2)
    weights = [math.exp((score - best) / temperature) for _, score in moves]
    return source.choices([move for move, _ in moves], weights)[0]


class Player:
    """The memory for one game at a time."""

    def __init__(self, game: Game, plan: Plan) -> None:
        self.game, self.plan = game, plan
        self._searcher = Searcher(_HASH_MEGABYTES)
        self._rules, self._without = rules_of(game), games_without(game)
        self._stopped = False

    def go_on(self) -> None:
        """Play again after :meth:`stop`."""
        self._stopped = False

    def stop(self) -> None:
        """End the running game soon; called from another thread."""
        self._stopped = True
        self._searcher.stop()

    def play(self, unit: Unit) -> dict[str, Any] | None:
        """Play a unit's game; return what is kept of it, None if it was stopped.

        It follows from the unit and the plan alone.
        """
        source = random.Random(f"{self.plan.seed} {unit.key}")
        self._searcher.clear()
        if unit.kind == ODDS:
            return self._odds(unit, source)
        if unit.kind == MATE:
            return self._mate(unit, source)
        nodes = self.plan.nodes[unit.strength]
        found = self._game(Position(self.game), nodes, source)
        if found is not None and unit.number % _RULES_EVERY[unit.strength] == 0:
            found["rules"] = uses(self.game, self._rules, self._without, found["moves"].split())
        return found

    def _odds(self, unit: Unit, source: random.Random) -> dict[str, Any] | None:
        """Play a game in which both sides lack pieces; void where there is no such start."""
        same = random.Random(f"{self.plan.seed} pair {unit.number // 2}")
        text = start_without(self.game, unit.pieces, same)
        position = Position(self.game, text)
        first = position.side
        found = self._game(position, self.plan.odds_nodes, source)
        if found is None:
            return None
        lacking = ["", ""] if text is None else [unit.pieces[first], unit.pieces[1 - first]]
        kept = {name: found[name] for name in ("points", "reason")}
        plies = len(found["moves"].split())
        return {**kept, "moves": "", "plies": plies, "pair": unit.number // 2, "lacking": lacking}

    def _mate(self, unit: Unit, source: random.Random) -> dict[str, Any] | None:
        """Let pieces play against a bare king."""
        position = ending(self.game, unit.pieces[0], source)
        moves = 0
        outcome = Outcome("1/2-1/2", "no position") if position is None else None
        while position is not None and moves < PLIES:
            outcome = position.outcome() or position.claim()
            if outcome is not None:
                break
            move = self._search(position, self.plan.mate_nodes)[0][0]
            if self._stopped:
                return None
            position.push(move)
            moves += 1
        mated = outcome is not None and (outcome.winner, outcome.reason) == (0, "checkmate")
        reason = "" if outcome is None else outcome.reason
        return {
            "points": 1.0 if mated else 0.5,
            "reason": reason,
            "moves": "",
            "plies": moves,
            "set": unit.pieces[0],
        }

    def _search(self, position: Position, nodes: int, lines: int = 1) -> list[tuple[str, int]]:
        """Return the best moves with their scores for the side to move, best first."""
        searcher, kept = self._searcher, _Lines(lines)
        searcher.multipv = lines
        searcher.prepare(position, Limits(nodes=nodes))
        result = searcher.run(position, kept)
        return kept.moves(alike=lines > 2) or [(result.best, clipped(result.score.cp))]

    def _opening(self, position: Position, count: int) -> list[tuple[str, int]]:
        """Return the moves of which one is drawn, of ``count`` legal ones, with their scores.

        If the last line is nearly as good as the first, so may moves be that are generated later.
        """
        nodes = max(_OPENING_NODES, _NODES_A_MOVE * count)
        lines = self._search(position, nodes, min(count, LINES))
        if count > LINES and lines[0][1] - lines[-1][1] < _TEMPERATURE:
            lines = self._search(position, nodes, min(count, _MOST_LINES))
        return lines

    def _game(self, position: Position, nodes: int, source: random.Random) -> dict[str, Any] | None:
        first, activity = position.side, Activity(position)
        opening = opening_plies(self.game)
        scores: list[int] = []
        seconds: list[tuple[int, int, int]] = []
        branching, offset, outcome = 0, source.randrange(_EVERY), None
        for ply in range(LONGEST):
            outcome = position.outcome() or position.claim()
            if outcome is not None:
                break
            count = len(position.legal_codes())
            branching += count
            sign = 1 if position.side == first else -1
            if ply < opening:
                lines = self._opening(position, count)
                move = drawn_move(lines, source, ply < _FREE_PLIES)
            else:
                both = ply % _EVERY == offset and count > 1
                lines = self._search(position, nodes, 1 + both)
                move = lines[0][0]
                scores.append(sign * lines[0][1])
                if both and len(lines) > 1:
                    seconds.append((ply, lines[0][1], lines[1][1]))
            if self._stopped:
                return None
            try:
                position.push(move)
            except CrowdingMove:
                outcome = Outcome("1/2-1/2", CROWDED)
                break
            activity.moved(position, move)
        else:
            outcome = position.outcome() or position.claim() or Outcome("1/2-1/2", BROKEN_OFF)
        assert outcome is not None
        points = 0.5 if outcome.winner is None else float(outcome.winner == first)
        return {
            "points": points,
            "reason": outcome.reason,
            "moves": " ".join(position.moves),
            "opening": min(opening, len(position.moves)),
            "scores": scores,
            "seconds": seconds,
            "branching": branching,
            **activity.kept(),
        }
