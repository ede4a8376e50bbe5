"""Write changed games into the text that they were read from; everything else keeps its bytes.

A game is compared with the tokens that it was read from. What has not changed keeps its text:
spelling, spacing, move numbers, ``;`` comments, ``%`` lines. A step is recognized by the offset of
its move. See :mod:`ryugi_engine.records.pgn` for the format.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ryugi_engine.records.encoding import encoding_of, legible, spelled
from ryugi_engine.records.pgn import (
    WIDTH,
    Record,
    Step,
    braced,
    format_record,
    in_parentheses,
    movetext,
    quoted,
    result_of,
)
from ryugi_engine.records.pgn_text import MoveText, game_at
from ryugi_engine.records.pgn_tokens import EOL, Token, unquoted

_WORD = re.compile(r"\S+")
_EOL = re.compile(EOL)


@dataclass
class _Edit:
    """Replace a span by ``raw`` text, then by words, which are wrapped."""

    start: int
    end: int
    words: Sequence[str] = ()
    raw: str = ""
    #: Separators of the words from the text before them and after them.
    before: bool = True
    behind: bool = False


class _Comparison:
    """The ``edits`` that make a game's text say what its record says."""

    def __init__(self, text: str, newline: str, record: Record) -> None:
        self.edits: list[_Edit] = []
        self._text, self._newline = text, newline
        self._game = game_at(text, record.span)
        self._read_result = result_of(text, self._game)
        self._compare_tags(record)
        self._compare_comment(self._game.preface, record.comment)
        self._compare_main_line(record)

    def _compare_main_line(self, record: Record) -> None:
        """Compare moves and result; new moves stand before the result, and the comment after it.

        A result that is missing is only written if it has changed.
        """
        game, steps = self._game, record.steps
        known = {move.offset for move in game.moves}
        new = any(step.offset not in known for step in steps)
        start, end = game.result
        if start >= 0 and game.epilogue >= 0 and new:
            self._delete((start, end))
            for move in [game.preface, *game.moves][-1:]:
                move.end = game.epilogue
        self._compare_line(game.moves, steps, record.first_number, record.white_first)
        if start >= 0 and game.epilogue >= 0 and new:
            self._insert(game.epilogue, [record.result])
        elif record.result != self._read_result and start >= 0:
            self.edits.append(_Edit(start, end, raw=record.result))
        elif record.result != self._read_result:
            self._insert(game.end if game.first >= 0 else -1, [record.result])

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
            kind, previous = self._game.previous[start]
            before, after = start, end
            while before and text[before - 1].isspace():
                before -= 1
            while after < len(text) and text[after].isspace():
                after += 1
            behind_token = before == previous and kind != "line"
            ends = [match.start() for match in _EOL.finditer(text, end, after)]
            if behind_token or (previous >= 0 and ends):
                self.edits.append(_Edit(before, end))
                continue
            if ends and text.startswith("%", after) and text[start - 1 : start] not in "\r\n":
                after = ends[-1]
            self.edits.append(_Edit(start, after))

    def _insert(self, at: int, words: Sequence[str]) -> None:
        """Insert words after the token that ends at an offset; -1: before the first token."""
        first = self._game.first
        if words and at < 0 and first >= 0:
            self.edits.append(_Edit(first, first, words, before=False, behind=True))
        elif words and at < 0:
            self.edits.append(
                _Edit(self._game.end, self._game.end, words, 2 * self._newline, False)
            )
        elif words:
            begin = self._newline if at in self._game.lines else ""
            self.edits.append(_Edit(at, at, words, begin, before=not begin))

    def _compare_tags(self, record: Record) -> None:
        tags, known = dict(record.tags), {tag.name: tag for tag in self._game.tags}
        if record.result != self._read_result:
            tags["Result"] = record.result
        for tag in known.values():
            if tag.name not in tags:
                self._delete((tag.start, tag.end))
            elif tags[tag.name] != unquoted(self._text[slice(*tag.inner)]):
                self.edits.append(_Edit(*tag.inner, raw=quoted(tags[tag.name])))
        more = [f'[{n} "{quoted(v)}"]' for n, v in record.tags.items() if n not in known]
        if more and known:
            at = max(tag.end for tag in known.values())
            self.edits.append(_Edit(at, at, raw="".join(self._newline + tag for tag in more)))
        elif more:
            at = max(self._game.first, 0)
            begin = "" if self._text[:at].endswith(("\n", "")[not at :]) else self._newline
            raw = begin + "".join(tag + self._newline for tag in more) + self._newline
            self.edits.append(_Edit(at, at, raw=raw))

    def _compare_line(
        self, moves: Sequence[MoveText], steps: Sequence[Step], number: int, white: bool
    ) -> None:
        """Compare a line with its text: steps may have been removed or added at its end."""
        known = {move.offset for move in moves}
        kept = [step for step in steps if step.offset in known]
        end, numbered, inserted = self._game.preface.end, False, False
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

    def _compare_step(self, move: MoveText, step: Step, number: int, white: bool) -> bool:
        """Compare a step with its text; return whether variations are inserted."""
        for glyph, start, end in move.glyphs:
            if glyph not in step.glyphs:
                self._delete((start, end))
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

    def _compare_comment(self, move: MoveText, comment: str) -> None:
        """Compare the words of all comments of a move with their text."""
        old = [
            (number, match.group(), token.start + match.start(), token.start + match.end())
            for number, token in enumerate(move.comments)
            for match in _WORD.finditer(
                legible(self._text[token.start : token.end - (token.kind == "comment")]), 1
            )
        ]
        was, now = [word for _number, word, _start, _end in old], comment.split()
        if was == now:
            return
        first = _alike(was, now)
        last = _alike(was[first:][::-1], now[first:][::-1])
        gone, words = old[first : len(old) - last], now[first : len(now) - last]
        near = {number for number, *_ in gone or old[first:][: last > 0] or old[:first][-1:]}
        home = near.pop() if len(near) == 1 else -1
        if home >= 0 and (move.comments[home].kind == "comment" or not words):
            own = [(start, end) for number, _word, start, end in old if number == home]
            begin = sum(number == home for number, *_ in old[:first])
            self._replace_words(move.comments[home], own, begin, begin + len(gone), words)
        elif not (gone or first):
            self._insert(move.anchor, braced(" ".join(words)))
        elif not (gone or last):
            self._insert(move.comments[-1].end, braced(" ".join(words)))
        elif not gone and old[first - 1][0] != old[first][0]:  # between two comments
            self._insert(move.comments[old[first - 1][0]].end, braced(" ".join(words)))
        else:
            self._delete(*((comment.start, comment.end) for comment in move.comments))
            self._insert(move.anchor, braced(comment))

    def _replace_words(
        self,
        comment: Token,
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
            self._delete((comment.start, comment.end))


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words two texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def rewritten(text: str, records: Sequence[Record]) -> str:
    """Return a file's text with the changes of ``records``, which were read from it."""
    newline, encoding = newline_of(text), encoding_of(text)
    edits = [edit for record in records for edit in _Comparison(text, newline, record).edits]
    edits.sort(key=lambda edit: (edit.start, edit.end))
    parts: list[str] = []
    column = at = 0

    def put(part: str) -> None:
        nonlocal column
        parts.append(part)
        last = max(part.rfind("\n"), part.rfind("\r"))
        column = column + len(part) if last < 0 else len(part) - last - 1

    for number, edit in enumerate(edits):
        put(text[at : edit.start])
        put(spelled(edit.raw, encoding))
        at = max(at, edit.end)
        stop = edits[number + 1].start if number + 1 < len(edits) else len(text)
        rest = len(_EOL.split(text[at : min(stop, at + WIDTH)], maxsplit=1)[0])
        for index, word in enumerate(edit.words):
            if index or edit.before:
                width = column + 1 + len(word) + rest * (index + 1 == len(edit.words))
                # "%" in the first column would begin a line that readers skip
                put(newline if width > WIDTH and not word.startswith("%") else " ")
            put(spelled(word, encoding))
        put(" " * edit.behind)
    put(text[at:])
    return "".join(parts)


def newline_of(text: str) -> str:
    """Return the line ending of a text's first line."""
    match = _EOL.search(text)
    return "\n" if match is None else match.group()


def appended(text: str, record: Record) -> str:
    """Return a file's text with one more game at its end."""
    newline = newline_of(text)
    ends = len(_EOL.findall(text[len(text.rstrip()) :]))
    blank = newline * max(0, 2 - ends) if text else ""
    new = spelled(format_record(record), encoding_of(text))
    return text + blank + new.replace("\n", newline)
