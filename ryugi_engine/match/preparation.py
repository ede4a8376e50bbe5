"""Complete a match's plan before its first game: start every engine once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ryugi_engine.errors import warn
from ryugi_engine.match.engine_pool import NoStart
from ryugi_engine.match.plan import MatchError, MatchPlan
from ryugi_engine.match.runner import Runner, StartedEngine
from ryugi_engine.text.plain_text import plain

#: Engines that are started at the same time.
_STARTING = 4


class NobodyPlays(MatchError):
    """No engine of the match knows its game."""


async def prepare(plan: MatchPlan, runner: Runner) -> MatchPlan:
    """Start every engine; return the plan with their names and the openings that all accept.

    MatchError if a command cannot be run, no engine starts, or one lacks the game, an option or an
    option's value. UserError if no opening is left; NobodyPlays if all lack the game. An engine
    that fails otherwise is started again for its games.
    """
    at_a_time = asyncio.Semaphore(max(_STARTING, runner.concurrency))

    async def start(player: int) -> StartedEngine | NoStart:
        async with at_a_time:
            try:
                return await runner.start_engine(player)
            except NoStart as failure:
                return failure

    specs = plan.engines
    results = await asyncio.gather(*map(start, range(len(specs))))
    failures = {
        f"'{spec.label}' {result}": result
        for spec, result in zip(specs, results, strict=True)
        if isinstance(result, NoStart)
    }
    message = "; ".join(failures)
    if any(failure.game_unknown for failure in failures.values()):
        everybody = all(isinstance(result, NoStart) and result.game_unknown for result in results)
        message += "; --variant names the game"
        raise NobodyPlays(message) if everybody else MatchError(message)
    if any(failure.hopeless for failure in failures.values()) or not any(
        not isinstance(result, NoStart) for result in results
    ):
        raise MatchError(message)
    for line in failures:
        warn(f"{line}; it is started again for its games")
    names = plan.names or distinct(
        [
            plain(spec.label) if isinstance(result, NoStart) else result.name
            for spec, result in zip(specs, results, strict=True)
        ]
    )
    engines = [result for result in results if not isinstance(result, NoStart)]
    limited = [engine.name for engine in engines if not engine.takes_positions]
    openings = plan.openings.from_start(plan.game, limited[0], plan.seed) if limited else None
    return replace(plan, names=names, openings=openings or plan.openings)


def distinct(names: Sequence[str]) -> list[str]:
    """Return distinct names: repeated ones get a letter or number in parentheses."""
    times = Counter(names)
    seen: Counter[str] = Counter()
    results = []
    for name in names:
        if times[name] == 1:
            results.append(name)
            continue
        mark = chr(ord("A") + seen[name]) if seen[name] < 26 else str(seen[name] + 1)
        seen[name] += 1
        results.append(f"{name} ({mark})")
    return results
