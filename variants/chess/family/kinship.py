"""The net of the most similar game, made to fit another.

The games that come with a net are listed in a file with what they are like, so that none of them
is read to find the most similar one. `scripts/train-nets` writes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ryugi_engine.errors import UserError
from ryugi_engine.games.training import HAND, Training
from ryugi_engine.nnue.file_format import read_net
from ryugi_engine.nnue.inputs import Inputs
from ryugi_engine.nnue.net import Net
from variants.chess.definition.definition import Definition
from variants.chess.definition.likeness import LOSES_PIECES, Likeness, likeness_of
from variants.chess.definition.values import piece_values

NETS = Path(__file__).parents[1] / "nets"
INDEX = NETS / "likeness.json"
#: The share from which a net of another game helps.
_ENOUGH = 0.4
#: What an aim counts for, where a kind of piece counts for 1.
_AIM = 0.5


class Kinship(NamedTuple):
    """How alike a game is to another that has a net; the greatest is the most alike."""

    #: The share that both have of what one of them has: kinds of piece, on the board and in hand,
    #: and aims; 0 where one wants to lose pieces and the other to win them.
    share: float
    #: Files and ranks that only one of the boards has, negative.
    board: int
    #: From how many positions the net learnt.
    positions: int


def likeness(game: Definition, inputs: Inputs) -> Likeness:
    """Return what a game is like; ``inputs`` are its nets'."""
    names = (counter.name for counter in inputs.counters)
    return likeness_of(game, (name.removesuffix(HAND) for name in names if name.endswith(HAND)))


def kinship(own: Likeness, other: Likeness, positions: int) -> Kinship:
    """Return how alike two games are."""
    both = len(own.kinds & other.kinds) + len(own.hands & other.hands)
    one = len(own.kinds | other.kinds) + len(own.hands | other.hands)
    share = (both + _AIM * len(own.aims & other.aims)) / (one + _AIM * len(own.aims | other.aims))
    turned = LOSES_PIECES in own.aims ^ other.aims
    board = -sum(abs(a - b) for a, b in zip(own.board, other.board, strict=True))
    return Kinship(0.0 if turned else share, board, positions)


def net_file(name: str) -> Path | None:
    """Return the path of a shipped net by its name; None if there is none."""
    path = NETS / f"{name}.net"
    return path if re.fullmatch("[a-z0-9-]+", name) and path.is_file() else None


# ---- the index -----------------------------------------------------------------------------------


def entry_of(name: str, net: Net) -> dict[str, Any]:
    """Return the index's entry of a game that comes with a net."""
    from variants.chess import definition_of  # late: it imports these rules

    game = definition_of(name)
    assert game is not None
    like = likeness(game, net.inputs)
    return {
        "board": [*like.board],
        "kinds": sorted(like.kinds),
        "hands": sorted(like.hands),
        "aims": sorted(like.aims),
        "positions": int(net.metadata.get("positions", 0)),
    }


@cache
def _index() -> Mapping[str, tuple[Likeness, int]]:
    """Return the listed games; UserError if the list is damaged."""
    try:
        entries = json.loads(INDEX.read_text(encoding="ascii"))
    except (OSError, ValueError) as error:
        raise UserError(f"{INDEX}: {error}") from None
    found = {}
    for name, entry in entries.items():
        files, ranks = entry["board"]
        sets = (frozenset(entry[key]) for key in ("kinds", "hands", "aims"))
        found[name] = Likeness((files, ranks), *sets), int(entry["positions"])
    return found


def moves_alike(game: Definition, inputs: Inputs, name: str) -> bool:
    """Return whether a game's pieces move as those of a listed game; letters do not tell."""
    listed = _index().get(name)
    return listed is None or listed[0].kinds == likeness(game, inputs).kinds


def nearest(own: Likeness, name: str) -> tuple[str, Kinship] | None:
    """Return the most similar game with a net, but not that of a name; None if none is similar."""
    entries = ((n, kinship(own, *entry)) for n, entry in _index().items() if n != name)
    best = max(entries, key=lambda entry: entry[1], default=None)
    return best if best is not None and best[1].share >= _ENOUGH else None


# ---- a net that fits -----------------------------------------------------------------------------


class _Piece(NamedTuple):
    """What a kind of piece is like."""

    moves: frozenset[Any]
    #: Centipawns; 0 for a royal piece.
    value: int


def _pieces(game: Definition) -> dict[str, _Piece]:
    values = piece_values(game)
    return {
        kind.sign: _Piece(frozenset(game.pieces[kind.moves_as].moves), values[kind.moves_as])
        for kind in game.kinds()
    }


def _most_alike(kind: str, like: _Piece, others: Mapping[str, _Piece]) -> str:
    """Return the kind of others with the same moves, else that of the nearest value.

    Promoted kinds go to promoted ones, and royal ones to royal ones, where there are any.
    """

    def distance(other: str) -> tuple[bool, bool, int, bool]:
        theirs = others[other]
        moves_differ = theirs.moves != like.moves
        is_royal = (theirs.value == 0) != (like.value == 0)
        is_marked = other.strip("+~") != kind if moves_differ else other[-1:] != kind[-1:]
        return is_royal, moves_differ, abs(theirs.value - like.value), is_marked

    return min(others, key=distance)


def adapted(net: Net, other: Definition, game: Definition, training: Training) -> Net:
    """Return a net of another game for this one; UserError if it is not that game's."""
    theirs = _pieces(other)
    if {*net.inputs.kinds} != {*theirs}:
        raise UserError(f"a net of {net.game}, {training.inputs.difference(net.inputs)}")
    sources = {kind: _most_alike(kind, like, theirs) for kind, like in _pieces(game).items()}
    return net.with_inputs(game.name, training.inputs, dict(training.rules), sources)


def similar_net(name: str, game: Definition, training: Training) -> Net:
    """Return the net of a listed game, made to fit another."""
    from variants.chess import definition_of  # late: it imports these rules

    other = definition_of(name)
    assert other is not None
    return adapted(read_net(NETS / f"{name}.net"), other, game, training)
