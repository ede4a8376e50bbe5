"""The engine's part of a game in the terminal: it thinks, on a clock of its own."""

from __future__ import annotations

import contextlib
import queue
import re
from collections.abc import Callable, Mapping

from ryugi_engine.clocks.game_clock import GameClock, limits_of
from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.core.partner import Partner
from ryugi_engine.errors import UserError
from ryugi_engine.search.levels import FIRST, FULL, level_in
from ryugi_engine.search.report import Result

#: Time control of a game without other settings.
_CONTROL = "st=2"
_NAME = "ryugi-engine"
_STRENGTH = re.compile(rf"{_NAME} \((?P<control>[^(),]*)(, level \d{{1,2}})?\)", re.ASCII)


def plays_as(name: str) -> bool:
    """Return whether a player's name in a record is the engine's."""
    return name.startswith(_NAME)


def engine_tags(tags: Mapping[str, str], before: Mapping[str, str]) -> dict[str, str]:
    """Return the player tags that name the engine, in ``tags`` as well as in ``before``."""
    return {
        tag: name for tag, name in tags.items() if plays_as(name) and plays_as(before.get(tag, ""))
    }


def strength_of(name: str) -> tuple[TimeControl, int]:
    """Return time control and level from the engine's name in a record, or the defaults."""
    if not name:
        return TimeControl.read(_CONTROL), FIRST
    match = _STRENGTH.fullmatch(name)
    with contextlib.suppress(UserError):  # somebody has written a name of this form
        control = TimeControl.read(match["control"] if match is not None else _CONTROL)
        if control.bounded:
            return control, level_in(name)
    return TimeControl.read(_CONTROL), level_in(name)


class Opponent(Partner):
    """The engine as an opponent in the terminal, with a clock of its own."""

    def __init__(
        self, control: TimeControl, level: int, tell: Callable[[str], None], variants_file: str = ""
    ) -> None:
        """``level`` is the one that it plays at; ``tell`` gets messages, from any thread.

        UserError for a time control that ends no search.
        """
        if not control.bounded:
            raise UserError(f"time control '{control}': it would think for ever")
        super().__init__(variants_file, tell)
        self._control = control
        self.set_level(str(level))
        self._clock = GameClock(control)
        self._answers: queue.Queue[Result] = queue.Queue()

    def take_result(self, result: Result) -> None:
        self._answers.put(result)

    def __str__(self) -> str:
        """Return the engine's name in records, which :func:`strength_of` reads."""
        level = "" if self.level == FULL else f", level {self.level}"
        return f"{_NAME} ({self._control}{level})"

    def begin_anew(self) -> None:
        """Begin a new game: reset the clock and clear the hash table."""
        self._clock = GameClock(self._control)
        super().begin_anew()

    def advise(self, *, full_strength: bool = True) -> Result:
        """Search the position within the engine's own limits; return the result."""
        limits = limits_of(self._clock, self.session.position.side)
        self.session.go(limits, full_strength=full_strength)
        return self._answers.get()

    def think(self) -> Result:
        """Search for the engine's move while its clock runs; return the result."""
        side = self.session.position.side
        self._clock.start(side)
        result = self.advise(full_strength=False)
        self._clock.stop()
        self._clock.moved(side)
        if not result.best:
            raise UserError("the engine has found no move")
        self.score = result.score.cp
        return result
