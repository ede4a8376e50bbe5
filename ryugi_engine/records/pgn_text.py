"""The text of PGN files: tokens, and the game and the move that each of them belongs to.

Nothing here refuses a file. A word that is no move is passed over, as in python-chess, and a defect
is a fault of its game alone. A game ends with its result, with the tags of the next one, or with a
blank line after which move numbers begin again. Sources: S. J. Edwards, "Portable Game Notation
Specification", 1994; python-chess 1.11 (``chess.pgn.read_game``) for what others write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ryugi_engine.records.pgn_tokens import NOWHERE, Lexer, Span, Token, glyph_of

#: How many variations may stand in one another.
MAX_NESTING = 100
#: Moves and tokens of a file, tags of a game: without bounds a small file could fill the memory.
MAX_MOVES, MAX_TAGS = 1_000_000, 1000
MAX_TOKENS = 4 * MAX_MOVES
_CLOSED = re.compile(r"\s*+\)")


class TooMuch(Exception):
    """A text has too many games, moves or tokens: offset and reason."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(offset, reason)
        self.offset, self.reason = offset, reason


@dataclass(slots=True)
class MoveText:
    """A move in the text; the one with offset -1 has what comes before a game's first move."""

    offset: int = -1
    #: The move without its glyphs.
    word: str = ""
    #: Numeric annotation glyphs.
    glyphs: list[int] = field(default_factory=list)
    #: Of kind "comment", or "line" for one that a semicolon begins.
    comments: list[Token] = field(default_factory=list)
    #: Comments before the first move of a variation.
    before: list[Token] = field(default_factory=list)
    variations: list[list[MoveText]] = field(default_factory=list)


@dataclass(slots=True)
class GameText:
    """A game in the text."""

    start: int
    end: int
    tags: list[Token] = field(default_factory=list)
    preface: MoveText = field(default_factory=MoveText)
    moves: list[MoveText] = field(default_factory=list)
    result: Span = NOWHERE
    #: Offset and reason.
    faults: list[tuple[int, str]] = field(default_factory=list)


def _is_black(number: str) -> bool:
    """Return whether a move number with its periods is one of Black's."""
    return "…" in number or number.count(".") > 1


class _Parser:
    """Puts the tokens of a text together to games."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lexer = Lexer(text)
        self._moves = 0

    def games(self) -> Iterator[GameText]:
        """Yield the games; TooMuch for a text of too many moves or tokens."""
        outside: list[Token] = []  # of no game, unless moves follow
        self._begin(None)
        for number, read in enumerate(self._lexer.tokens()):
            if number == MAX_TOKENS:
                raise TooMuch(read.start, f"more than {MAX_TOKENS} tokens in one file")
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
        #: Names of the game's tags.
        self._names: set[str] = set()
        self._lines: list[list[MoveText]] = [game.moves if game else []]
        #: Where each open variation begins; -1 for one without a move to vary.
        self._opened: list[int] = []
        #: Depth in variations that stand too deep to be read.
        self._skipped = 0
        #: First move number, whether it is White's, and the moves before it.
        self._counted: tuple[int, bool, int] | None = None
        self._before: list[Token] = []
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
            self._close_variation()
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
            return bool(game.moves) or (token.blank and token.name in self._names)
        if token.kind == "number" and token.blank and game.moves and not self._opened:
            text = self._text[token.start : token.end]
            digits = re.match(r"[0-9]{1,9}", text)
            if digits is None or (self._counted is None and _is_black(text)):
                return False
            return not self._goes_on(int(digits[0]))
        return False

    def _goes_on(self, number: int) -> bool:
        """Return whether a move number is the next one of the game itself."""
        if self._counted is None:
            return number > 1
        first, white, plies = self._counted
        return number == first + (len(self._lines[0]) - plies + (not white)) // 2

    def _take(self, token: Token) -> None:
        """Add a token to the present game."""
        game = self._game
        assert game is not None
        kind, start, end = token[:3]
        game.end = end
        if kind == "tag":
            self._take_tag(game, token)
            return
        moves = self._lines[-1]
        owner = moves[-1] if moves else None if self._opened else game.preface
        if game.result != NOWHERE:
            if kind == "comment":
                last = owner or game.preface
                last.comments.append(token)
                self._check_comment(game, token)
        elif self._skipped:
            self._skipped += (kind == "open") - (kind == "close")
        elif kind == "number":
            digits = re.match(r"[0-9]{1,9}(?![0-9])", self._text[start:end])
            if digits is not None and self._counted is None and len(self._lines) == 1:
                white = not _is_black(self._text[start:end])
                self._counted = (int(digits[0]), white, len(moves))
        elif kind == "move":
            self._moves += 1
            if self._moves > MAX_MOVES:
                raise TooMuch(start, f"more than {MAX_MOVES} moves in one file")
            owner = MoveText(start, self._text[start:end])
            owner.before, self._before = self._before, []
            moves.append(owner)
            self._lexer.header = False
        elif kind == "open":
            self._open_variation(start)
        elif kind == "close" and self._opened:
            self._close_variation()
        elif kind == "result" and not (self._opened and _CLOSED.match(self._text, end)):
            if any(at >= 0 for at in self._opened):
                game.faults.append((start, "a result inside a variation"))
            while self._opened:
                self._close_variation()
            game.result = start, end
            self._lexer.header = True
        elif kind in ("comment", "line") and owner is None:
            self._before.append(token)
            self._check_comment(game, token)
        elif owner is not None and kind in ("comment", "line", "glyph", "junk"):
            self._add_to(owner, token)
            self._check_comment(game, token)

    def _take_tag(self, game: GameText, token: Token) -> None:
        """Add a tag; too many are a fault of the game, and not kept."""
        if len(game.tags) < MAX_TAGS:
            game.tags.append(token)
            self._names.add(token.name)
        elif not game.faults:
            game.faults.append((token.start, f"more than {MAX_TAGS} tags"))

    def _add_to(self, owner: MoveText, token: Token) -> None:
        """Add a comment, a glyph or what says nothing to a move."""
        if token.kind in ("comment", "line"):
            owner.comments.append(token)
        elif token.kind == "glyph" and owner.offset >= 0:
            glyph = glyph_of(self._text[token.start : token.end])
            if glyph is not None:
                owner.glyphs.append(glyph)

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

    def _close_variation(self) -> None:
        """Give the last open variation to the move that it varies."""
        start = self._opened.pop()
        if start < 0:
            return
        line = self._lines.pop()
        varied = self._lines[-1][-1]
        if line:
            varied.variations.append(line)
        else:
            varied.comments += self._before
        self._before = []


def games_of(text: str) -> Iterator[GameText]:
    """Yield the games of a text in its order."""
    return _Parser(text).games()
