"""The plan of a match: everything that fixes its games; written to a journal and read again."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.match.openings import Openings
from ryugi_engine.match.referee import NEVER, Adjudication
from ryugi_engine.match.schedule import KINDS, Schedule, make_schedule
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.sprt import Sprt
from ryugi_engine.match.timeouts import Timeouts
from ryugi_engine.settings import typed
from ryugi_engine.settings.argument import Argument


class MatchError(UserError):
    """Why a match cannot be played, in one line."""


#: Games of a match at most.
_MOST_GAMES = 10**6
_GAMES = (
    "games in all (default: 2, with --sprt until it decides); with --rounds those of each meeting"
    " in a round; in a knockout those of each match"
)


@dataclass(frozen=True)
class MatchPlan:
    """Everything that fixes a match's games, and how they are played."""

    game: Game
    engines: Sequence[EngineSpec]
    control: TimeControl
    openings: Openings
    kind: Annotated[str, *KINDS, Argument("who plays whom", option="--tournament")] = KINDS[0]
    games: Annotated[int, 1, _MOST_GAMES, Argument(_GAMES)] | None = None
    rounds: Annotated[int, 1, 10**6, Argument("how often all engines meet")] | None = None
    repeat: Annotated[
        int, 1, 1000, Argument("games that a pairing plays from an opening, colours alternating")
    ] = 2
    heroes: Annotated[
        int, 1, 1000, Argument("number of a gauntlet's first engines, which meet all others")
    ] = 1
    seed: Annotated[int, 0, 1 << 31, Argument("seed of the random order")] = 0
    max_plies: Annotated[int, 2, 10**5, Argument("draw after so many plies")] = 1000
    notation: Annotated[
        str, "san", "uci", Argument("moves in records of chess-like games: as people or UCI write")
    ] = "san"
    adjudication: Adjudication = NEVER
    #: Ends a match of two engines when it accepts a hypothesis.
    test: Sprt | None = None
    variants_file: str = ""
    pgn_out: Path | None = None
    journal: Path | None = None
    concurrency: Annotated[int, 1, 1000] = 1
    timeouts: Timeouts = field(default_factory=Timeouts)
    #: What the engines are called, once that is known; different from one another.
    names: Sequence[str] = ()

    @property
    def until_decided(self) -> bool:
        """Whether games are played until the test accepts a hypothesis: none are counted out."""
        counted_out = self.games is not None or self.rounds is not None
        return self.test is not None and not counted_out and self.kind != "knockout"

    def schedule(self) -> Schedule:
        """Return a new schedule of the match's games."""
        return make_schedule(
            self.kind,
            len(self.engines),
            games=_MOST_GAMES if self.until_decided else self.games,
            rounds=self.rounds,
            repeat=self.repeat,
            heroes=self.heroes,
            openings=self.openings,
        )

    def control_of(self, player: int) -> TimeControl:
        """Return the time control of an engine, by its index."""
        own = self.engines[player].control
        if own is None:
            return self.control
        return own if own.margin else replace(own, margin=self.control.margin)

    @property
    def description(self) -> str:
        """Game and time control: ``chess, 10+0.1``; of each engine if they differ."""
        controls = [str(self.control_of(player)) for player in range(len(self.engines))]
        if len(set(controls)) == 1 or len(controls) > 2:
            controls = list(dict.fromkeys(controls))
        return f"{self.game.name}, {' - '.join(controls)}"

    def to_json(self) -> dict[str, Any]:
        """Plain data that :meth:`from_json` reads; as many openings as there are games for."""
        rounds = None if self.kind == "knockout" else self.schedule().total
        paths = ("pgn_out", "journal")
        data = {
            name: getattr(self, name)
            for name in (
                "kind",
                "games",
                "rounds",
                "repeat",
                "heroes",
                "seed",
                "max_plies",
                "notation",
            )
        }
        return {
            **data,
            "game": self.game.name,
            "engines": [spec.to_json() for spec in self.engines],
            "control": vars(self.control),
            "openings": self.openings.to_json(rounds),
            "adjudication": vars(self.adjudication),
            "test": None if self.test is None else asdict(self.test),
            "variants_file": os.path.abspath(self.variants_file) if self.variants_file else "",
            "concurrency": self.concurrency,
            "patience": asdict(self.timeouts),
            "names": list(self.names),
            "folder": os.getcwd(),
            **{name: _absolute(getattr(self, name)) for name in paths},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], game: Game) -> MatchPlan:
        """Read what :meth:`to_json` makes; ``game`` is the one that it names.

        UserError says what is wrong in it.
        """
        plain = {name: value for name, value in data.items() if name not in _UNUSED}
        if "patience" in plain:
            plain["timeouts"] = plain.pop("patience")
        openings = Openings.from_json(game, plain.get("openings"))
        plan = typed.read(cls, {**plain, "game": game, "openings": openings})
        players = len(plan.engines)
        if players < 2 or not plan.heroes < players:
            raise MatchError("there is no match of these engines and openings")
        if plan.test is not None and players != 2:
            raise MatchError(f"the test is one of two engines, not {players}")
        names = plan.names
        if names and not len(set(names)) == len(names) == players:
            raise MatchError(f"the engines do not have {players} different names")
        if not "".join(names).isprintable():
            raise MatchError("an engine's name is more than a line of text")
        return plan


#: What a plan says that is read elsewhere, or that earlier versions wrote.
_UNUSED = ("folder", "prove", "control_file")


def _absolute(path: Path | None) -> str | None:
    return None if path is None else os.path.abspath(path)
