"""Game records: PGN with moves in the engine's notation, for every game.

Source: S. J. Edwards, "Portable Game Notation Specification", 1994; ``Variant`` is the tag that
XBoard and Cute Chess write. Moves are written in the engine's notation, and read in SAN too
(san.py). Here is the text; what the moves mean on a board is playback.py's.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ryugi_engine import files
from ryugi_engine.errors import UserError
from ryugi_engine.games.notation import MAX_MOVE_NUMBER
from ryugi_engine.records.annotation import SIGNS

WIDTH = 80
UNFINISHED = "*"
#: How many variations may stand in one another.
MAX_NESTING = 100
#: Games and moves of a file, tags of a game: without bounds a small file could fill the memory.
MAX_GAMES, MAX_MOVES, MAX_TAGS = 20_000, 1_000_000, 1000
#: The highest move number: the highest that a game can begin with, and all of a file's moves.
_LAST_NUMBER = MAX_MOVE_NUMBER + MAX_MOVES
#: The tags that a record begins with, in this order; others follow.
_FIRST_TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Result", "Variant")


class RecordError(UserError):
    """A fault of a record's text: line and column from 1, and what is wrong there."""

    def __init__(self, line: int, column: int, reason: str) -> None:
        super().__init__(f"{line}:{column}: {reason}")


@contextlib.contextmanager
def in_file(path: Path) -> Iterator[None]:
    """Turn a RecordError of the block into a UserError that names the file."""
    try:
        yield
    except RecordError as error:
        raise UserError(f"{path}:{error}") from None


@dataclass(slots=True)
class Step:
    """A move, with what stands behind it."""

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
    #: Offset of the move in the text; -1 for a step that was never read.
    offset: int = -1
    #: The move in SAN, to be shown, and in the record's notation, where they are known.
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
    #: Where each tag stood, and the result as "".
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    #: Offsets of its first token and the end of its last one in the text.
    span: tuple[int, int] = (0, 0)

    def place(self, tag: str = "") -> tuple[int, int]:
        """Return line and column of a tag or the result; of the beginning if it is missing."""
        return self.places.get(tag, (1, 1))

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
    return "".join(c if c.isprintable() or c.isspace() else _UNREADABLE for c in text)


def quoted(text: str) -> str:
    """Return a tag's value escaped for quotation marks."""
    text = _readable(text)
    return " ".join(text.replace("\\", "\\\\").replace('"', '\\"').split())


def braced(comment: str) -> list[str]:
    """Return the words of a comment in braces; a command such as ``[%eval 0.35]`` is one word."""
    words = _WORD.findall(_readable(comment).replace("}", ")"))
    if words:
        words[0] = "{" + words[0]
        words[-1] += "}"
    return words


def movetext(
    steps: Sequence[Step], number: int, white: bool, numbered: bool = False
) -> Iterator[str]:
    """Return the words of a line; ``numbered`` if Black's first move needs no number."""
    for step in steps:
        yield from braced(step.before)
        if white or not numbered:
            yield f"{number}." if white else f"{number}..."
        numbered = True
        yield step.written or step.move
        yield from (f"${glyph}" for glyph in step.glyphs)
        yield from braced(step.comment)
        for variation in step.variations:
            yield from in_parentheses(variation, number, white)
            numbered = False
        number += not white
        white = not white


def in_parentheses(variation: Sequence[Step], number: int, white: bool) -> list[str]:
    """Return the words of a variation."""
    words = list(movetext(variation, number, white))
    words[0] = "(" + words[0]
    words[-1] += ")"
    return words


def format_record(record: Record) -> str:
    """Return the game as PGN, movetext wrapped at 80 columns, a blank line at the end."""
    given = {**record.tags, "Result": record.result}
    tags = {name: given[name] for name in _FIRST_TAGS if name in given} | given
    lines = [f'[{name} "{quoted(value)}"]' for name, value in tags.items()]
    words = braced(record.comment)
    words += movetext(record.steps, record.first_number, record.white_first)
    words.append(record.result)
    lines.append("")
    line = ""
    for word in words:
        # "%" in the first column would begin a line that readers skip
        if line and len(line) + 1 + len(word) > WIDTH and not word.startswith("%"):
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    lines += [line, "", ""]
    return "\n".join(lines)


# ---- reading ----------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<line>;[^\r\n]*)
      | (?P<comment>\{[^}]*\})
      | (?P<tag>\[\s*(?P<name>\w+)\s+
            "(?P<value>[^"\\\n]*+(?:\\.[^"\\\n]*+)*+)"\s*\])
      | (?P<open>\()
      | (?P<close>\))
      | (?P<glyph>\$[0-9]{1,3}|[!?]{1,2}(?![!?]))
      | (?P<result>(?:1-0|0-1|1/2-1/2|\*)(?=[\s)\[{;]|$))
      | (?P<move>(?:\+?[A-Za-z@]|0000|0-0)[^\s(){}\[\];"$]*)
      | (?P<number>[0-9]+(?:\.+|(?=\s)))
    """,
    re.VERBOSE,
)
_GLYPHS = {sign: glyph for glyph, sign in SIGNS.items()}
_NEEDS = {
    "{": "a comment without its '}'",
    "[": 'a tag is like [Name "value"]',
    "}": "a '}' without its '{'",
}


def unquoted(value: str) -> str:
    """Return a tag's value: PGN escapes only quotation marks and backslashes."""
    return re.sub(r'\\(["\\])', r"\1", value)


def glyph_of(text: str) -> int | None:
    """Return the number of ``$4`` or ``??``; None for undefined signs."""
    return int(text[1:]) if text.startswith("$") else _GLYPHS.get(text)


class _Reader:
    """Reads the games of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._seen = (0, 1, 0)  # an offset, its line from 1, and where that line begins

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1. Fast if asked in the order of the text."""
        seen, line, start = self._seen if self._seen[0] <= offset else (0, 1, 0)
        more = self._text.count("\n", seen, offset)
        if more:
            line, start = line + more, self._text.rfind("\n", seen, offset) + 1
        self._seen = (offset, line, start)
        return line, offset - start + 1

    def fail(self, offset: int, reason: str) -> RecordError:
        return RecordError(*self.place(offset), reason)

    def tokens(self, at: int = 0, end: int = -1) -> Iterator[tuple[str, re.Match[str]]]:
        """Yield (kind, match) of all tokens, between two offsets if given."""
        text = self._text
        while at < (len(text) if end < 0 else end):
            if text[at] == "%" and text[at - 1 : at] in ("", "\n"):
                until = text.find("\n", at)
                at = until if until >= 0 else len(text)
                continue
            match = _TOKEN.match(text, at)
            if match is None:
                result = text[at]
                raise self.fail(at, _NEEDS.get(result, f"unexpected {result!r}"))
            kind = match.lastgroup or ""
            if not match.group().isprintable():
                for offset, letter in enumerate(match.group()):
                    if not (letter.isprintable() or letter.isspace()):
                        raise self.fail(at + offset, f"unexpected {letter!r}")
            at = match.end()
            if kind != "space":
                yield ("tag" if kind == "value" else kind), match

    def records(self) -> list[Record]:
        """Return all games; RecordError for the first fault."""
        records: list[Record] = []
        record = Record({})
        begun = -1  # where the game began that is being read
        lines: list[list[Step]] = [record.steps]
        opened: list[int] = []
        numbers: list[int] = []
        entries: dict[int, tuple[Step | Record, list[str]]] = {}  # by whose comments they are
        before: list[str] = []  # comments that no move of their variation stands before
        moves = 0
        for kind, match in self.tokens():
            at, text = match.start(), match.group()
            steps = lines[-1]
            if kind == "glyph" and not steps and text[0] == "$":
                continue  # it is said of nothing
            if begun < 0:
                begun = at
            if kind == "tag":
                if record.steps or opened or entries:
                    raise self.fail(at, "a tag inside a game's moves: its result is missing")
                name = match.group("name")
                if name in record.tags:
                    raise self.fail(at, f"the tag {name[:40]} stands here twice")
                if len(record.tags) == MAX_TAGS:
                    raise self.fail(at, f"a game with more than {MAX_TAGS} tags")
                record.tags[name] = unquoted(match.group("value"))
                record.places[name] = self.place(at)
            elif kind in ("comment", "line"):
                words = " ".join(text[1 : -1 if kind == "comment" else None].split())
                if words and opened and not steps:
                    before.append(words)
                elif words:
                    whose = steps[-1] if steps else record
                    entries.setdefault(id(whose), (whose, []))[1].append(words)
            elif kind == "glyph":
                if not steps:
                    raise self.fail(at, f"a '{text}' without a move before it")
                self._glyph(steps[-1], text)
            elif kind == "open":
                if not steps:
                    raise self.fail(at, "a variation without a move to vary")
                if len(opened) == MAX_NESTING:
                    raise self.fail(at, f"variations more than {MAX_NESTING} deep")
                lines.append([])
                opened.append(at)
            elif kind == "close":
                if not opened:
                    raise self.fail(at, "a ')' without its '('")
                if not steps:
                    raise self.fail(at, "an empty variation")
                opened.pop()
                lines.pop()
                lines[-1][-1].variations.append(steps)
            elif kind == "number":
                self._check_number(at, text, len(opened), steps, numbers)
            elif kind == "move":
                moves += 1
                if moves > MAX_MOVES:
                    raise self.fail(at, f"more than {MAX_MOVES} moves in one file")
                bare = text.rstrip("!?")
                step = Step(bare, place=self.place(at), before=" ".join(before), offset=at)
                steps.append(step)
                self._glyph(steps[-1], text[len(bare) :])
                before.clear()
            else:
                if opened:
                    raise self.fail(at, "a result inside a variation")
                if len(records) == MAX_GAMES:
                    raise self.fail(at, f"more than {MAX_GAMES} games in one file")
                self._end(record, at, text)
                record.span = begun, match.end()
                for whose, comments in entries.values():
                    whose.comment = " ".join(comments)
                records.append(record)
                record = Record({})
                lines, begun = [record.steps], -1
                numbers.clear()
                entries.clear()
        if begun >= 0:
            if opened:
                raise self.fail(opened[-1], "a variation without its ')'")
            line, _column = self.place(begun)
            end = len(self._text.rstrip())
            raise self.fail(end, f"the game that begins in line {line} has no result")
        return records

    @staticmethod
    def _glyph(step: Step, text: str) -> None:
        """Take in ``$4`` or ``??``; a longer row of signs says nothing that anybody has defined."""
        glyph = glyph_of(text)
        if glyph is not None and glyph not in step.glyphs:
            step.glyphs.append(glyph)

    def _check_number(
        self, at: int, text: str, depth: int, steps: Sequence[Step], numbers: list[int]
    ) -> None:
        """Move numbers may be missing, but not jump: that is how lost lines are noticed."""
        if depth:
            return
        digits, black = text.rstrip("."), text.endswith("...")
        if len(digits) > len(str(_LAST_NUMBER)) or int(digits) > _LAST_NUMBER:
            raise self.fail(at, f"move number {digits[:20]} is more than {_LAST_NUMBER}")
        number = int(digits)
        if numbers:
            first, white_first, plies = numbers
            due = first + (len(steps) - plies + (not white_first)) // 2
            if number != due:
                raise self.fail(at, f"move number {number} where {due} is due")
        else:
            numbers += [number, not black, len(steps)]

    def _end(self, record: Record, at: int, result: str) -> None:
        record.result = result
        record.places[""] = self.place(at)
        value = record.tags.get("Result")
        if value is not None and value != result:
            raise self.fail(at, f"the result is {result}, the tag says {value!r}")


def tokens(text: str, start: int, end: int) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield kind and match of each token of a parsed game; see :attr:`Record.span`."""
    return _Reader(text).tokens(start, end)


def parse_records(text: str) -> list[Record]:
    """Return the games of a text; RecordError names the first fault's line and column."""
    return _Reader(text).records()


def read_records(path: Path, raw: bytes | None = None) -> list[Record]:
    """Return the games of a file, or of its text if that was read already.

    UserError names file, line and column of a fault; a file without a game is one.
    """
    if raw is None:
        with files.naming(path):
            raw = files.read_bytes(path, files.MAX_RECORDS)
    text = files.decoded(path, raw)
    with in_file(path):
        records = parse_records(text)
        if not records:
            raise RecordError(1, 1, "there is no game in the file")
    return records
