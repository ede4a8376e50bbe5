"""Begin, continue, take back and end a recorded game."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import AGREED_DRAW, TIME_OVER, Game, IllegalMove, Outcome, resignation
from ryugi_engine.games.position import Position
from ryugi_engine.records.pgn import UNFINISHED, Record, Step
from ryugi_engine.records.playback import Playback

_RESIGN, _DRAW = "resign", "draw"


def begin(game: Game, tags: dict[str, str], fen: str | None) -> Record:
    """Return the record of a new game; UserError for an illegal or finished start position."""
    given = {
        "Event": "?",
        "Site": "?",
        "Date": datetime.datetime.now().strftime("%Y.%m.%d"),
        "Round": "-",
        "White": "?",
        "Black": "?",
        "Result": UNFINISHED,
        "Variant": game.name,
    }
    record = Record(given | tags)
    position = Position(game, fen)
    if position.outcome() is not None:
        raise UserError("the game is over in this position")
    if position.text() != game.start:
        record.tags |= {"SetUp": "1", "FEN": position.text()}
    record.tags.setdefault("TimeControl", "-")
    record.tags["Termination"] = "unterminated"
    return record


def _said_last(record: Record) -> Step | Record:
    """Return what holds the last comment of a record."""
    return record.steps[-1] if record.steps else record


def _words(outcome: Outcome) -> str:
    """Return an end of a game as a comment has it."""
    plain = outcome.reason in ("", "normal")
    return outcome.result if plain else f"{outcome.result} by {outcome.reason}"


def end(record: Record, outcome: Outcome) -> None:
    """Write an outcome into a record: result, tags and comment."""
    record.result = outcome.result
    record.tags["Termination"] = "time forfeit" if outcome.reason in TIME_OVER else "normal"
    last = _said_last(record)
    last.comment = f"{last.comment} {_words(outcome)}".strip()


def _take_back_end(playback: Playback) -> None:
    """Remove the words of an end outside the rules from the last comment."""
    last, position = _said_last(playback.record), playback.position
    timeouts = position.time_over(0), position.time_over(1)
    resignations = resignation(0), resignation(1)
    for outcome in (*resignations, *timeouts, AGREED_DRAW, position.claim()):
        if outcome is not None and outcome.result == playback.record.result:
            begin, result, end = last.comment.rpartition(_words(outcome))
            if result and not end and begin[-1:] in ("", " "):
                last.comment = begin.rstrip()


def add_moves(playback: Playback, moves: Sequence[str], comment: str = "") -> None:
    """Play moves; the last of them may be ``resign`` or ``draw``.

    UserError for a finished game or a move that is not legal.
    """
    record, position = playback.record, playback.position
    for word in moves:
        if playback.outcome() is not None:
            raise UserError(f"the game is over: {playback.status()}")
        if word.lower() == _RESIGN:
            end(record, resignation(position.side))
        elif word.lower() == _DRAW:
            claim = position.claim()
            if claim is None and not playback.game.draws:
                raise UserError(f"{playback.game.title} has no draws")
            end(record, claim or AGREED_DRAW)
        else:
            play(playback, word)
            outcome = position.outcome()
            if outcome is not None:
                end(record, outcome)
    if comment and record.steps:
        step = record.steps[-1]
        step.comment = f"{comment} {step.comment}".strip()


def play(playback: Playback, move: str) -> None:
    """Play a move where the playback stands; UserError says why it is illegal."""
    try:
        playback.branch([move])
    except IllegalMove:
        position = playback.position
        who, why = playback.game.sides[position.side], position.objection(move)
        raise UserError(f"{who} cannot play '{move[:40]}': {why}") from None


def lose_turn(playback: Playback) -> None:
    """Play the pass of a side whose time is over, at the end of the game; see Game.timeout_pass."""
    position = playback.position
    code = playback.game.timeout_pass
    move = position.move_text(code)
    step = Step(move, comment="turn lost on time", san=move, written=move, code=code)
    position.push(code)
    playback.record.steps.append(step)
    outcome = position.outcome()
    if outcome is not None:
        end(playback.record, outcome)


def undo(playback: Playback) -> str:
    """Take back a resignation or an agreed draw, else the last move; return what was taken back."""
    record = playback.record
    by_rules = playback.position.outcome() is not None
    if record.result != UNFINISHED and not by_rules:
        taken = record.result
    elif not record.steps:
        raise UserError("there is no move to take back")
    elif record.steps[-1].variations:
        raise UserError("the last move has variations, which would be lost")
    else:
        taken = record.steps.pop().san
        playback.to(len(record.steps))
    if record.result != UNFINISHED:
        if not by_rules:
            _take_back_end(playback)
        record.result = UNFINISHED
        if "Termination" in record.tags:
            record.tags["Termination"] = "unterminated"
    return taken


def add_variation(playback: Playback, moves: Sequence[str]) -> None:
    """Add a variation from the present position; see Playback.branch."""
    if playback.at_end:
        raise UserError("the board stands at the end: 'record add' goes on there")
    playback.branch(moves)
