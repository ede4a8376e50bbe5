"""Parse and check the lines of a UCI engine; Malformed says what is wrong with one.

Source: S. Meyer-Kahlen, "UCI protocol", 2006; ``lowerbound`` and ``wdl`` as engines write them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ryugi_engine.match.compliance.parsing import Malformed, whole_number
from ryugi_engine.match.engine_options import EngineOption, option_fields, option_parts

_KINDS = ("check", "spin", "combo", "button", "string")
#: Options whose type the specification names, and Fairy-Stockfish's.
_TYPES = {
    "hash": "spin",
    "nalimovpath": "string",
    "nalimovcache": "spin",
    "ponder": "check",
    "ownbook": "check",
    "multipv": "spin",
    "uci_showcurrline": "check",
    "uci_showrefutations": "check",
    "uci_limitstrength": "check",
    "uci_elo": "spin",
    "uci_analysemode": "check",
    "uci_opponent": "string",
    "uci_chess960": "check",
    "uci_variant": "combo",
    "uci_showwdl": "check",
    "threads": "spin",
}
#: A number of ``info`` with the highest that it may be.
_NUMBERS = {
    "depth": 10**6,
    "seldepth": 10**6,
    "time": 10**12,
    "nodes": 2**64,
    "multipv": 10**6,
    "currmovenumber": 10**6,
    "hashfull": 1000,
    "nps": 2**64,
    "tbhits": 2**64,
    "sbhits": 2**64,
    "cpuload": 1000,
}
_LISTS = ("pv", "refutation", "currline")
_KEYWORDS = {*_NUMBERS, *_LISTS, "score", "wdl", "currmove", "string"}
#: A score beyond which nothing can be meant.
_HIGHEST_SCORE = 1_000_000


def parse_option(line: str) -> EngineOption:
    """Return the fields of an ``option`` line; Malformed says what is wrong with it."""
    try:
        name, kind, rest = option_parts(line)
    except ValueError:
        raise Malformed("not like 'option name NAME type TYPE ...'") from None
    if kind not in _KINDS:
        raise Malformed(f"type '{kind}' is none of {', '.join(_KINDS)}")
    usual = _TYPES.get(name.lower(), kind)
    if usual != kind:
        raise Malformed(f"{name} is of type {usual}")
    if re.search(r"(^|\s)value(\s|$)", name):
        raise Malformed("no name may hold the word value")
    values, choices = _values(rest, kind)
    default = values.get("default", "")
    if kind == "button":
        if values or choices:
            raise Malformed("a button has no default")
        return EngineOption(name, kind)
    if "default" not in values:
        raise Malformed("no default")
    low = high = 0
    if kind == "spin":
        low, high, number = (
            whole_number(key, values.get(key, "")) for key in ("min", "max", "default")
        )
        if not low <= number <= high:
            raise Malformed(f"default {number} is not within {low} and {high}")
    elif kind == "check" and default not in ("true", "false"):
        raise Malformed(f"default '{default[:40]}' is neither true nor false")
    elif kind == "combo" and default not in choices:
        raise Malformed(f"default '{default[:40]}' is none of its choices")
    return EngineOption(name, kind, default, low, high, tuple(choices))


def _values(rest: str, kind: str) -> tuple[dict[str, str], list[str]]:
    """Return the values after the type by their keys, and the choices of ``var``."""
    values: dict[str, str] = {}
    choices: list[str] = []
    if kind == "string" and rest.startswith("default"):
        return {"default": rest.removeprefix("default").strip()}, []  # whatever stands in it
    before, fields = option_fields(kind, rest)
    if before:
        raise Malformed(f"'{before[:40]}' behind the type")
    for key, value in fields:
        allowed = {"spin": ("default", "min", "max"), "combo": ("default", "var")}
        if key not in allowed.get(kind, ("default",)):
            raise Malformed(f"a {kind} has no {key}")
        if key == "var":
            choices.append(value)
        elif key in values:
            raise Malformed(f"{key} twice")
        else:
            values[key] = value
    return values, choices


@dataclass
class Info:
    """Fields of an ``info`` line; None or empty where it has none."""

    numbers: dict[str, int] = field(default_factory=dict)
    cp: int | None = None
    mate: int | None = None
    bound: str = ""
    pv: list[str] | None = None

    @property
    def scored(self) -> bool:
        """Whether the line has a score."""
        return self.cp is not None or self.mate is not None

    @property
    def rank(self) -> int:
        """Number of the principal variation, from 1 (``multipv``)."""
        return self.numbers.get("multipv", 1)


def parse_info(line: str) -> Info:
    """Return the fields of an ``info`` line; Malformed says what is wrong with it."""
    tokens = line.split()[1:]
    info = Info()
    if not tokens:
        raise Malformed("an empty info")
    seen: set[str] = set()
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token not in _KEYWORDS:
            raise Malformed(f"unknown word '{token[:40]}'")
        if token == "string":
            break
        if token in seen:
            raise Malformed(f"'{token}' twice")
        seen.add(token)
        if token in _NUMBERS:
            info.numbers[token] = _number(token, tokens[at : at + 1], _NUMBERS[token])
            at += 1
        elif token == "score":
            at = _score(info, tokens, at)
        elif token == "wdl":
            at = _chances(tokens, at)
        elif token == "currmove":
            if at == len(tokens):
                raise Malformed("no move behind currmove")
            at += 1
        else:
            end = at
            while end < len(tokens) and tokens[end] not in _KEYWORDS:
                end += 1
            if token == "pv":
                info.pv = tokens[at:end]
                if not info.pv:
                    raise Malformed("no move behind pv")
            at = end
    if info.numbers.get("multipv", 1) < 1:
        raise Malformed("multipv begins with 1")
    return info


def _number(key: str, tokens: Sequence[str], highest: int) -> int:
    return whole_number(key, tokens[0] if tokens else "", 0, highest)


def _score(info: Info, tokens: Sequence[str], at: int) -> int:
    kind, value = [*tokens[at : at + 2], "", ""][:2]
    if kind not in ("cp", "mate"):
        raise Malformed(f"score '{kind[:20]} {value[:20]}' is neither 'cp N' nor 'mate N'")
    number = whole_number(f"score {kind}", value)
    if kind == "mate":
        info.mate = number
    else:
        info.cp = number
        if abs(number) > _HIGHEST_SCORE:
            raise Malformed(f"score cp {number}")
    at += 2
    while at < len(tokens) and tokens[at] in ("lowerbound", "upperbound"):
        if info.bound:
            raise Malformed("two bounds of a score")
        info.bound = tokens[at]
        at += 1
    return at


def _chances(tokens: Sequence[str], at: int) -> int:
    chances = [_number("wdl", tokens[at + i : at + i + 1], 1000) for i in range(3)]
    if sum(chances) != 1000:
        raise Malformed(f"wdl {chances} is not 1000 in all")
    return at + 3


def parse_bestmove(line: str) -> tuple[str, str]:
    """Return the move and the ponder move of a ``bestmove`` line, "" if there is none."""
    tokens = line.split()[1:]
    if not tokens:
        raise Malformed("no move behind bestmove")
    if len(tokens) == 1:
        return tokens[0], ""
    if len(tokens) != 3 or tokens[1] != "ponder":
        raise Malformed(f"'{' '.join(tokens[1:])[:60]}' behind the move")
    return tokens[0], "" if tokens[2] in ("(none)", "0000") else tokens[2]
