"""Parse and check the lines of a CECP engine; Malformed says what is wrong with one.

Source: T. Mann and H. G. Muller, "Chess Engine Communication Protocol", version 2.
"""

from __future__ import annotations

import re
from itertools import dropwhile

from ryugi_engine.errors import UserError
from ryugi_engine.match.compliance.lines import Info, Malformed
from ryugi_engine.match.engine import MATE
from ryugi_engine.match.engine_options import cecp_option

#: What may stand between ``feature`` and the end of its line.
_FEATURES = re.compile(r"(\w+)=(\"[^\"]*\"|'[^']*'|[^\s\"']+)(?:\s+|$)")
_SWITCHES = frozenset(
    """
    ping setboard playother san usermove time draw sigint sigterm reuse analyze colors ics name
    pause nps debug memory smp exclude setscore highlight done
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_TYPES = ("check", "spin", "slider", "combo", "string", "file", "path", "button", "save", "reset")
_THINKING = re.compile(
    r"\s*(\d{1,20})[-+.&\s]?\s*([+-]?\d{1,20})\s+(\d{1,20})\s+(\d{1,20})(\s.*)?", re.DOTALL
)
_STARTS = re.compile(r"\s*\d+[-+.&]?\s+[+-]?\d")
_RESULT = re.compile(r"(1-0|0-1|1/2-1/2)(\s+\{[^}]*\})?\s*")
#: Plies beyond any search.
_DEEPEST = 1000
#: A move in coordinates, of a piece that moves or one that is placed. Any other spelling is the
#: engine's own, which the protocol leaves to it.
_COORDINATES = re.compile(r"[a-z]\d+[a-z]\d+[a-z+]?|[A-Z]\d?@[a-z]+\d\S*|@@@@")
_NUMBERING = re.compile(r"\d+\.*|\.+")


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
            _check_option(value)
        results.append((name, value))
        at = match.end()
    if not results:
        raise Malformed("a feature without a name")
    return results


def _check_option(text: str) -> None:
    """Raise Malformed if an option is not as ``feature option="..."`` has them."""
    name, dash, rest = text.partition(" -")
    if not dash or not name.strip():
        raise Malformed("an option is not like 'NAME -TYPE VALUE'")
    kind, _, value = rest.partition(" ")
    option = cecp_option(text)
    if kind not in _TYPES:
        raise Malformed(f"type '{kind[:20]}' is not one of an option's")
    if not option.has_value and value.strip():
        raise Malformed(f"a {kind} has no value")
    if kind == "check" and value.strip() not in ("0", "1"):
        raise Malformed(f"check '{value[:20]}' is neither 0 nor 1")
    if kind in ("spin", "slider") and len(re.findall(r"\s-?\d+(?!\S)", f" {value}")) != 3:
        raise Malformed(f"{kind} '{value[:40]}' is not like 'VALUE MIN MAX'")
    if not all(option.choices):
        raise Malformed("an empty choice")
    if kind in ("spin", "slider"):
        try:
            option.read(option.default)
        except UserError as error:
            raise Malformed(f"{kind} {error}") from None


def is_thinking_line(line: str) -> bool:
    """Return whether a line seems to be thinking output."""
    return _STARTS.match(line) is not None and _RESULT.fullmatch(line) is None


def parse_thinking_line(line: str) -> Info:
    """Return the fields of a line of thinking output: ``ply score time nodes pv``.

    Of the moves those up to the first that is not written in coordinates.
    """
    match = _THINKING.fullmatch(line)
    if match is None:
        raise Malformed("not like 'ply score time nodes pv', all four whole numbers")
    depth, score, hundredths = (int(match[group]) for group in (1, 2, 3))
    if depth > _DEEPEST:
        raise Malformed(f"ply {depth}")
    info = Info({"depth": depth, "time": 10 * hundredths}, cp=score, pv=[])
    if abs(score) > MATE:
        info.mate = score - MATE if score > 0 else score + MATE
    for word in dropwhile(_NUMBERING.fullmatch, (match[5] or "").rpartition("\t")[2].split()):
        if not _COORDINATES.fullmatch(word):
            break
        assert info.pv is not None
        info.pv.append(word)
    info.pv = info.pv or None
    return info


def parse_result(line: str) -> str:
    """Return the result of a line like ``1-0 {White mates}``."""
    match = _RESULT.fullmatch(line)
    if match is None:
        raise Malformed("not like 'RESULT {comment}'")
    return match[1]


def is_result(line: str) -> bool:
    """Return whether a line reports the end of the game."""
    return line.split()[:1] in (["1-0"], ["0-1"], ["1/2-1/2"])
