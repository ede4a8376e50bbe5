"""Convert a played game to a PGN record, and to plain data for tables."""

from __future__ import annotations

import datetime

from ryugi_engine.games.game import TIME_OVER
from ryugi_engine.games.position import Position
from ryugi_engine.match.game import PlayedGame
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.results import FinishedGame, digest
from ryugi_engine.match.schedule import GameTask
from ryugi_engine.records.pgn import Record, Step, format_record
from ryugi_engine.records.playback import first_number
from ryugi_engine.records.san import has_san, in_san

_TERMINATIONS = {
    **dict.fromkeys(TIME_OVER, "time forfeit"),
    "illegal move": "rules infraction",
    "false claim": "rules infraction",
    "crash": "abandoned",
    "stall": "abandoned",
    "resignation": "adjudication",
    "draw agreed": "adjudication",
}


#: The comment of an opening's moves.
_BOOK = "book"


def record_of(plan: MatchPlan, task: GameTask, played: PlayedGame) -> Record:
    """Return the game as a PGN record."""
    now = datetime.datetime.now()
    opening = played.opening
    root = Position(plan.game, opening.root)
    white, black = (plan.control_of(player) for player in (task.white, task.black))
    tags = {
        "Event": f"{plan.game.title} engine match",
        "Site": "?",
        "Date": now.strftime("%Y.%m.%d"),
        "Round": str(task.number),
        "White": plan.names[task.white],
        "Black": plan.names[task.black],
        "Result": played.outcome.result,
        "Variant": plan.game.name,
    }
    if opening.root != plan.game.start:
        tags |= {"SetUp": "1", "FEN": opening.root}
    if str(white) == str(black):
        tags["TimeControl"] = str(white)
    else:
        tags |= {"WhiteTimeControl": str(white), "BlackTimeControl": str(black)}
    tags["Termination"] = _TERMINATIONS.get(played.outcome.reason, "normal")
    comments = [
        f"{a.score}/{a.depth} {a.seconds:.3f}s" if a.score else f"{a.seconds:.3f}s"
        for a in played.answers
    ]
    moves = [*opening.moves, *played.moves]
    if plan.notation == "san" and has_san(plan.game):
        moves = in_san(root, moves)
    detail = f": {played.detail}" if played.detail else ""
    if comments:
        comments[-1] += f", {played.outcome.reason}{detail}"
    book = [_BOOK] * len(opening.moves)
    return Record(
        tags=tags,
        steps=[Step(*both) for both in zip(moves, [*book, *comments], strict=True)],
        result=played.outcome.result,
        comment="" if comments else played.outcome.reason + detail,
        white_first=root.side == 0,
        first_number=first_number(root),
    )


def finished(plan: MatchPlan, task: GameTask, played: PlayedGame, seconds: float) -> FinishedGame:
    """Return the game as tables, journal and report read it.

    ``seconds`` is the time since the match began.
    """
    return FinishedGame(
        number=task.number,
        round=task.round,
        pair=task.pair,
        white=plan.names[task.white],
        black=plan.names[task.black],
        result=played.outcome.result,
        reason=played.outcome.reason,
        opening=played.opening.text,
        plies=len(played.moves),
        seconds=round(seconds, 3),
        record=format_record(record_of(plan, task, played)),
        line=digest(" ".join([played.opening.root, *played.opening.moves, *played.moves])),
    )
