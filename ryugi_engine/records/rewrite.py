"""Write changed games into the text that they were read from; everything else keeps its bytes.

A game is compared with the tokens that it was read from. What has not changed keeps its text:
spelling, spacing, move numbers, ``;`` comments, ``%`` lines. A step is recognized by the offset of
its move. See :mod:`ryugi_engine.records.pgn` for the format.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ryugi_engine.records.pgn import (
    WIDTH,
    Record,
    Step,
    braced,
    format_record,
    glyph_of,
    in_parentheses,
    movetext,
    quoted,
    tokens,
    unquoted,
)

_WORD = re.compile(r"\S+")


@dataclass
class _Move:
    """A move in the text; with offset -1 what stands before the first move of a game."""

    offset: int = -1
    #: End of the move and its glyphs: more glyphs, and a first comment, are inserted here.
    anchor: int = -1
    #: End of the last token that belongs to the move.
    end: int = -1
    #: Span of each token of the move, without its variations.
    tokens: list[tuple[int, int]] = field(default_factory=list)
    numbered: bool = False
    #: Number and span.
    glyphs: list[tuple[int, int, int]] = field(default_factory=list)
    #: Kind ("comment", or "line" for one that a semicolon begins) and span.
    comments: list[tuple[str, int, int]] = field(default_factory=list)
    #: Span and moves.
    variations: list[tuple[int, int, list[_Move]]] = field(default_factory=list)


@dataclass
class _Edit:
    """Replace a span by ``raw`` text, then by words, which are wrapped."""

    start: int
    end: int
    words: Sequence[str] = ()
    raw: str = ""
    #: Separate the words from the text before them; behind them.
    before: bool = True
    behind: bool = False


class _Comparison:
    """The ``edits`` that make a game's text say what its record says."""

    def __init__(self, text: str, newline: str, record: Record) -> None:
        self.edits: list[_Edit] = []
        self._text, self._newline = text, newline
        #: Kind and end of the token before, by the start of a token.
        self._previous: dict[int, tuple[str, int]] = {}
        #: Ends of the comments that end with their line.
        self._lines: set[int] = set()
        #: Value, span of the token and span of the value, by the name.
        self._tags: dict[str, tuple[str, tuple[int, int], tuple[int, int]]] = {}
        self._preface = _Move()
        #: Start of the first token that is no tag.
        self._first = -1
        self._result = (-1, -1)
        moves = self._read(*record.span)
        self._compare_tags(record)
        self._compare_comment(self._preface, record.comment)
        self._compare_line(moves, record.steps, record.first_number, record.white_first)
        if text[slice(*self._result)] != record.result:
            self.edits.append(_Edit(*self._result, raw=record.result))

    def _read(self, start: int, end: int) -> list[_Move]:
        """Return the moves of the game; fill in its tags, its result and the preface."""
        lines: list[list[_Move]] = [[]]
        opened: list[int] = []
        numbers: list[tuple[int, int]] = []
        previous = ("", -1)
        for kind, match in tokens(self._text, start, end):
            span = match.span()
            if self._first < 0 and kind != "tag":
                self._first, previous = span[0], ("", -1)
            self._previous[span[0]] = previous
            previous = (kind, span[1])
            if kind == "tag":
                value = unquoted(match["value"])
                self._tags[match["name"]] = (value, span, match.span("value"))
                continue
            moves = lines[-1]
            owner = moves[-1] if moves else None if opened else self._preface
            if kind == "number":
                numbers.append(span)
            elif kind == "move":
                owner = _Move(span[0], span[1], span[1], [*numbers, span], bool(numbers))
                moves.append(owner)
                numbers = []
                self._add_glyph(owner, span[0] + len(match.group().rstrip("!?")), span[1])
            elif kind == "open":
                opened.append(span[0])
                lines.append([])
            elif kind == "close":
                line = lines.pop()
                lines[-1][-1].variations.append((opened.pop(), span[1], line))
                lines[-1][-1].end = span[1]
                numbers = []
            elif kind == "result":
                self._result = span
            elif owner is not None:
                owner.tokens.append(span)
                if kind == "line":
                    self._lines.add(span[1])
                if kind != "glyph":
                    owner.comments.append((kind, *span))
                else:
                    self._add_glyph(owner, *span)
                    if owner.anchor == owner.end:
                        owner.anchor = span[1]
                owner.end = span[1]
        return lines[0]

    def _add_glyph(self, move: _Move, start: int, end: int) -> None:
        glyph = glyph_of(self._text[start:end])
        if glyph is not None:
            move.glyphs.append((glyph, start, end))

    def _delete(self, *spans: tuple[int, int]) -> None:
        """Delete tokens, and the space on one side of each row of them."""
        text = self._text
        rows: list[list[int]] = []
        for start, end in sorted(spans):
            if rows and not text[rows[-1][1] : start].strip():
                rows[-1][1] = end
            else:
                rows.append([start, end])
        for start, end in rows:
            kind, previous = self._previous[start]
            before, after = start, end
            while before and text[before - 1].isspace():
                before -= 1
            while after < len(text) and text[after].isspace():
                after += 1
            behind_token = before == previous and kind != "line"
            if behind_token or (previous >= 0 and "\n" in text[end:after]):
                self.edits.append(_Edit(before, end))
                continue
            if text.startswith("%", after) and text[start - 1 : start] not in ("", "\n"):
                after = text.rindex("\n", end, after)
            self.edits.append(_Edit(start, after))

    def _insert(self, at: int, words: Sequence[str]) -> None:
        """Insert words behind the token that ends at an offset; -1: before the first token."""
        if words and at < 0:
            self.edits.append(_Edit(self._first, self._first, words, before=False, behind=True))
        elif words:
            begin = self._newline if at in self._lines else ""
            self.edits.append(_Edit(at, at, words, begin, before=not begin))

    def _compare_tags(self, record: Record) -> None:
        tags = {**record.tags, "Result": record.result}
        for name, (value, span, inner) in self._tags.items():
            if name not in tags:
                self._delete(span)
            elif tags[name] != value:
                self.edits.append(_Edit(*inner, raw=quoted(tags[name])))
        more = [f'[{n} "{quoted(v)}"]' for n, v in record.tags.items() if n not in self._tags]
        if more and self._tags:
            at = max(span[1] for _value, span, _inner in self._tags.values())
            self.edits.append(_Edit(at, at, raw="".join(self._newline + tag for tag in more)))
        elif more:
            at = self._first
            begin = "" if self._text[:at].endswith(("\n", "")[not at :]) else self._newline
            raw = begin + "".join(tag + self._newline for tag in more) + self._newline
            self.edits.append(_Edit(at, at, raw=raw))

    def _compare_line(
        self, moves: Sequence[_Move], steps: Sequence[Step], number: int, white: bool
    ) -> None:
        """Compare a line with its text: steps may have been removed or added at its end."""
        known = {move.offset for move in moves}
        kept = [step for step in steps if step.offset in known]
        end, numbered, inserted = self._preface.end, False, False
        for move, step in zip(moves, kept, strict=False):
            if inserted and not (white or move.numbered):
                at = move.offset
                self.edits.append(_Edit(at, at, [f"{number}..."], before=False, behind=True))
            inserted = self._compare_step(move, step, number, white)
            end, numbered = move.end, not step.variations
            number += not white
            white = not white
        for move in moves[len(kept) :]:
            self._delete(*move.tokens, *(variation[:2] for variation in move.variations))
        self._insert(end, list(movetext(steps[len(kept) :], number, white, numbered)))

    def _compare_step(self, move: _Move, step: Step, number: int, white: bool) -> bool:
        """Compare a step with its text; return whether variations are inserted."""
        for glyph, start, end in move.glyphs:
            if glyph not in step.glyphs and start in self._previous:
                self._delete((start, end))
            elif glyph not in step.glyphs:  # it is written behind the move
                self.edits.append(_Edit(start, end))
        had = {glyph for glyph, _start, _end in move.glyphs}
        self._insert(move.anchor, [f"${glyph}" for glyph in step.glyphs if glyph not in had])
        self._compare_comment(move, step.comment)
        lines = {line[0].offset: line for line in step.variations}
        new = [in_parentheses(x, number, white) for x in step.variations if x[0].offset < 0]
        gone: list[tuple[int, int]] = []
        for start, end, moves in move.variations:
            words = self._text[start:end].split()
            if moves[0].offset in lines:
                self._compare_line(moves, lines[moves[0].offset], number, white)
            elif words in (same := [" ".join(line).split() for line in new]):
                del new[same.index(words)]
            else:
                gone.append((start, end))
        for span, line in zip(gone, new, strict=False):
            self.edits.append(_Edit(*span, line, before=False))
        self._delete(*gone[len(new) :])
        for line in new[len(gone) :]:
            self._insert(move.end, line)
        return len(new) > len(gone)

    def _compare_comment(self, move: _Move, comment: str) -> None:
        """Compare the words of all comments of a move with their text."""
        old = [
            (number, match.group(), *match.span())
            for number, (kind, start, end) in enumerate(move.comments)
            for match in _WORD.finditer(self._text, start + 1, end - (kind == "comment"))
        ]
        was, now = [word for _number, word, _start, _end in old], comment.split()
        if was == now:
            return
        first = _alike(was, now)
        last = _alike(was[first:][::-1], now[first:][::-1])
        gone, words = old[first : len(old) - last], now[first : len(now) - last]
        near = {number for number, *_ in gone or old[first:][: last > 0] or old[:first][-1:]}
        home = near.pop() if len(near) == 1 else -1
        if home >= 0 and (move.comments[home][0] == "comment" or not words):
            own = [(start, end) for number, _word, start, end in old if number == home]
            begin = sum(number == home for number, *_ in old[:first])
            self._replace_words(move.comments[home], own, begin, begin + len(gone), words)
        elif not (gone or first):
            self._insert(move.anchor, braced(" ".join(words)))
        elif not (gone or last):
            self._insert(move.comments[-1][2], braced(" ".join(words)))
        elif not gone and old[first - 1][0] != old[first][0]:  # between two comments
            self._insert(move.comments[old[first - 1][0]][2], braced(" ".join(words)))
        else:
            self._delete(*(comment[1:] for comment in move.comments))
            self._insert(move.anchor, braced(comment))

    def _replace_words(
        self,
        comment: tuple[str, int, int],
        own: Sequence[tuple[int, int]],
        begin: int,
        end: int,
        new: Sequence[str],
    ) -> None:
        """Replace some of a comment's words, whose spans are given, by others."""
        words = [word.strip("{}") for word in braced(" ".join(new))]
        if begin < end and words:
            self.edits.append(_Edit(own[begin][0], own[end - 1][1], words, before=False))
        elif words and begin < len(own):
            at = own[begin][0]
            self.edits.append(_Edit(at, at, words, before=False, behind=True))
        elif words:
            self.edits.append(_Edit(own[-1][1], own[-1][1], words))
        elif end < len(own):
            self.edits.append(_Edit(own[begin][0], own[end][0]))
        elif begin:
            self.edits.append(_Edit(own[begin - 1][1], own[-1][1]))
        else:
            self._delete(comment[1:])


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words two texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def rewritten(text: str, records: Sequence[Record]) -> str:
    """Return a file's text with the changes of those of its games that may have changed."""
    newline = newline_of(text)
    edits = [edit for record in records for edit in _Comparison(text, newline, record).edits]
    edits.sort(key=lambda edit: (edit.start, edit.end))
    parts: list[str] = []
    column = at = 0

    def put(part: str) -> None:
        nonlocal column
        parts.append(part)
        column = column + len(part) if "\n" not in part else len(part) - part.rindex("\n") - 1

    for number, edit in enumerate(edits):
        put(text[at : edit.start])
        put(edit.raw)
        at = max(at, edit.end)
        stop = edits[number + 1].start if number + 1 < len(edits) else len(text)
        rest = len(text[at : min(stop, at + WIDTH)].partition("\n")[0])
        for index, word in enumerate(edit.words):
            if index or edit.before:
                width = column + 1 + len(word) + rest * (index + 1 == len(edit.words))
                # "%" in the first column would begin a line that readers skip
                put(newline if width > WIDTH and not word.startswith("%") else " ")
            put(word)
        put(" " * edit.behind)
    put(text[at:])
    return "".join(parts)


def newline_of(text: str) -> str:
    """Return what ends the first line of a text."""
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"


def appended(text: str, record: Record) -> str:
    """Return a file's text with one more game behind the others."""
    newline = newline_of(text)
    space = text[len(text.rstrip()) :]
    blank = newline * max(0, 2 - space.count("\n")) if text else ""
    return text + blank + format_record(record).replace("\n", newline)
