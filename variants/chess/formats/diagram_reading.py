"""Reading Interactive Diagrams: a diagram becomes a definition's table.

Source: the article "Interactive diagrams" of the Chess Variant Pages.
"""

from __future__ import annotations

import html
import re
import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ryugi_engine.games.definitions import NAME, DefinitionError, Reader
from ryugi_engine.games.notation import format_board, parse_square
from variants.chess.definition.definition import Square
from variants.chess.formats.diagram_writing import MOVES

_TAG = re.compile(r"<[^<>]*>")
_OPENING = re.compile(r"<([A-Za-z][A-Za-z0-9]*)\b([^<>]*)>")
#: A tag's slash and name.
_ANY_TAG = re.compile(r"<(/?)(\w+)")
_CLASS = re.compile(r"""\bclass\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE)
_PARAMETER = re.compile(r"([A-Za-z]\w*)\s*=\s*(.*)")
_PIECE = re.compile(r"([^:=<>]+):([^:]*)(?::([^:]*))?(?::([^:]*))?(?::([^:]*))?(?::([^:]*))?")
_RANGE = re.compile(r"([a-z][0-9]{1,2})-([a-z][0-9]{1,2})\Z")
#: Parameters that say how a diagram looks, or what its own player thinks.
_LOOKS = frozenset(
    """
    graphicsDir graphicsType whitePrefix blackPrefix lightShade darkShade rimColor coordColor
    squareSize satellite startShade useMarkers newClick firstRank borders promoPopup loadPrefix
    baseChar borderWidth spacing title
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_READ = frozenset(
    """
    files ranks promoZone maxPromote promoChoice promoOffset royal symmetry holdingsType
    """.split()  # noqa: SIM905
)


def _without_comments(text: str) -> str:
    """Return a page's text with nothing but the line breaks of its comments."""
    parts: list[str] = []
    at = 0
    while (begin := text.find("<!--", at)) >= 0:
        end = text.find("-->", begin)
        end = len(text) if end < 0 else end + len("-->")
        parts += text[at:begin], "\n" * text.count("\n", begin, end)
        at = end
    return "".join([*parts, text[at:]])


def _element(page: str) -> str | None:
    """Return the inside of a page's first element of the class ``idiagram``, if it has one.

    Its lines are those of the page. The time is linear in the page's length.
    """
    text = _without_comments(page)
    for opening in _OPENING.finditer(text):
        given = _CLASS.search(opening[2])
        if given is None or "idiagram" not in given[1].strip("\"'").split():
            continue
        depth, end = 1, len(text)
        for tag in _ANY_TAG.finditer(text, opening.end()):
            if tag[2].lower() == opening[1].lower():
                depth += -1 if tag[1] else 1
            if not depth:
                end = tag.start()
                break
        return "\n" * text.count("\n", 0, opening.end()) + html.unescape(text[opening.end() : end])
    return None


def diagram_in(text: str) -> str | None:
    """Return the diagram in a file's text, with its lines where they were; None if it has none."""
    if "idiagram" in text:
        inside = _element(text)
        if inside is not None:
            return inside
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or any(line.startswith("[") for line in lines):
        return None
    sized = any(re.match(r"(files|ranks)\s*=\s*[0-9]+\Z", line) for line in lines)
    pieces = any(line.count(":") >= 3 and "=" not in line for line in lines)
    return text if sized and pieces else None


class _Diagram:
    """The parameters and pieces of a diagram, with their lines."""

    def __init__(self, text: str, path: str) -> None:
        self.path, self.lines = path, {}  # type: tuple[str, dict[str, int]]
        self.values: dict[str, str] = {}
        #: (name, ID, moves, squares, further squares or number in hand, line).
        self.pieces: list[tuple[str, str, str, str, str, int]] = []
        for number, raw in enumerate(text.splitlines(), start=1):
            line = _TAG.sub("", raw).strip()
            if not line:
                continue
            parameter, piece = _PARAMETER.fullmatch(line), _PIECE.fullmatch(line)
            if piece is not None and (parameter is None or ":" in line.partition("=")[0]):
                name, sign, moves, _image, squares, other = (part or "" for part in piece.groups())
                self.pieces.append((name.strip(), sign, moves, squares, other, number))
            elif parameter is not None:
                self._set(parameter[1], parameter[2], number)
            else:
                reason = "is neither key=value nor name:ID:moves:image:squares"
                raise self.fail("(syntax)", reason, number)
        if not self.pieces:
            raise self.fail("(file)", "has no pieces", 1)

    def fail(self, key: str, reason: str, line: int = 0) -> DefinitionError:
        return DefinitionError(self.path, line or self.lines.get(key, 1), key, reason)

    def _set(self, key: str, value: str, line: int) -> None:
        self.lines[key] = line
        if key in _LOOKS:
            return
        if key not in _READ:
            raise self.fail(key, "cannot be read here, see LIMITS.md, 'Interactive Diagrams'")
        if key in self.values:
            raise self.fail(key, "stands here twice")
        self.values[key] = value.strip()

    def number(self, key: str, default: int, high: int) -> int:
        text = self.values.get(key, str(default))
        if not re.fullmatch("[0-9]{1,3}", text, re.ASCII) or int(text) > high:
            raise self.fail(key, f"'{text[:20]}' is not a whole number in 0..{high}")
        return int(text)


def _letters(diagram: _Diagram, offset: int) -> list[str]:
    """Return a letter for every piece; what others become may have an ID like ``+P``."""
    letters: list[str] = []
    for name, given, *_, line in diagram.pieces:
        sign = given.strip() or name[:1].upper()
        letters.append(sign if re.fullmatch("[A-Z]", sign) else "")
        if not letters[-1] and not (offset and len(letters) > offset):
            raise diagram.fail(name, f"'{sign[:20]}': a piece is one letter A-Z", line)
        if letters[-1] and letters[-1] in letters[:-1]:
            raise diagram.fail(name, f"another piece has the letter {sign}", line)
    free = [c for c in reversed(string.ascii_uppercase) if c not in letters]
    return [letter or free.pop(0) for letter in letters]


def _squares(diagram: _Diagram, text: str, name: str, line: int, size: Square) -> list[Square]:
    found: list[Square] = []
    for word in (part.strip() for part in text.split(",") if part.strip()):
        match = _RANGE.match(word)
        try:
            ends = [parse_square(w, *size) for w in (match.groups() if match else (word, word))]
        except ValueError as error:
            raise diagram.fail(name, str(error), line) from None
        files, ranks = (sorted(axis) for axis in zip(*ends, strict=True))
        found += [
            (file, rank)
            for rank in range(ranks[0], ranks[1] + 1)
            for file in range(files[0], files[1] + 1)
        ]
    return found


def _start(diagram: _Diagram, letters: list[str], size: Square, castles: bool) -> str:
    symmetry = diagram.values.get("symmetry", "mirror")
    turns = {"mirror": (False, True), "rotate": (True, True), "rotation": (True, True)}
    if symmetry not in (*turns, "none"):
        raise diagram.fail("symmetry", f"'{symmetry[:20]}' is none of mirror, rotate, none")
    board: dict[Square, str] = {}
    hands = ""
    for letter, (name, _, _, squares, other, line) in zip(letters, diagram.pieces, strict=True):
        white = _squares(diagram, squares, name, line, size)
        held = int(other) if re.fullmatch(r"\s*[0-9]{1,2}\s*", other, re.ASCII) else 0
        hands += letter * held + letter.lower() * held
        black = [] if held else _squares(diagram, other, name, line, size)
        if symmetry in turns and not black:
            across, along = turns[symmetry]
            black = [
                (size[0] - 1 - x if across else x, size[1] - 1 - y if along else y)
                for x, y in white
            ]
        for at, sign in [*((at, letter) for at in white), *((at, letter.lower()) for at in black)]:
            if at in board:
                raise diagram.fail(
                    name, f"two pieces stand on file {at[0] + 1}, rank {at[1] + 1}", line
                )
            board[at] = sign
    in_hand = f"[{hands}]" if hands or diagram.number("holdingsType", 0, 1) else ""
    return f"{format_board(board, *size)}{in_hand} w {'KQkq' if castles else '-'} - 0 1"


def _table(diagram: _Diagram) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the definition's table, and the line of each of its keys."""
    size = diagram.number("files", 8, 16), diagram.number("ranks", 8, 16)
    offset = diagram.number("promoOffset", 0, 60)
    letters = _letters(diagram, offset)
    pieces, lines = {}, dict(diagram.lines)
    for letter, (name, _, moves, *_, line) in zip(letters, diagram.pieces, strict=True):
        plain = re.sub("[^a-z]", "", name.lower())
        if not moves.strip() and plain not in MOVES:
            raise diagram.fail(name, "needs its moves: no piece of that name is known", line)
        pieces[letter], lines[f"pieces.{letter}"] = moves.strip() or MOVES[plain], line
    royal = _royal(diagram, letters)
    zone, most = diagram.number("promoZone", 1, size[1]), diagram.number("maxPromote", 1, 60)
    promoting = letters[:most]
    castles = any("O" in moves for moves in pieces.values())
    table: dict[str, Any] = {
        "files": size[0], "ranks": size[1], "pieces": pieces, "royal": royal or "-",
        "start": _start(diagram, letters, size, castles),
        "promotion_region": " ".join(f"*{rank}" for rank in range(size[1], size[1] - zone, -1)),
    }  # fmt: skip
    named = {
        name.lower(): letter for letter, (name, *_) in zip(letters, diagram.pieces, strict=True)
    }
    pawn = named.get("pawn", "")
    table["pawn"] = pawn or "-"
    steps = {letter: re.search(r"i[a-hj-z]*[A-NP-Z]", moves) for letter, moves in pieces.items()}
    if not any(steps.values()):
        table["double_step_region"] = "-"
    elif pawn and not steps[pawn]:  # without a name for it, no rule adds a double step
        table |= {"pawn": "-", "n_move_rule_types": pawn}
    takers = [letter for letter, moves in pieces.items() if "e" in moves]
    table["en_passant_types"] = "".join(takers) or "-"
    if offset:
        if offset + most > len(letters):
            raise diagram.fail("promoOffset", f"there is no piece number {offset + most}")
        table["promoted_piece_type"] = dict(zip(promoting, letters[offset:], strict=False))
        table["promotion"] = "-"
    else:
        default = "".join(p for p in letters if p not in promoting and p != royal)
        choice = re.sub("[^A-Za-z]", "", diagram.values.get("promoChoice", default)).upper()
        table |= {"promotion": choice if most else "-", "mandatory_pawn_promotion": zone == 1}
        table["promotion_pawn_types"] = "".join(promoting) or "-"
    if diagram.number("holdingsType", 0, 1):
        table |= {"captures_to_hand": True, "piece_drops": True}
    return table, lines


def _royal(diagram: _Diagram, letters: list[str]) -> str:
    number = diagram.number("royal", 0, len(letters))
    if number:
        return letters[number - 1]
    names = [name.lower() for name, *_ in diagram.pieces]
    return letters[names.index("king")] if "king" in names else ""


class _DiagramReader(Reader):
    """A diagram's table; errors name its own lines."""

    def __init__(
        self, diagram: _Diagram, name: str, table: Mapping[str, Any], lines: dict[str, int]
    ):
        super().__init__(diagram.path, name, table, {})
        self._diagram, self._lines = diagram, lines

    def fail(self, key: str, reason: str) -> DefinitionError:
        own = {"start": "files", "promotion": "promoChoice"}.get(key, key)
        return self._diagram.fail(key, reason, self._lines.get(own, 1))


def reader_of_diagram(text: str, path: Path) -> Reader:
    """Convert a diagram to a definition's table and return its reader; the file names the game."""
    diagram = _Diagram(text, str(path))
    name = re.sub("[^a-z0-9]+", "-", path.stem.lower()).strip("-")[:40]
    table, lines = _table(diagram)
    return _DiagramReader(diagram, name if NAME.match(name) else "diagram", table, lines)
