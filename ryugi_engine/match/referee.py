"""The referee's part besides the rules: faults, and early ends by adjudication."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import AGREED_DRAW, Game, Outcome, resignation
from ryugi_engine.games.notation import parse_counter

if TYPE_CHECKING:
    from ryugi_engine.match.engine import Answer

__all__ = ["FAULTS", "NEVER", "WINS", "Adjudication", "TimeControl"]

#: The result where White, and where Black wins.
WINS = ("1-0", "0-1")
#: Reasons that end a game by fault of an engine.
FAULTS = ("illegal move", "time forfeit", "crash", "stall", "false claim")
#: The limits of --resign and --draw.
_MOST_MOVES, _MOST_CENTIPAWNS = 10_000, 100_000


@dataclass(frozen=True)
class Adjudication:
    """Adjudication rules: when a game is ended early by the engines' scores.

    A side resigns when its score is ``resign_score`` centipawns below zero for ``resign_moves`` of
    its moves in a row. With ``resign_both`` the other side's score must agree. A draw is agreed
    when both scores are within ``draw_score`` for ``draw_moves`` moves each, from move
    ``draw_from`` on. Games without draws have none. With 0 moves the rule is off.
    """

    resign_moves: Annotated[int, 0, _MOST_MOVES] = 0
    resign_score: Annotated[int, 0, _MOST_CENTIPAWNS] = 0
    draw_moves: Annotated[int, 0, _MOST_MOVES] = 0
    draw_score: Annotated[int, 0, _MOST_CENTIPAWNS] = 0
    draw_from: Annotated[int, 0, _MOST_MOVES] = 0
    resign_both: bool = False

    @classmethod
    def read(cls, resign: str, draw: str) -> Adjudication:
        """Parse ``4:800`` or ``4:800:both``, and ``8:10`` or ``8:10:40``; "" means never.

        UserError if it is not like that.
        """
        resign, colon, both = resign.partition(":both")
        if colon and both:
            raise UserError(f"--resign: '{both[:40]}' after 'both'")
        like = "4:800 or 4:800:both (moves:centipawns)"
        moves, score, _rest = _moves_and_score("--resign", resign, like, 2)
        like = "4:800 or 4:800:40 (moves:centipawns:from move)"
        draw_moves, draw_score, draw_from = _moves_and_score("--draw", draw, like, 3)
        return cls(moves, score, draw_moves, draw_score, draw_from, bool(colon))

    def outcome(
        self, game: Game, answers: Sequence[tuple[int, Answer]], quiet: int | None = None
    ) -> Outcome | None:
        """Return the adjudicated result by all answers so far, each with its side; None if none.

        ``quiet``: how many of them came since a capture or a pawn's move, after which the count
        for a draw begins again; None: all.
        """
        if self.resign_moves and answers:
            side = answers[-1][0]
            if self._all(answers, side, lambda score: score <= -self.resign_score) and (
                not self.resign_both
                or self._all(answers, 1 - side, lambda score: score >= self.resign_score)
            ):
                return resignation(side)
        due = 2 * self.draw_moves
        if due and game.draws and len(answers) >= 2 * self.draw_from:
            last = [answer for _who, answer in answers[-due:]]
            if (
                len(last) == due
                and (quiet is None or quiet >= due)
                and all(
                    answer.centipawns is not None and abs(answer.centipawns) <= self.draw_score
                    for answer in last
                )
            ):
                return AGREED_DRAW
        return None

    def _all(self, answers: Sequence[tuple[int, Answer]], side: int, holds: Any) -> bool:
        """Return whether the scores of a side's last moves all satisfy a condition."""
        last = [answer for who, answer in answers if who == side][-self.resign_moves :]
        return len(last) == self.resign_moves and all(
            answer.centipawns is not None and holds(answer.centipawns) for answer in last
        )


NEVER = Adjudication()


def _moves_and_score(option: str, text: str, like: str, most: int) -> tuple[int, int, int]:
    """Parse ``4:800`` (moves:centipawns); UserError names the option if it is malformed."""
    if not text:
        return 0, 0, 0
    fields = text.split(":")
    if (
        not 2 <= len(fields) <= most
        or not all(field.isdigit() for field in fields)
        or not fields[0].strip("0")
    ):
        raise UserError(f"{option}: '{text[:40]}' is not like {like}")
    message = f"{option}: '{text[:40]}'"
    moves = parse_counter(fields[0], f"{message}: moves", _MOST_MOVES)
    score = parse_counter(fields[1], f"{message}: centipawns", _MOST_CENTIPAWNS)
    begin = parse_counter(fields[2], f"{message}: from move", _MOST_MOVES) if len(fields) > 2 else 0
    return moves, score, begin
