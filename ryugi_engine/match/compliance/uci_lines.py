"""Parse and check the lines of a UCI engine; Malformed says what is wrong with one.

Source: S. Meyer-Kahlen, "UCI protocol", 2006; ``lowerbound`` and ``wdl`` as engines write them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ryugi_engine.errors import UserError
from ryugi_engine.match.engine_options import EngineOption, option_fields, option_parts, uci_option
from ryugi_engine.text.numbers import whole

#: The types of options, and what may follow each.
_KEYS: dict[str, tuple[str, ...]] = {
    "check": ("default",),
    "spin": ("default", "min", "max"),
    "combo": ("default", "var"),
    "button": (),
    "string": ("default",),
}
#: Options whose type the specification names, and Fairy-Stockfish's.
_TYPES = {
    **dict.fromkeys(("hash", "nalimovcache", "multipv", "uci_elo", "threads"), "spin"),
    **dict.fromkeys(("nalimovpath", "uci_opponent"), "string"),
    **dict.fromkeys(("ponder", "ownbook", "uci_showcurrline", "uci_showrefutations"), "check"),
    **dict.fromkeys(("uci_limitstrength", "uci_analysemode", "uci_chess960"), "check"),
    "uci_showwdl": "check",
    "uci_variant": "combo",
}
#: A number of ``info`` with the highest that it may be.
_NUMBERS = {
    **dict.fromkeys(("depth", "seldepth", "multipv", "currmovenumber"), 10**6),
    **dict.fromkeys(("nodes", "nps", "tbhits", "sbhits"), 2**64),
    **dict.fromkeys(("hashfull", "cpuload"), 1000),
    "time": 10**12,
}
_KEYWORDS = {*_NUMBERS, "pv", "refutation", "currline", "score", "wdl", "currmove", "string"}
#: A score beyond which nothing can be meant.
_HIGHEST_SCORE = 1_000_000


class Malformed(ValueError):
    """A line does not follow the specification; the message is a short phrase."""


@dataclass
class Info:
    """Fields of a ``info`` line; None: it has none."""

    #: By UCI's names; ``time`` in milliseconds.
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


def parse_option(line: str) -> EngineOption:
    """Return the fields of an ``option`` line; Malformed says what is wrong with it."""
    try:
        name, kind, rest = option_parts(line)
    except ValueError:
        raise Malformed("not like 'option name NAME type TYPE ...'") from None
    if kind not in _KEYS:
        raise Malformed(f"type '{kind[:40]}' is none of {', '.join(_KEYS)}")
    if _TYPES.get(name.lower(), kind) != kind:
        raise Malformed(f"{name[:40]} is of type {_TYPES[name.lower()]}")
    if "value" in name.split():
        raise Malformed("no name may hold the word value")
    if kind == "string" and rest.startswith("default"):
        return EngineOption(name, kind, rest.removeprefix("default").strip())
    before, fields = option_fields(kind, rest)
    if before:
        raise Malformed(f"'{before[:40]}' after the type")
    values: dict[str, str] = {}
    for key, value in fields:
        if key not in _KEYS[kind]:
            raise Malformed(f"a {kind} has no {key}")
        if key in values and key != "var":
            raise Malformed(f"{key} twice")
        values[key] = value
    if kind != "button" and "default" not in values:
        raise Malformed("no default")
    for key in ("min", "max") if kind == "spin" else ():
        whole_number(key, values.get(key, ""))
    option = uci_option(line)
    try:
        if kind in ("check", "combo") and option.read(option.default) != option.default:
            raise Malformed(f"default '{option.default[:40]}' is spelled otherwise")
        option.read(option.default)
    except UserError as error:
        raise Malformed(f"default {error}") from None
    return option


def parse_info(line: str) -> Info:
    """Return the fields of an ``info`` line; Malformed says what is wrong with it."""
    tokens = line.split()[1:]
    if not tokens:
        raise Malformed("an empty info")
    fields: dict[str, list[str]] = {}
    for token in tokens:
        if token == "string":
            break
        if token in fields:
            raise Malformed(f"'{token}' twice")
        if token in _KEYWORDS:
            fields[token] = last = []
        elif not fields:
            raise Malformed(f"unknown word '{token[:40]}'")
        else:
            last.append(token)
    info = Info()
    for key, values in fields.items():
        if key == "pv":
            info.pv = values
        most = {"score": 4, "wdl": 3, "currmove": 1}.get(key, 1 if key in _NUMBERS else len(values))
        if len(values) > most:
            raise Malformed(f"unknown word '{values[most][:40]}'")
        if not values and key in ("pv", "currmove"):
            raise Malformed(f"no move after {key}")
        if key in _NUMBERS:
            info.numbers[key] = whole_number(key, "".join(values), 0, _NUMBERS[key])
    if info.rank < 1:
        raise Malformed("multipv begins with 1")
    if "score" in fields:
        _score(info, iter(fields["score"]))
    if "wdl" in fields:
        chances = [whole_number("wdl", text, 0, 1000) for text in fields["wdl"]]
        if len(chances) != 3 or sum(chances) != 1000:
            raise Malformed(f"wdl {chances} is not 1000 in all")
    return info


def _score(info: Info, tokens: Iterator[str]) -> None:
    kind, value = next(tokens, ""), next(tokens, "")
    if kind not in ("cp", "mate"):
        raise Malformed(f"score '{kind[:20]} {value[:20]}' is neither 'cp N' nor 'mate N'")
    number = whole_number(f"score {kind}", value)
    if kind == "cp" and abs(number) > _HIGHEST_SCORE:
        raise Malformed(f"score cp {number}")
    setattr(info, kind, number)
    for token in tokens:
        if token not in ("lowerbound", "upperbound"):
            raise Malformed(f"unknown word '{token[:40]}'")
        if info.bound:
            raise Malformed("two bounds of a score")
        info.bound = token


def parse_bestmove(line: str) -> tuple[str, str]:
    """Return the move and the ponder move of a ``bestmove`` line, "" if there is none."""
    tokens = line.split()[1:]
    if not tokens:
        raise Malformed("no move after bestmove")
    if len(tokens) == 1:
        return tokens[0], ""
    if len(tokens) != 3 or tokens[1] != "ponder":
        raise Malformed(f"'{' '.join(tokens[1:])[:60]}' after the move")
    return tokens[0], "" if tokens[2] in ("(none)", "0000") else tokens[2]


def whole_number(what: str, text: str, low: int = -(2**64), high: int = 2**64) -> int:
    """Read a whole number; Malformed names it if it is none, or out of its range."""
    try:
        return whole(text, low, high)
    except UserError as error:
        raise Malformed(f"{what} {error}") from None
