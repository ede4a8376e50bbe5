"""Chess960 of a chess-like game: king and rooks begin on any files of their rank.

Castling takes them where it takes them in the game itself, and is written as the king taking the
rook. Sources: FIDE Laws of Chess, appendix "Chess960 Rules"; R. Scharnagl's numbers of the start
positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from variants.chess.definition.definition import Definition
from variants.chess.fast.game import KernelChoice
from variants.chess.notation.text import format_text, parse_text

#: Other names of such games.
_ALIASES = {"chess": ("fischerandom",), "capablanca": ("caparandom",)}
_TITLES = {"chess": "Chess960", "capablanca": "Capablanca Random Chess"}


def refusal(game: Definition, kernels: KernelChoice) -> str:
    """Return why a game has no Chess960, as a clause; "" if it has one."""
    rights = [way.right for way in game.ways]
    if game.chess960:
        return "it is one"
    if not rights:
        return "there is no castling"
    if len(set(rights)) < len(rights):
        return "there are several ways to castle to a side"
    return "" if kernels.fast else f"only the fast kernels play it ({kernels.name})"


def with_any_setup(game: Definition) -> Definition:
    """Return a game's Chess960 version, for example ``chess960`` for chess."""
    result = replace(
        game,
        name=f"{game.name}960",
        title=_TITLES.get(game.name, f"{game.title}960"),
        aliases=_ALIASES.get(game.name, ()),
        net=game.net or game.name,
        chess960=True,
    )
    return replace(result, start=format_text(result, parse_text(result, game.start)))


def start_positions(game: Definition) -> tuple[str, ...]:
    """Return Chess960's 960 start positions in the order of their numbers; () of other games."""
    if game.name != "chess960":
        return ()
    return tuple(
        f"{row.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{row} w"
        f" {_files_of_rooks(row).upper()}{_files_of_rooks(row)} - 0 1"
        for row in _rows()
    )


def _files_of_rooks(row: str) -> str:
    return "".join("abcdefgh"[file] for file in (row.rindex("R"), row.index("R")))


def _rows() -> Iterator[str]:
    """Yield the pieces on the first rank by number, 0 to 959."""
    for number in range(960):
        rest, light = divmod(number, 4)
        rest, dark = divmod(rest, 4)
        knights, queen = divmod(rest, 6)
        row = [""] * 8
        row[2 * light + 1] = row[2 * dark] = "B"
        _put(row, [queen], "Q")
        _put(row, list(combinations(range(5), 2))[knights], "NN")
        _put(row, range(3), "RKR")
        yield "".join(row)


def _put(row: list[str], places: range | list[int] | tuple[int, ...], pieces: str) -> None:
    """Put pieces on places that are counted among the empty files."""
    empty = [file for file, piece in enumerate(row) if not piece]
    for place, piece in zip(places, pieces, strict=True):
        row[empty[place]] = piece
