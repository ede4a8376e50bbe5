"""Parse and check the lines of a CECP engine; Malformed says what is wrong with one.

Source: T. Mann and H. G. Muller, "Chess Engine Communication Protocol", version 2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ryugi_engine.match.compliance.parsing import Malformed, whole_number

#: What may stand between ``feature`` and the end of its line.
_FEATURES = re.compile(r"(\w+)=(\"[^\"]*\"|'[^']*'|[^\s\"']+)(?:\s+|$)")
_SWITCHES = frozenset(
    """
    ping setboard playother san usermove time draw sigint sigterm reuse analyze colors ics name
    pause nps debug memory smp exclude setscore highlight done
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_WITHOUT_VALUE = ("button", "save", "reset")
_TEXTS = ("string", "file", "path")
_THINKING = re.compile(
    r"\s*(\d{1,20})[-+.&\s]?\s*([+-]?\d{1,20})\s+(\d{1,20})\s+(\d{1,20})(.*)", re.DOTALL
)
_STARTS = re.compile(r"\s*\d+[-+.&]?\s+[+-]?\d")
_SETUP = re.compile(r"setup\s+(?:\(([^)]*)\)\s+)?(?:(\d{1,4})x(\d{1,4})\+\d+_(\S+)\s+)?(\S.*)")
_RESULT = re.compile(r"(1-0|0-1|1/2-1/2)(\s+\{[^}]*\})?\s*")
#: Plies beyond which nobody searches.
_DEEPEST = 1000


def parse_features(line: str) -> list[tuple[str, str]]:
    """Return the names and values of a ``feature`` line; options have the name ``option``."""
    rest = line.strip().partition(" ")[2].strip()
    results: list[tuple[str, str]] = []
    at = 0
    while at < len(rest):
        match = _FEATURES.match(rest, at)
        if match is None:
            raise Malformed(f"'{rest[at : at + 40]}' is not like NAME=VALUE")
        name, value = match.groups()
        if name in _SWITCHES and value not in ("0", "1"):
            raise Malformed(f"{name}={value[:20]} is neither 0 nor 1")
        if name in ("myname", "variants", "option", "egt") and value[0] not in "\"'":
            raise Malformed(f"{name}: the text is not in quotes")
        value = value.strip("\"'")
        if name == "option":
            parse_option(value)
        results.append((name, value))
        at = match.end()
    if not results:
        raise Malformed("a feature without a name")
    return results


def parse_option(text: str) -> str:
    """Return the name of an option of ``feature option="..."``."""
    name, dash, rest = text.partition(" -")
    if not dash or not name.strip():
        raise Malformed("an option is not like 'NAME -TYPE VALUE'")
    kind, _, value = rest.partition(" ")
    if kind in _WITHOUT_VALUE:
        if value.strip():
            raise Malformed(f"a {kind} has no value")
    elif kind == "check":
        if value.strip() not in ("0", "1"):
            raise Malformed(f"check '{value[:20]}' is neither 0 nor 1")
    elif kind in ("spin", "slider"):
        tokens = value.split()
        if len(tokens) != 3:
            raise Malformed(f"{kind} '{value[:40]}' is not like 'VALUE MIN MAX'")
        number, low, high = (whole_number(kind, word) for word in tokens)
        if not low <= number <= high:
            raise Malformed(f"{number} is not within {low} and {high}")
    elif kind == "combo":
        choices = [choice.strip() for choice in value.split("///")]
        if not all(choices):
            raise Malformed("an empty choice")
    elif kind not in _TEXTS:
        raise Malformed(f"type '{kind[:20]}' is not one of an option's")
    return name.strip()


@dataclass(frozen=True)
class ThinkingLine:
    """A line of thinking output; the time in seconds."""

    depth: int
    score: int
    seconds: float
    nodes: int
    moves: list[str]


def is_thinking_line(line: str) -> bool:
    """Return whether a line seems to be thinking output."""
    return _STARTS.match(line) is not None and _RESULT.fullmatch(line) is None


def parse_thinking_line(line: str) -> ThinkingLine:
    """Return the fields of a line of thinking output: ``ply score time nodes pv``."""
    match = _THINKING.fullmatch(line)
    if match is None:
        raise Malformed("not like 'ply score time nodes pv', all four whole numbers")
    depth, score, hundredths, nodes = (int(match[group]) for group in (1, 2, 3, 4))
    if depth > _DEEPEST:
        raise Malformed(f"ply {depth}")
    rest = match[5]
    if rest and not rest[0].isspace():
        raise Malformed(f"'{match[4]}{rest[:20]}' is no count of nodes")
    moves = rest.rpartition("\t")[2].split()
    return ThinkingLine(depth, score, hundredths / 100, nodes, moves)


@dataclass(frozen=True)
class Setup:
    """What ``setup`` tells of a game; 0 where it says nothing of the board's size."""

    table: str
    files: int
    ranks: int
    start: str


def parse_setup(line: str) -> Setup:
    """Return the fields of a ``setup`` line."""
    match = _SETUP.fullmatch(line.strip())
    if match is None:
        raise Malformed("not like 'setup (TABLE) FILESxRANKS+HOLDINGS_PARENT FEN'")
    table = match[1] or ""
    if len(table) % 2:
        raise Malformed(f"'({table[:60]})': White's letters and Black's differ in number")
    return Setup(table, int(match[2] or 0), int(match[3] or 0), match[5].strip())


def parse_result(line: str) -> str:
    """Return the result of a line like ``1-0 {White mates}``."""
    match = _RESULT.fullmatch(line)
    if match is None:
        raise Malformed("not like 'RESULT {comment}'")
    return match[1]


def is_result(line: str) -> bool:
    """Return whether a line reports the end of the game."""
    return line.split()[:1] in (["1-0"], ["0-1"], ["1/2-1/2"])
