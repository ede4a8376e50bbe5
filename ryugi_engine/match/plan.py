"""Everything that fixes a match, from words and back from a journal."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.match.engine import Patience
from ryugi_engine.match.referee import NEVER, Adjudication
from ryugi_engine.match.schedule import KINDS, Schedule, make_schedule
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.sprt import Sprt
from ryugi_engine.match.timecontrol import TimeControl


class MatchError(UserError):
    """Why a match cannot be played, in one line."""


@dataclass(frozen=True)
class MatchPlan:
    """Everything that fixes a match's games, and how they are played."""

    game: Game
    engines: Sequence[EngineSpec]
    control: TimeControl
    #: Position texts, in the order in which pairs of games begin with them.
    openings: Sequence[str]
    kind: str = KINDS[0]
    games: int | None = None
    rounds: int | None = None
    #: How often a pairing plays an opening.
    repeat: int = 2
    #: The engines of a gauntlet that meet all others.
    heroes: int = 1
    seed: int = 0
    max_plies: int = 1000
    #: Nodes of a search for a proof behind each move; 0: none.
    prove: int = 0
    adjudication: Adjudication = NEVER
    #: Ends a match of two engines when it has found out what it asks.
    test: Sprt | None = None
    variants_file: str = ""
    pgn_out: Path | None = None
    journal: Path | None = None
    control_file: Path | None = None
    concurrency: int = 1
    patience: Patience = field(default_factory=Patience)
    #: What the engines are called, once that is known; different from one another.
    names: Sequence[str] = ()

    def schedule(self) -> Schedule:
        """The match's games."""
        return make_schedule(
            self.kind,
            len(self.engines),
            games=self.games,
            rounds=self.rounds,
            repeat=self.repeat,
            heroes=self.heroes,
            openings=self.openings,
            seed=self.seed,
        )

    def control_of(self, player: int) -> TimeControl:
        """The time control of an engine, by its index."""
        own = self.engines[player].control
        if own is None:
            return self.control
        return own if own.margin else replace(own, margin=self.control.margin)

    def to_json(self) -> dict[str, Any]:
        """Plain data that :meth:`from_json` reads; as many openings as there are games for."""
        pairs = self.schedule().total // max(1, self.repeat) + 1
        paths = ("pgn_out", "journal", "control_file")
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
                "prove",
            )
        }
        return {
            **data,
            "game": self.game.name,
            "engines": [spec.to_json() for spec in self.engines],
            "control": vars(self.control),
            "openings": list(self.openings)[: pairs if self.kind != "knockout" else None],
            "adjudication": vars(self.adjudication),
            "test": None if self.test is None else asdict(self.test),
            "variants_file": os.path.abspath(self.variants_file) if self.variants_file else "",
            "concurrency": self.concurrency,
            "patience": asdict(self.patience),
            "names": list(self.names),
            "folder": os.getcwd(),
            **{name: _absolute(getattr(self, name)) for name in paths},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], game: Game) -> MatchPlan:
        """From :meth:`to_json`; the game is found by whoever reads it."""
        paths = ("pgn_out", "journal", "control_file")
        made: dict[str, Any] = {
            "game": game,
            "engines": [EngineSpec.from_json(spec) for spec in data["engines"]],
            "control": TimeControl(**data["control"]),
            "adjudication": Adjudication(**data["adjudication"]),
            "patience": Patience(**data["patience"]),
            "test": None if data["test"] is None else Sprt(**data["test"]),
            **{name: _path(data[name]) for name in paths},
        }
        plain = {name: data[name] for name in cls.__dataclass_fields__ if name not in made}
        return cls(**made, **plain)


def _absolute(path: Path | None) -> str | None:
    return None if path is None else os.path.abspath(path)


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)
