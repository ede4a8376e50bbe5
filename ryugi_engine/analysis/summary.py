"""Summary of an analysis by player: a table for people, JSON data for programs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ryugi_engine.analysis.judgement import MoveJudgement
from ryugi_engine.games.game import NAMES

_HEAD = (
    *("Game", "Side", "Player", "Moves", "Loss", "Accuracy"),
    *("Inaccuracies", "Mistakes", "Blunders"),
)
#: Letters of a player's name that a table has room for.
_NAME = 24


@dataclass
class Play:
    """Statistics of a side in one game or several: losses, verdicts, accuracy."""

    player: str
    #: 0 White, 1 Black; None for games with both.
    side: int | None
    moves: int = 0
    #: Centipawns, in all moves together.
    loss: int = 0
    #: From 0 to 100, None without a move.
    accuracy: float | None = None
    verdicts: Counter[MoveJudgement] = field(default_factory=Counter)

    @property
    def average_loss(self) -> float | None:
        """Mean loss of a move in centipawns; None without moves."""
        return self.loss / self.moves if self.moves else None

    def data(self) -> dict[str, Any]:
        """Return it as plain data for JSON."""
        loss, accuracy = self.average_loss, self.accuracy
        data: dict[str, Any] = {"player": self.player}
        if self.side is not None:
            data["side"] = NAMES[self.side].lower()
        return data | {
            "moves": self.moves,
            "average_centipawn_loss": None if loss is None else round(loss, 1),
            "accuracy": None if accuracy is None else round(accuracy, 1),
            "inaccuracies": self.verdicts[MoveJudgement.INACCURACY],
            "mistakes": self.verdicts[MoveJudgement.MISTAKE],
            "blunders": self.verdicts[MoveJudgement.BLUNDER],
        }

    def cells(self, game: str) -> tuple[str, ...]:
        """Return the cells of a line of the table."""
        loss, accuracy = self.average_loss, self.accuracy
        return (
            game,
            "" if self.side is None else NAMES[self.side],
            self.player[:_NAME],
            str(self.moves),
            "-" if loss is None else str(math.floor(loss + 0.5)),
            "-" if accuracy is None else f"{accuracy:.1f}",
            *(str(self.verdicts[verdict]) for verdict in MoveJudgement),
        )


@dataclass(frozen=True)
class GameSummary:
    """A game's number in its file, and the statistics of both sides."""

    number: int
    variant: str
    result: str
    plays: Sequence[Play]


def together(games: Iterable[GameSummary]) -> list[Play]:
    """Return the players in the order of their first games, each with all games combined."""
    players: dict[str, Play] = {}
    for game in games:
        for play in game.plays:
            whole = players.setdefault(play.player, Play(play.player, None))
            if play.accuracy is not None:
                before = (whole.accuracy or 0.0) * whole.moves
                whole.accuracy = (before + play.accuracy * play.moves) / (whole.moves + play.moves)
            whole.moves += play.moves
            whole.loss += play.loss
            whole.verdicts += play.verdicts
    return list(players.values())


def table(games: Sequence[GameSummary]) -> list[str]:
    """Return the lines of the table: one a side, then one a player with several games."""
    rows: list[tuple[str, ...]] = [_HEAD]
    for game in games:
        rows += [play.cells(str(game.number)) for play in game.plays]
    if len(games) > 1:
        rows += [play.cells("all") for play in together(games)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if column in (1, 2) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def data(games: Sequence[GameSummary]) -> dict[str, Any]:
    """Return the table as plain data for JSON."""
    return {
        "games": [
            {
                "game": game.number,
                "variant": game.variant,
                "result": game.result,
                "sides": [play.data() for play in game.plays],
            }
            for game in games
        ],
        "players": [play.data() for play in together(games)],
    }
