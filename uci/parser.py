"""Parsers of UCI commands' arguments. All of them raise UserError for faulty ones."""

from __future__ import annotations

from collections.abc import Sequence

from ryugi_engine.errors import UserError
from ryugi_engine.search.limits import Limits
from ryugi_engine.text.numbers import read

_WITH_NUMBER = (
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "perft",
)
_BARE = ("infinite", "ponder", "searchmoves")


def parse_go(arguments: Sequence[str]) -> tuple[Limits, int | None]:
    """Return the limits of a ``go`` command, and the depth of ``go perft`` or None."""
    numbers: dict[str, int] = {}
    search_moves: list[str] = []
    at = 0
    while at < len(arguments):
        word = arguments[at].lower()
        at += 1
        if word in _WITH_NUMBER:
            if at == len(arguments):
                raise UserError(f"go {word}: the number is missing")
            try:
                numbers[word] = read(word, arguments[at])
            except UserError as error:
                raise UserError(f"go {error}") from None
            at += 1
        elif word == "searchmoves":
            from ryugi_engine.games.game import read_move

            while at < len(arguments) and arguments[at].lower() not in (*_WITH_NUMBER, *_BARE):
                search_moves.append(read_move(arguments[at]))
                at += 1

    def seconds(name: str) -> float | None:
        # a negative clock counts as zero: the flag has fallen but a move is due
        return max(numbers[name], 0) / 1000 if name in numbers else None

    moves = numbers.get("movestogo", 0)
    limits = parse_infinite(arguments)._replace(
        time=(seconds("wtime"), seconds("btime")),
        increment=(seconds("winc") or 0.0, seconds("binc") or 0.0),
        moves_to_go=moves if moves > 0 else None,
        move_time=seconds("movetime"),
        depth=max(1, numbers["depth"]) if "depth" in numbers else None,
        nodes=numbers.get("nodes"),
        mate=numbers.get("mate"),
        search_moves=tuple(search_moves),
    )
    return limits, numbers.get("perft")


def parse_infinite(arguments: Sequence[str]) -> Limits:
    """Return whether a ``go`` command, even a faulty one, waits for ``stop`` or ``ponderhit``."""
    words = {word.lower() for word in arguments}
    return Limits(infinite="infinite" in words, ponder="ponder" in words)


def parse_position(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return (position text or None for the start, moves) of a ``position`` command.

    The text of ``position sfen`` begins with that word, as in files.
    """
    if not arguments:
        raise UserError("position: 'startpos' or 'fen' is missing")
    head, *rest = arguments
    moves: list[str] = []
    lower = [word.lower() for word in rest]
    if "moves" in lower:
        split = lower.index("moves")
        moves = list(rest[split + 1 :])
        rest = rest[:split]
    if head.lower() == "startpos":
        return None, moves
    if head.lower() not in ("fen", "sfen"):
        raise UserError(f"position: '{head[:40]}' is neither startpos nor fen")
    if not rest:
        raise UserError(f"position: no text after {head.lower()}")
    return " ".join(["sfen"] * (head.lower() == "sfen") + rest), moves


def parse_setoption(arguments: Sequence[str]) -> tuple[str, str]:
    """Return (name, value) of a ``setoption`` command; spaces are allowed in both."""
    lower = [word.lower() for word in arguments]
    if not lower or lower[0] != "name":
        raise UserError("setoption: 'name' is missing")
    if "value" in lower:
        split = lower.index("value")
        name, value = arguments[1:split], arguments[split + 1 :]
    else:
        name, value = arguments[1:], []
    if not name:
        raise UserError("setoption: the option's name is missing")
    return " ".join(name), " ".join(value)
