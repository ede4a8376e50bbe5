"""The rules of a game on one page: what RULES.md says, what the definition says, and diagrams.

The page is Markdown with diagrams between; terminals show it as it is.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ryugi_engine.games.game import Game
from ryugi_engine.games.look import CHEQUERED
from ryugi_engine.games.move_diagram import Offset, diagram_text
from ryugi_engine.games.registry import move_marks

#: Sections of RULES.md that are not about play.
_LEFT_OUT = ("Engine", "Your own", "Pictures")
_HEADING = re.compile(r"(?m)^(#+) (.*)$")
_COLUMNS = 79


class PieceDiagram(NamedTuple):
    """The diagram of a piece's moves, see :mod:`ryugi_engine.games.move_diagram`."""

    letter: str
    name: str
    betza: str
    marks: Mapping[Offset, str]

    @property
    def title(self) -> str:
        """The piece's name, with its letter."""
        return (
            f"Piece {self.letter}" if self.name == self.letter else f"{self.name} ({self.letter})"
        )


class RulesPage(NamedTuple):
    """A game's rules: Markdown without diagrams, then the diagrams of its pieces."""

    title: str
    text: str
    pieces: list[PieceDiagram]
    #: One of ``look.BOARDS``, on which diagrams are drawn.
    board: str = CHEQUERED

    def lines(self) -> Iterator[str]:
        """Yield the lines of the page for a terminal."""
        yield from (self.title, "=" * len(self.title))
        before = ""
        for mark, text in blocks(self.text):
            begins, before = mark != ITEM or before != ITEM, mark
            if mark in (TABLE, CODE):
                yield from ("", *text.splitlines())
                continue
            yield from [""] if begins else []
            yield from textwrap.wrap(
                f"{mark}{text}", _COLUMNS, subsequent_indent=" " * len(mark) * (mark == ITEM),
                break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
        for piece in self.pieces:
            yield ""
            yield from diagram_text(piece.letter, piece.title, piece.marks).splitlines()


#: Kinds of blocks: what stands before their text.
HEADING, ITEM, TABLE, CODE, PARAGRAPH = "## ", "- ", "|", "```", ""


def blocks(text: str) -> list[tuple[str, str]]:
    """Return Markdown's blocks: their kind, and their text with the lines of a paragraph joined.

    Only what RULES.md files use is known.
    """
    found: list[tuple[str, str]] = []
    joins, code = False, False
    for line in text.splitlines():
        if line.startswith(CODE):
            code = not code
            if code:
                found.append((CODE, ""))
            joins = False
        elif code or line.startswith(TABLE):
            kind = CODE if code else TABLE
            if found and found[-1][0] == kind and (code or joins):
                found[-1] = kind, f"{found[-1][1]}\n{line}".strip("\n")
            else:
                found.append((kind, line))
            joins = True
        elif not line.strip():
            joins = False
        elif heading := _HEADING.match(line):
            found.append((HEADING, heading[2]))
            joins = False
        elif line.startswith(ITEM):
            found.append((ITEM, line.removeprefix(ITEM)))
            joins = True
        elif joins and found[-1][0] in (ITEM, PARAGRAPH):
            found[-1] = found[-1][0], f"{found[-1][1]} {line.strip()}"
        else:
            found.append((PARAGRAPH, line.strip()))
            joins = True
    return found


def rules_page(game: Game) -> RulesPage:
    """Return the page of a game's rules."""
    return RulesPage(game.title, _text(game), diagrams(game), game.look.board)


def diagrams(game: Game) -> list[PieceDiagram]:
    """Return the diagrams of all pieces that move, the royal one first and promoted ones last."""
    start = game.start.split()[0].upper()
    promoted = {*game.promoted.values()}
    # a piece that comes by promotion alone is shown as what has promoted
    plain = [letter for letter in game.pieces if letter in start or letter not in promoted]
    plain.sort(key=lambda letter: letter != game.royal)
    moving = {letter: game.pieces[letter] for letter in plain}
    moving |= {f"+{letter}": game.moves_of(f"+{letter}") for letter in game.promoted}
    return [
        PieceDiagram(sign, game.called(sign), betza, move_marks(betza))
        for sign, betza in moving.items()
        if betza
    ]


def _text(game: Game) -> str:
    text = _written(game)
    if not text and game.sentences is not None:
        lines = game.sentences()
        text = "".join(f"{'' if s.startswith(HEADING) else '- '}{s}\n" for s in lines)
    about = f"{game.about}.\n" if game.about else ""
    return f"{about}\n{text}"


def _written(game: Game) -> str:
    """Return what RULES.md says of a game, "" if there is none."""
    path = None if game.folder is None else game.folder / "RULES.md"
    if path is None or not path.is_file():
        return ""
    sections = _sections(path.read_text(encoding="utf-8"))
    for heading, body in sections:
        if heading == game.title:
            return body.strip() + "\n"
    if not sections or not sections[0][0].startswith(game.title.partition(",")[0]):
        return ""  # it is about several games
    kept = [f"## {heading}\n{body}" for heading, body in sections[1:] if _is_kept(heading)]
    return f"{sections[0][1].strip()}\n\n{''.join(kept)}".rstrip() + "\n"


def _is_kept(heading: str) -> bool:
    return not heading.startswith(_LEFT_OUT)


def _sections(text: str) -> list[tuple[str, str]]:
    """Return (heading, text) of all sections of the first two levels."""
    found = [match for match in _HEADING.finditer(text) if len(match[1]) <= 2]
    ends = [match.start() for match in found[1:]] + [len(text)]
    return [(match[2], text[match.end() : end]) for match, end in zip(found, ends, strict=True)]
