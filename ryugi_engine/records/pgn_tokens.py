"""The tokens of PGN files from any program; see pgn_text.py for what they make.

A word that is no move is a token that says nothing, as python-chess has it. Sources: S. J. Edwards,
"Portable Game Notation Specification", 1994; python-chess 1.11 (``chess.pgn.read_game``).
"""

from __future__ import annotations

import bisect
import re
from array import array
from collections.abc import Iterator
from typing import NamedTuple

from ryugi_engine.records.annotation import SIGNS
from ryugi_engine.records.encoding import legible

Span = tuple[int, int]
NOWHERE: Span = (-1, -1)
#: Words for a move that changes nothing but the side to move.
NULL_WORDS = ("--", "z0", "0000", "@@@@", "null")

EOL = r"(?:\r\n|\r(?!\n)|(?<!\r)\n)"
_RESULT = r"(?:1[-–]0|0[-–]1|1/2(?:[-–]1/2)?|½(?:[-–]½)?|\*)"
_TOKEN = re.compile(
    rf"""(?P<space>[\s\ufeff\x00\x1a]++)
      | (?P<line>;[^\r\n]*)
      | (?P<open>\()
      | (?P<close>\))
      | (?P<glyph>\$[0-9]+|[!?]{{1,2}})
      | (?P<result>{_RESULT}(?![0-9A-Za-z/-]))
      | (?P<zeros>0000(?![0-9])|0-0(?:-0)?[+\#]*)
      | (?P<number>[0-9]++(?:\s*+[.…]++)*+|[.…]+)
      | (?P<word>(?:(?!{_RESULT}(?:[\s{{;]|$))[^\s(){{}}\[\];"$!?])++(?:(?<=[0-9])\([A-Za-z]\))?)
      | (?P<junk>(?:[\[\]}}"]|\$(?![0-9]))++)
    """,
    re.VERBOSE,
)
#: What a word begins with that is a move in some game, mistyped ones among them.
_MOVE = re.compile(
    r"""[Oo0][-–—‑−][Oo0]                                          # castling
      | (?:--|@@@@|[Zz]0|(?i:null|pass|swap))\Z                     # no piece moves
      | [^@*]{0,3}[@*][a-z]{1,2}[0-9]                              # a drop
      | (?:\+?(?:[^\W\d_][^\W\d_a-zA-Z]?|[♔-♟]))?                  # a piece, from and to
        [a-p]?(?:[0-9]{1,2})?[x:×–—‑−-]?[a-p][0-9]{1,2}(?![0-9])
      | [A-P][0-9]{1,2}-?[A-P][0-9]{1,2}(?![0-9])                  # the same in capitals
      | [KQRBNP][A-H]?[x-]?[A-H][1-8]\Z
      | [KQRBNP]{1,2}[x-][KQRBNP]{1,3}[1-8]                        # descriptive notation
      | [A-Za-z+-][1-9+-][.=+-][1-9]\Z                             # Xiangqi's WXF notation
    """,
    re.VERBOSE,
)
_TAG = re.compile(
    r'\[\s*(?P<name>[^\W_][^\s"\[\]]*)\s*"(?P<value>[^"\\\r\n]*+(?:\\.[^"\\\r\n]*+)*+)"\s*\]'
)
#: A tag as broken programs write it: quotation marks within its value, or missing ones.
_BROKEN_TAG = re.compile(
    r'\[[ \t]*(?P<name>[^\W_][^\s"\[\]]*)(?:[ \t]*"|[ \t]+(?=[^\s"\]]))'
    rf'(?:(?P<value>[^\r\n]*?)"?[ \t]{{0,9}}\](?=[ \t]{{0,9}}(?:\[|{EOL}|\Z))|(?P<rest>[^\r\n]*))'
)
#: What begins a tag and nothing else, also right after moves.
_TAG_BEGIN = re.compile(r'\[[A-Za-z]\w*[ \t]*"')
#: The first tag of a game after a blank line: a comment that holds it was never closed.
_NEXT_GAME = re.compile(rf'{EOL}[ \t]*{EOL}(?=\[[A-Za-z]\w*[ \t]+"[^"\r\n]*"\])')
_LINE = re.compile(r"[^\r\n]*")
_BLANK_LINE = re.compile(rf"{EOL}[ \t\f\v]*{EOL}")
_GLYPHS = {sign: glyph for glyph, sign in SIGNS.items()}


class Token(NamedTuple):
    """A token: kind, text, offset, and whether a blank line comes before it."""

    kind: str
    start: int
    end: int
    blank: bool = False
    #: Of a tag.
    name: str = ""
    inner: Span = NOWHERE


def words_of(text: str, comment: Token) -> str:
    """Return a comment's words, a blank between two of them."""
    inner = text[comment.start + 1 : comment.end]
    if comment.kind == "comment":
        inner = inner.removesuffix("}")
    return " ".join(legible(inner).split())


def unquoted(value: str) -> str:
    """Return a tag's value: PGN escapes only quotation marks and backslashes."""
    return legible(re.sub(r'\\(["\\])', r"\1", value))


def glyph_of(text: str) -> int | None:
    """Return the number of ``$4`` or ``??``; None for undefined signs."""
    if text.startswith("$"):
        return int(text[1:]) if len(text) < 10 else None
    return _GLYPHS.get(text)


class Lexer:
    """Tokenizer of a text. ``header``: no move has come yet, so damaged tags are read as tags."""

    def __init__(self, text: str) -> None:
        self.header = True
        self._text = text
        self._close = text.find("}")  # the last one that was looked for

    def tokens(self) -> Iterator[Token]:
        """Yield all tokens but spaces."""
        text, at, end = self._text, 0, len(self._text)
        fresh, blank = True, False  # at the begin of a line; after a blank line
        while at < end:
            letter = text[at]
            if letter == "%" and text[at - 1 : at] in ("", "\n", "\r"):
                at = _LINE.match(text, at, end).end()  # type: ignore[union-attr]
                continue
            if letter == "{":
                token = Token("comment", at, self._comment_end(at, end), blank)
            elif letter == "[" and fresh and (tag := self._tag(at, blank)) is not None:
                token = tag
            else:
                match = _TOKEN.match(text, at, end)
                if match is None:
                    token = Token("junk", at, at + 1, blank)
                elif (kind := match.lastgroup or "") == "space":
                    at = match.end()
                    space = match.group()
                    fresh = fresh or "\n" in space or "\r" in space
                    blank = blank or _BLANK_LINE.search(space) is not None
                    continue
                else:
                    if kind in ("word", "zeros"):
                        moves = kind == "zeros" or _MOVE.match(match.group()) is not None
                        kind = "move" if moves else "junk"
                    token = Token(kind, at, match.end(), blank)
            at = token.end
            fresh, blank = token.kind in ("tag", "result"), False
            yield token

    def _tag(self, at: int, blank: bool) -> Token | None:
        """Return the tag that begins at an offset, if one does."""
        match = _TAG.match(self._text, at)
        if match is not None:
            return Token("tag", at, match.end(), blank, legible(match["name"]), match.span("value"))
        begins = self.header or blank or _TAG_BEGIN.match(self._text, at) is not None
        match = _BROKEN_TAG.match(self._text, at) if begins else None
        if match is None:
            return None
        group = "value" if match["value"] is not None else "rest"
        return Token("tag", at, match.end(), blank, legible(match["name"]), match.span(group))

    def _comment_end(self, at: int, end: int) -> int:
        """Return where the comment ends that begins at an offset."""
        text = self._text
        if 0 <= self._close < at:
            self._close = text.find("}", at)
        close = self._close if 0 <= self._close < end else -1
        lost = _NEXT_GAME.search(text, at, end if close < 0 else close)
        if lost is not None and (close < 0 or text.find("{", lost.end(), close) >= 0):
            return lost.start()
        return len(text[:end].rstrip()) if close < 0 else close + 1


class Places:
    """Lines and columns of a text, both from 1; fast in any order."""

    def __init__(self, text: str) -> None:
        self._starts = array("I", (0,))
        self._starts.extend(match.end() for match in re.finditer(r"\r\n?|\n", text))

    def __call__(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset."""
        line = bisect.bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
