"""Parse numbers in input from others; ranges of the protocols' numbers."""

from __future__ import annotations

import re

from ryugi_engine.errors import UserError

#: Seconds beyond any sensible time: thirty years.
_SECONDS = 10**9
_PLIES = 10**6

#: Lowest and highest value of the protocols' numbers. Times are milliseconds in UCI (wtime and the
#: like), hundredths in CECP (time, otim) or seconds; a clock below zero has run out.
RANGES: dict[str, tuple[int, int]] = {
    # UCI
    "wtime": (-1000 * _SECONDS, 1000 * _SECONDS),
    "btime": (-1000 * _SECONDS, 1000 * _SECONDS),
    "winc": (-1000 * _SECONDS, 1000 * _SECONDS),
    "binc": (-1000 * _SECONDS, 1000 * _SECONDS),
    "movestogo": (-_PLIES, _PLIES),
    "depth": (0, _PLIES),
    "nodes": (0, 10**18),
    "mate": (0, _PLIES),
    "movetime": (0, 1000 * _SECONDS),
    "perft": (0, 40),
    "bench": (1, 60),
    # CECP
    "protover": (1, 10**6),
    "level moves": (0, _PLIES),
    "level minutes": (0, _SECONDS // 60),
    "level seconds": (0, 99),
    "level increment": (0, _SECONDS),
    "st": (0, _SECONDS),
    "sd": (0, _PLIES),
    "nps": (-1, 10**9),
    "time": (-100 * _SECONDS, 100 * _SECONDS),
    "otim": (-100 * _SECONDS, 100 * _SECONDS),
    "memory": (0, 10**9),
    "cores": (0, 10**6),
}
_WHOLE = re.compile(r"[+-]?[0-9]+", re.ASCII)
_DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)", re.ASCII)
#: Longer words are no numbers: Python refuses thousands of digits with an error of its own.
_LONGEST = 40


def whole(text: str, low: int, high: int) -> int:
    """Parse a whole number from ``low`` to ``high``; UserError says what is wrong.

    Digits are ASCII's; Python's own ``int`` takes ``1_000`` and other scripts' digits too.
    """
    if not _WHOLE.fullmatch(text):
        raise UserError(f"'{text[:40]}' is not a whole number")
    if len(text) > _LONGEST or not low <= int(text) <= high:
        raise UserError(f"{text[:40]} is not in {low}..{high}")
    return int(text)


def decimal(text: str, low: float, high: float) -> float:
    """Parse a number with an optional fraction, no exponent; UserError says what is wrong."""
    if not _DECIMAL.fullmatch(text):
        raise UserError(f"'{text[:40]}' is not a number")
    if len(text) > _LONGEST or not low <= float(text) <= high:
        raise UserError(f"{text[:40]} is not in {low:.15g}..{high:.15g}")
    return float(text)


def read(name: str, text: str) -> int:
    """Parse a protocol's whole number by its name in RANGES; the error begins with the name."""
    try:
        return whole(text, *RANGES[name])
    except UserError as error:
        raise UserError(f"{name}: {error}") from None


def read_decimal(name: str, text: str) -> float:
    """Parse a protocol's decimal number by its name in RANGES."""
    try:
        return decimal(text, *RANGES[name])
    except UserError as error:
        raise UserError(f"{name}: {error}") from None
