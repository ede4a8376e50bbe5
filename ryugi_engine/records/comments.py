"""Parse the data in comments: evaluations, times, arrows.

Evaluations and clocks are read in annotation.py. ``[%emt 0:00:12]`` is the time that a move took.
``[%cal Ge2e4]`` and ``[%csl Rd5]`` are arrows and marked squares of ChessBase and lichess.
``+0.35/12 1.5s`` is what matches of engines write after a move, from its player's side: score,
depth, seconds. ``+0.35/12 5`` and ``+0.35/12 1:05`` are XBoard's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ryugi_engine.records.annotation import clock_in, evaluation_in, prose, without_diagram

_COMMAND = re.compile(r"\[%(\w++)\s*+([^][]*+)\]")
_ENGINE = re.compile(
    r"(?<!\S)(?:(?P<mate>[+-]?)M(?P<moves>\d{1,5})|(?P<pawns>[+-]?\d{1,6}\.\d\d))/\d+"
    r"(?: (?P<seconds>\d{1,7}(?:\.\d+)?)s"
    r"| (?:(?P<minutes>\d{1,5}):)?(?P<bare>\d{1,7}(?:\.\d+)?)(?=[,;]|$))?(?=[,;\s]|$)"
)
_SECONDS = re.compile(r"(?P<seconds>\d{1,7}\.\d+)s(?=[,;\s]|$)")
_CLOCK = re.compile(r"(\d{1,5}):(\d{1,2}):(\d{1,2}(?:\.\d+)?)")
_SQUARE = "([a-z]{1,2}[0-9]{1,2})"
#: Data, and what the engine says after them: which move was better, a turn that was lost.
_DATA = r"(?:\[%\w++ [^][]*+\]\s*+)"
_SENTENCE = r"(?:(?:(?:Inaccuracy|Mistake|Blunder)\. )?+\S++ was best\.|turn lost on time)(?!\S)"
_BEGUN = re.compile(rf"{_DATA}*+{_SENTENCE}\s*+{_DATA}*+")
_SAID = re.compile(_SENTENCE)
#: How it says that the game has ended, at the end of the last comment.
_ENDED = re.compile(r"(?<!\S)(?:1-0|0-1|1/2-1/2) by [\w -]{1,40}\Z")
#: What ``cal`` and ``csl`` list: arrows, and marked squares.
_SHAPES = {
    "cal": re.compile(f"([GRYB]){_SQUARE}{_SQUARE}"),
    "csl": re.compile(f"([GRYB]){_SQUARE}"),
}


@dataclass
class Remark:
    """A parsed comment. Scores are from White's side, in centipawns or in moves to mate."""

    #: What its author says.
    text: str = ""
    centipawns: int | None = None
    mate: int | None = None
    #: Seconds: left on the mover's clock, spent on the move.
    clock: float | None = None
    spent: float | None = None
    #: Colour (one of GRYB) and squares: from where to where, or one square.
    arrows: list[tuple[str, list[str]]] = field(default_factory=list)
    #: What the engine says: which move was better, how the game has ended.
    said: str = ""
    #: Score and time as the engine that moved reported them.
    engine_text: str = field(default="", compare=False)


def apart(comment: str) -> tuple[str, str, str]:
    """Return the engine's words before the author's, the author's, and the engine's after them.

    Data go with words that they stand at, not alone.
    """
    begun, ended = _BEGUN.match(comment), _ENDED.search(comment)
    start, end = (
        begun.end() if begun and _is_said(begun.group()) else 0,
        ended.start() if ended else len(comment),
    )
    return comment[:start].strip(), comment[start : max(start, end)].strip(), comment[end:]


def _is_said(comment: str) -> bool:
    """Return whether a sentence of :data:`_SAID` is the engine's: an evaluation stands at it."""
    return "[%eval " in comment or comment.startswith("turn ")


def with_words(comment: str, words: str) -> str:
    """Return a comment with other words of its author; data and the engine's words stay."""
    before, own, after = apart(comment)
    data = [match.group() for match in _COMMAND.finditer(own)]
    return " ".join(filter(None, (before, *data, read_remark(own, 0).engine_text, words, after)))


def read_remark(comment: str, side: int | None) -> Remark:
    """Parse the comment after a move of ``side``: 0 White, 1 Black, None before the first move.

    Unknown data stay in the text.
    """
    if not comment:
        return Remark()
    remark = Remark(clock=clock_in(comment))
    evaluation = evaluation_in(comment)
    if evaluation is not None and evaluation.mate is not None:
        remark.mate = evaluation.mate
    elif evaluation is not None:
        remark.centipawns = evaluation.centipawns

    def taken(match: re.Match[str]) -> str:
        name, value = match.group(1).lower(), match.group(2).strip()
        return "" if _command(remark, name, value) else match.group()

    text = _COMMAND.sub(taken, prose(without_diagram(comment)))
    text = text.strip()
    begun, ended = _SAID.match(text), _ENDED.search(text)
    if begun is not None and _is_said(comment):
        remark.said, text = begun.group(), text[begun.end() :].strip()
    if ended is not None:
        remark.said = f"{remark.said} {ended.group()}".strip()
        text = text.removesuffix(ended.group()).strip()
    # what engines say stands in front, or with its seconds after words that were added
    match = _ENGINE.match(text) or _SECONDS.match(text)
    match = match or next((one for one in _ENGINE.finditer(text) if _surely(one)), None)
    if side is not None and match is not None:
        remark.engine_text = match.group()
        text = text[: match.start()] + text[match.end() :].removeprefix(",")
        _read_engine_comment(remark, match.groupdict(), -1 if side else 1)
    remark.text = " ".join(text.split())
    return remark


def _surely(match: re.Match[str]) -> bool:
    """Return whether a score is an engine's: it has a time, or a sign and nothing after it."""
    timed = match["seconds"] or match["bare"]
    return bool(timed) or (match.group()[0] in "+-" and match.end() == len(match.string))


def _read_engine_comment(remark: Remark, fields: dict[str, str | None], sign: int) -> None:
    seconds = fields.get("seconds") or fields.get("bare")
    if seconds:
        remark.spent = float(seconds) + 60 * int(fields.get("minutes") or 0)
    if remark.centipawns is not None or remark.mate is not None:
        return
    if fields.get("moves"):
        remark.mate = sign * int(f"{fields['mate']}{fields['moves']}")
    elif fields.get("pawns"):
        remark.centipawns = sign * round(float(fields["pawns"] or 0) * 100)


def _command(remark: Remark, name: str, value: str) -> bool:
    """Take a command in; whether it was one."""
    if name == "emt" and (clock := _CLOCK.fullmatch(value)):
        remark.spent = int(clock[1]) * 3600 + int(clock[2]) * 60 + float(clock[3])
        return True
    if shape := _SHAPES.get(name):
        results = [shape.fullmatch(word.strip()) for word in value.split(",")]
        if all(results):
            remark.arrows += [(m[1], list(m.groups()[1:])) for m in results if m]
            return True
    return False
