"""The text of PGN files: tokens, and the game and the move that each of them belongs to.

What is read is what the world writes. Nothing here refuses a file: a word that is no move is passed
over, as python-chess does, and what is broken is a fault of its game alone. A game ends with its
result, with the tags of the next one, or with a blank line behind which move numbers begin again.
Sources: S. J. Edwards, "Portable Game Notation Specification", 1994; python-chess 1.11
(``chess.pgn.read_game``) for what others write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ryugi_engine.records.annotation import SIGNS
from ryugi_engine.records.encoding import legible

Span = tuple[int, int]
NOWHERE: Span = (-1, -1)
#: How many variations may stand in one another.
MAX_NESTING = 100
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
#: A word that is a move in some game: it names a square, castles, passes or does nothing.
_MOVE = re.compile(r"(?:[Oo0]-[Oo0]|--$|@@@@$|(?:null|pass|swap)$|.*?[A-Za-z][0-9])", re.I)
_TAG = re.compile(
    r'\[\s*(?P<name>[^\W_][^\s"\[\]]*)\s*"(?P<value>[^"\\\r\n]*+(?:\\.[^"\\\r\n]*+)*+)"\s*\]'
)
#: A tag as broken programs write it: quotation marks within its value, or missing ones.
_BROKEN_TAG = re.compile(
    r'\[[ \t]*(?P<name>[^\W_][^\s"\[\]]*)(?:[ \t]*"|[ \t]+(?=[^\s"\]]))'
    rf'(?:(?P<value>[^\r\n]*?)"?[ \t]{{0,9}}\](?=[ \t]{{0,9}}(?:\[|{EOL}|\Z))|(?P<rest>[^\r\n]*))'
)
#: What begins a tag and nothing else, also right behind moves.
_TAG_BEGIN = re.compile(r'\[[A-Za-z]\w*[ \t]*"')
#: The first tag of a game behind a blank line: a comment that holds it was never closed.
_NEXT_GAME = re.compile(rf'{EOL}[ \t]*{EOL}(?=\[[A-Za-z]\w*[ \t]+"[^"\r\n]*"\])')
_LINE = re.compile(r"[^\r\n]*")
_BLANK_LINE = re.compile(rf"{EOL}[ \t\f\v]*{EOL}")
_CLOSED = re.compile(r"\s*+\)")
_GLYPHS = {sign: glyph for glyph, sign in SIGNS.items()}


class Token(NamedTuple):
    """A token: what it is, where it stands, and whether a blank line stands before it."""

    kind: str
    start: int
    end: int
    blank: bool = False
    #: Of a tag.
    name: str = ""
    inner: Span = NOWHERE


@dataclass(slots=True)
class MoveText:
    """A move in the text; with offset -1 what stands before the first move of a game."""

    offset: int = -1
    #: The move without its glyphs.
    word: str = ""
    #: End of the move and its glyphs: more glyphs, and a first comment, are inserted here.
    anchor: int = -1
    #: End of the last token that belongs to the move, without comments behind the result.
    end: int = -1
    #: Span of each token of the move, without its variations.
    tokens: list[Span] = field(default_factory=list)
    numbered: bool = False
    #: Number and span.
    glyphs: list[tuple[int, int, int]] = field(default_factory=list)
    #: Of kind "comment", or "line" for one that a semicolon begins.
    comments: list[Token] = field(default_factory=list)
    #: Comments before the first move of a variation.
    before: list[Token] = field(default_factory=list)
    #: Span and moves.
    variations: list[tuple[int, int, list[MoveText]]] = field(default_factory=list)


@dataclass(slots=True)
class GameText:
    """A game in the text."""

    start: int
    end: int
    tags: list[Token] = field(default_factory=list)
    preface: MoveText = field(default_factory=MoveText)
    moves: list[MoveText] = field(default_factory=list)
    result: Span = NOWHERE
    #: End of the comments behind the result; -1 if there are none.
    epilogue: int = -1
    #: Offset and reason.
    faults: list[tuple[int, str]] = field(default_factory=list)
    #: Start of the first token that is no tag.
    first: int = -1
    #: Kind and end of the token before, by the start of a token; of a game to be changed.
    previous: dict[int, tuple[str, int]] = field(default_factory=dict)
    #: Ends of the comments that end with their line.
    lines: set[int] = field(default_factory=set)


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


class _Lexer:
    """The tokens of a text; ``header`` says whether tags may be broken: no move has come yet."""

    def __init__(self, text: str) -> None:
        self.header = True
        self._text = text
        self._close = text.find("}")  # the last one that was looked for

    def tokens(self, at: int, end: int) -> Iterator[Token]:
        """Yield all tokens but spaces, between two offsets."""
        text = self._text
        fresh, blank = True, False  # at the begin of a line; behind a blank line
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
            return Token("tag", at, match.end(), blank, match["name"], match.span("value"))
        begins = self.header or blank or _TAG_BEGIN.match(self._text, at) is not None
        match = _BROKEN_TAG.match(self._text, at) if begins else None
        if match is None:
            return None
        group = "value" if match["value"] is not None else "rest"
        return Token("tag", at, match.end(), blank, match["name"], match.span(group))

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


class _Parser:
    """Puts the tokens of a text together to games."""

    def __init__(self, text: str, keep: bool) -> None:
        self._text, self._keep = text, keep
        self._lexer = _Lexer(text)

    def games(self, at: int, end: int) -> Iterator[GameText]:
        """Yield the games between two offsets."""
        outside: list[Token] = []  # of no game, unless moves follow
        self._begin(None)
        for read in self._lexer.tokens(at, end):
            token = read._replace(blank=read.blank or bool(outside and outside[0].blank))
            if token.kind in ("comment", "line") and (outside or self._may_be_outside(token)):
                outside.append(token)
                continue
            if self._game is not None and self._ends_before(token):
                yield from self._finish()
            if self._game is None:
                if token.kind in ("glyph", "junk", "close"):
                    continue
                outside = outside if token.kind != "tag" else []
                self._begin(GameText([*outside, token][0].start, token.end))
            for comment in outside:
                self._take(comment)
            outside = []
            self._take(token)
        yield from self._finish()

    def _begin(self, game: GameText | None) -> None:
        self._game = game
        self._lines: list[list[MoveText]] = [game.moves if game else []]
        #: Where each open variation begins; -1 for one without a move to vary.
        self._opened: list[int] = []
        #: Depth in variations that stand too deep to be read.
        self._skipped = 0
        self._numbers: list[Span] = []
        #: First move number, whether it is White's, and the moves before it.
        self._counted: tuple[int, bool, int] | None = None
        self._before: list[Token] = []
        self._previous = ("", -1)
        self._lexer.header = True

    def _finish(self) -> Iterator[GameText]:
        """Yield the game if there is one."""
        game = self._game
        if game is None:
            return
        begun = [at for at in self._opened if at >= 0]
        if begun and not game.faults:
            game.faults.append((begun[-1], "a variation without its ')'"))
        while self._opened:
            self._close_variation(game.end)
        self._begin(None)
        if game.tags or game.moves or game.result != NOWHERE:
            yield game

    def _may_be_outside(self, token: Token) -> bool:
        """Return whether a comment can stand between two games."""
        game = self._game
        if game is None:
            return True
        if game.result != NOWHERE:
            return token.blank or token.kind == "line"
        return token.blank and bool(game.moves) and not self._opened

    def _ends_before(self, token: Token) -> bool:
        """Return whether a token is not the present game's any more."""
        game = self._game
        assert game is not None
        if game.result != NOWHERE:
            return token.blank or token.kind in ("tag", "move", "number", "open")
        if token.kind == "tag":
            names = [tag.name for tag in game.tags]
            return bool(game.moves) or (token.blank and token.name in names)
        if token.kind == "number" and token.blank and game.moves and not self._opened:
            digits = re.match(r"[0-9]{1,9}", self._text[token.start : token.end])
            return digits is not None and int(digits[0]) != self._due()
        return False

    def _due(self) -> int:
        """Return the number of the next move of the game itself."""
        first, white, plies = self._counted or (1, True, 0)
        return first + (len(self._lines[0]) - plies + (not white)) // 2

    def _take(self, token: Token) -> None:
        """Add a token to the present game."""
        game = self._game
        assert game is not None
        kind, start, end = token[:3]
        if game.first < 0 and kind != "tag":
            game.first, self._previous = start, ("", -1)
        if self._keep:
            game.previous[start] = self._previous
        self._previous = (kind, end)
        game.end = end
        if kind == "line":
            game.lines.add(end)
        if kind == "tag":
            game.tags.append(token)
            return
        moves = self._lines[-1]
        owner = moves[-1] if moves else None if self._opened else game.preface
        if game.result != NOWHERE:
            if kind == "comment":
                last = owner or game.preface
                last.comments.append(token)
                last.tokens.append((start, end))
                game.epilogue = end
                self._check_comment(game, token)
        elif self._skipped:
            self._skipped += (kind == "open") - (kind == "close")
        elif kind == "number":
            self._numbers.append((start, end))
            digits = re.match(r"[0-9]{1,9}(?![0-9])", self._text[start:end])
            if digits is not None and self._counted is None and len(self._lines) == 1:
                dots = self._text[start:end]
                white = not ("…" in dots or dots.count(".") > 1)
                self._counted = (int(digits[0]), white, len(moves))
        elif kind == "move":
            owner = MoveText(start, self._text[start:end], end, end)
            owner.tokens, owner.numbered = [*self._numbers, (start, end)], bool(self._numbers)
            owner.before, self._before = self._before, []
            moves.append(owner)
            self._numbers = []
            self._lexer.header = False
        elif kind == "open":
            self._open_variation(start)
        elif kind == "close" and self._opened:
            self._close_variation(end)
        elif kind == "result" and not (self._opened and _CLOSED.match(self._text, end)):
            if any(at >= 0 for at in self._opened):
                game.faults.append((start, "a result inside a variation"))
            while self._opened:
                self._close_variation(start)
            game.result = start, end
            self._lexer.header = True
        elif kind in ("comment", "line") and owner is None:
            self._before.append(token)
            self._check_comment(game, token)
        elif owner is not None and kind in ("comment", "line", "glyph", "junk"):
            self._add_to(owner, token)
            self._check_comment(game, token)

    def _add_to(self, owner: MoveText, token: Token) -> None:
        """Add a comment, a glyph or what says nothing to a move."""
        kind, start, end = token[:3]
        owner.tokens.append((start, end))
        if kind in ("comment", "line"):
            owner.comments.append(token)
        elif kind == "glyph":
            glyph = glyph_of(self._text[start:end])
            if glyph is not None and owner.offset >= 0:
                owner.glyphs.append((glyph, start, end))
            if owner.anchor == owner.end:
                owner.anchor = end
        owner.end = end

    def _check_comment(self, game: GameText, token: Token) -> None:
        closed = self._text[token.start + 1 : token.end].endswith("}")
        if token.kind == "comment" and not closed:
            game.faults.append((token.start, "a comment without its '}'"))

    def _open_variation(self, at: int) -> None:
        game = self._game
        assert game is not None
        if not self._lines[-1]:
            self._opened.append(-1)
        elif len(self._lines) > MAX_NESTING:
            game.faults.append((at, f"variations more than {MAX_NESTING} deep"))
            self._skipped = 1
        else:
            self._lines.append([])
            self._opened.append(at)

    def _close_variation(self, end: int) -> None:
        """Give the last open variation to the move that it varies."""
        start = self._opened.pop()
        self._numbers = []
        if start < 0:
            return
        line = self._lines.pop()
        varied = self._lines[-1][-1]
        varied.end = end
        if line:
            varied.variations.append((start, end, line))
        else:
            varied.comments += self._before
        self._before = []


def games_of(text: str) -> Iterator[GameText]:
    """Yield the games of a text in its order."""
    return _Parser(text, keep=False).games(0, len(text))


def game_at(text: str, span: Span) -> GameText:
    """Return the game of a part of a text that is to be changed."""
    (game,) = _Parser(text, keep=True).games(*span)
    return game


class Places:
    """Lines and columns of a text, both from 1. Fast if asked in the order of the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._seen = (0, 1, 0)  # an offset, its line from 1, and where that line begins

    def __call__(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset."""
        seen, line, start = self._seen if self._seen[0] <= offset else (0, 1, 0)
        part = self._text[seen:offset]
        ends = part.count("\n")
        if "\r" in part:  # before "\n", or alone as old Macintoshes have it
            ends += part.count("\r") - part.count("\r\n") - part.endswith("\r")
            ends += part.endswith("\r") and self._text[offset : offset + 1] != "\n"
        if ends:
            line += ends
            last = max(part.rfind("\n"), part.rfind("\r", 0, len(part)))
            if part.endswith("\r") and self._text[offset : offset + 1] == "\n":
                last = max(part.rfind("\n"), part.rfind("\r", 0, len(part) - 1))
            start = seen + last + 1
        self._seen = (offset, line, start)
        return line, offset - start + 1
