"""Game records: PGN for every game, written strictly and read leniently.

Source: S. J. Edwards, "Portable Game Notation Specification", 1994; ``Variant`` is the tag that
XBoard and Cute Chess write. Reading begins in pgn_text.py; what the moves mean on a board is
playback.py's.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ryugi_engine.errors import UserError
from ryugi_engine.files import reading
from ryugi_engine.records.comments import apart
from ryugi_engine.records.encoding import decoded, legible
from ryugi_engine.records.formats import foreign_format
from ryugi_engine.records.pgn_text import GameText, MoveText, TooMuch, games_of
from ryugi_engine.records.pgn_tokens import Places, Token, unquoted, words_of
from ryugi_engine.text.plain_text import is_writable

_WIDTH = 80
UNFINISHED = "*"
#: Games of a file; pgn_text.py has the bounds of what is in them.
MAX_GAMES = 20_000
#: The tags that a record begins with, in this order; others follow.
_FIRST_TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Result", "Variant")


class RecordError(UserError):
    """A fault of a record's text: line and column from 1, and what is wrong there."""

    def __init__(self, line: int, column: int, reason: str) -> None:
        super().__init__(f"{line}:{column}: {reason}")
        self.line, self.column, self.reason = line, column, reason


@contextlib.contextmanager
def in_file(path: Path) -> Iterator[None]:
    """Turn a RecordError of the block into a UserError that names the file."""
    try:
        yield
    except RecordError as error:
        raise UserError(f"{path}:{error}") from None


@dataclass(slots=True)
class Step:
    """A move with its comment, glyphs and variations."""

    #: As written; in the engine's notation where a Playback has read it.
    move: str
    comment: str = ""
    #: Other moves in this one's place, each with what follows it.
    variations: list[list[Step]] = field(default_factory=list)
    #: Line and column of the text, (0, 0) for a step that was never read.
    place: tuple[int, int] = (0, 0)
    #: Numeric annotation glyphs, ``$4`` being a blunder; ``!`` and the like are among them.
    glyphs: list[int] = field(default_factory=list)
    #: What stands before the move, where that is a variation's first.
    before: str = ""
    #: The move in SAN, to be shown, and as it is written in the record, where they are known.
    san: str = ""
    written: str = ""
    #: The engine's code of the move, where a Playback has read it.
    code: int = 0


@dataclass
class Record:
    """A game as written: tags in order, steps, result."""

    tags: dict[str, str]
    steps: list[Step] = field(default_factory=list)
    result: str = UNFINISHED
    #: What stands before the first move.
    comment: str = ""
    white_first: bool = True
    first_number: int = 1
    #: Where each tag stood, and the game's beginning as "".
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    #: Offsets of its first token and the end of its last one in the text.
    span: tuple[int, int] = (0, 0)
    #: What is wrong with it, in the text or by the rules. Such a game is shown as far as it can be
    #: read, and not changed.
    faults: list[RecordError] = field(default_factory=list)

    def place(self, tag: str = "") -> tuple[int, int]:
        """Return line and column of a tag, or of the game's first line if the tag is missing."""
        return self.places.get(tag) or self.places.get("", (1, 1))

    def variations(self) -> list[tuple[tuple[int, ...], list[Step]]]:
        """Yield every variation with the path to it, in the order of the text.

        A way is ply, number of the variation there, ply in it, and so on.
        """
        results: list[tuple[tuple[int, ...], list[Step]]] = []

        def walk(steps: Sequence[Step], way: tuple[int, ...]) -> None:
            for ply, step in enumerate(steps):
                for number, variation in enumerate(step.variations):
                    here = (*way, ply, number)
                    results.append((here, variation))
                    walk(variation, here)

        walk(self.steps, ())
        return results


def score_text(centipawns: int, mate: int | None) -> str:
    """Return a score in a record's notation: ``+0.44``, ``+M5`` for a mate in five."""
    if mate is None:
        return f"{centipawns / 100:+.2f}"
    return f"{'+' if mate > 0 else '-'}M{abs(mate)}"


# ---- writing ----------------------------------------------------------------------------------


_UNREADABLE = "\N{REPLACEMENT CHARACTER}"
_WORD = re.compile(r"\[%\w+ [^][\s]+\](?=\s|$)|\S+")


def _readable(text: str) -> str:
    """Return the text without control characters and lone surrogates."""
    if text.isprintable():
        return text
    return "".join(letter if is_writable(letter) else _UNREADABLE for letter in text)


def _quoted(text: str) -> str:
    """Return a tag's value escaped for quotation marks."""
    text = _readable(text)
    return " ".join(text.replace("\\", "\\\\").replace('"', '\\"').split())


def _braced(comment: str) -> list[str]:
    """Return a comment in braces as words to wrap; ``[%eval 0.35]`` is one word."""
    words = _WORD.findall(_readable(comment).replace("}", ")"))
    if words:
        words[0] = "{" + words[0]
        words[-1] += "}"
    return words


def _movetext(
    steps: Sequence[Step], number: int, white: bool, numbered: bool = False
) -> Iterator[str]:
    """Return the words of a line of moves; ``numbered``: Black's first move needs no number."""
    for step in steps:
        yield from _braced(step.before)
        if white or not numbered:
            yield f"{number}." if white else f"{number}..."
        numbered = True
        yield step.written or step.move
        yield from (f"${glyph}" for glyph in step.glyphs)
        for comment in apart(step.comment):
            yield from _braced(comment)
        for variation in step.variations:
            words = list(_movetext(variation, number, white))
            words[0] = "(" + words[0]
            words[-1] += ")"
            yield from words
            numbered = False
        number += not white
        white = not white


def format_record(record: Record) -> str:
    """Return the game as PGN, movetext wrapped at 80 columns, a blank line at the end."""
    given = {**record.tags, "Result": record.result}
    tags = {name: given[name] for name in _FIRST_TAGS if name in given} | given
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
    words = [word for comment in apart(record.comment) for word in _braced(comment)]
    words += _movetext(record.steps, record.first_number, record.white_first)
    words.append(record.result)
    lines.append("")
    line = ""
    for word in words:
        # "%" in the first column would begin a line that readers skip
        if line and len(line) + 1 + len(word) > _WIDTH and not word.startswith("%"):
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    lines += [line, "", ""]
    return "\n".join(lines)


# ---- reading ----------------------------------------------------------------------------------

_RESULTS = {"1": "1-0", "0": "0-1", "½": "1/2-1/2", "*": UNFINISHED}


class _Reader:
    """Makes records of the games of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = Places(text)

    def records(self) -> list[Record]:
        """Return all games; RecordError for a text that has too much of something."""
        records: list[Record] = []
        try:
            for game in games_of(self._text):
                if len(records) == MAX_GAMES:
                    raise TooMuch(game.start, f"more than {MAX_GAMES} games in one file")
                records.append(self._record(game))
        except TooMuch as error:
            raise RecordError(*self._place(error.offset), error.reason) from None
        return records

    def _record(self, game: GameText) -> Record:
        record = Record({}, span=(game.start, game.end))
        for tag in game.tags:
            record.tags[tag.name] = unquoted(self._text[slice(*tag.inner)])
            record.places[tag.name] = self._place(tag.start)
        record.places.setdefault("", self._place(game.tags[0].start if game.tags else game.start))
        record.comment = self._words(game.preface.comments)
        record.steps = self._steps(game.moves)
        record.result = _result_of(self._text, game)
        record.faults = [RecordError(*self._place(at), reason) for at, reason in game.faults]
        return record

    def _steps(self, moves: Sequence[MoveText]) -> list[Step]:
        steps = []
        for move in moves:
            step = Step(legible(move.word), self._words(move.comments))
            step.place, step.before = self._place(move.offset), self._words(move.before)
            step.glyphs = list(dict.fromkeys(move.glyphs))
            step.variations = [self._steps(line) for line in move.variations]
            steps.append(step)
        return steps

    def _words(self, comments: Sequence[Token]) -> str:
        words = (words_of(self._text, comment) for comment in comments)
        return " ".join(filter(None, words))


def _result_of(text: str, game: GameText) -> str:
    """Return the result after a game's moves; without one, that of the tag Result."""
    word = text[slice(*game.result)]
    if not word:
        tags = {tag.name: text[slice(*tag.inner)].strip() for tag in game.tags}
        word = tags.get("Result", UNFINISHED)
    word = word.replace("–", "-")
    known = word in (*_RESULTS.values(), "1/2", "½", "½-½")
    return _RESULTS["½" if known and "2" in word else word[0]] if known else UNFINISHED


def parse_records(text: str) -> list[Record]:
    """Return the games of a text; each record has its own faults.

    RecordError only for more games, moves or tokens than a file may have.
    """
    return _Reader(text).records()


def read_records(path: Path, raw: bytes | None = None) -> list[Record]:
    """Return the games of a file; ``raw`` is its content if it was read already.

    UserError names the file; a file without a game is a fault.
    """
    if raw is None:
        with reading.naming(path):
            raw = reading.read_bytes(path, reading.MAX_RECORDS)
    text = decoded(path, raw)
    with in_file(path):
        other = foreign_format(raw)
        if other:
            raise RecordError(1, 1, f"this file is {other}, and only PGN is read")
        records = parse_records(text)
        if not records:
            raise RecordError(1, 1, "there is no game in the file")
    return records
