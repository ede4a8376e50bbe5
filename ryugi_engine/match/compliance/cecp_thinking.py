"""Checks of a CECP engine's thinking output."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import dropwhile

from ryugi_engine.games.game import counted
from ryugi_engine.match.compliance.cecp import CecpChecker, checked
from ryugi_engine.match.compliance.cecp_lines import (
    ThinkingLine,
    is_thinking_line,
    parse_thinking_line,
)
from ryugi_engine.match.compliance.connection import Line, shown
from ryugi_engine.match.compliance.parsing import Malformed
from ryugi_engine.match.compliance.steps import Fault, Search, Skip

#: A move in coordinates, of a piece that moves or one that is placed. Any other spelling is the
#: engine's own, which the protocol leaves to it.
_COORDINATES = re.compile(r"[a-z]\d+[a-z]\d+[a-z+]?|[A-Z]\d?@[a-z]+\d\S*|@@@@")
_NUMBERING = re.compile(r"\d+\.*|\.+")


def thinking_lines(search: Search) -> list[Line]:
    """Return the lines of a search's thinking output."""
    return [line for line in search.lines if is_thinking_line(line.text)]


def thinking(search: Search) -> Iterator[tuple[Line, ThinkingLine]]:
    """Return the well-formed lines of a search's thinking output."""
    for line in thinking_lines(search):
        try:
            yield line, parse_thinking_line(line.text)
        except Malformed:
            continue


def moves_of(output: ThinkingLine) -> list[str]:
    """Return the moves of a line up to the first that is not written in coordinates."""
    moves: list[str] = []
    for word in dropwhile(_NUMBERING.fullmatch, output.moves):
        if not _COORDINATES.fullmatch(word):
            break
        moves.append(word)
    return moves


async def nopost(checker: CecpChecker) -> str:
    """No thinking output behind ``nopost``, some behind ``post``."""
    place = checker.places.start
    messages = []
    for word in ("nopost", "post"):
        await checker.set_up(place)
        checker.connection.send(word)
        search = await checker.go(place)
        messages.append(len(thinking_lines(search)))
        if word == "nopost" and thinking_lines(search):
            raise Fault(f"'{shown(thinking_lines(search)[0].text)}' behind nopost")
    if not messages[1]:
        raise Fault("no thinking output behind post")
    return counted(messages[1], "line") + " behind post"


async def lines(checker: CecpChecker) -> str:
    """Every line of thinking output is ``ply score time nodes pv``, and time never goes back."""
    number = 0
    for search in _searches(checker):
        seconds = 0.0
        for line in thinking_lines(search):
            number += 1
            try:
                output = parse_thinking_line(line.text)
            except Malformed as error:
                raise Fault(f"'{shown(line.text)}': {error}") from None
            if output.seconds < seconds:
                raise Fault(f"'{shown(line.text)}': less time than before")
            seconds = output.seconds
            if seconds > line.when - search.began + checker.margin:
                wall = line.when - search.began
                raise Fault(f"'{shown(line.text)}': after {wall:.2f} s")
    if not number:
        raise Fault("no thinking output in any search")
    return counted(number, "line")


async def variations(checker: CecpChecker) -> str:
    """Variations in coordinates are legal to their end."""
    number = own = 0
    for search in _searches(checker):
        for line, output in thinking(search):
            trial = search.position.copy()
            moves = moves_of(output)
            for move in moves:
                trial.push(checked(trial, move, shown(line.text)))
            number += bool(moves)
            own += bool(output.moves) and not moves
    if not number:
        raise Skip("it writes none in coordinates")
    return counted(number, "variation") + (f"; {own} in a spelling of its own" if own else "")


def _searches(checker: CecpChecker) -> list[Search]:
    if not checker.searches:
        raise Skip("no search came to its end")
    return checker.searches


def deepest(search: Search) -> int:
    """Return the maximum depth in plies of a search's thinking output."""
    return max((output.depth for _line, output in thinking(search)), default=0)
