"""Interactive Diagrams as text: H. G. Muller's format, in which games are shown on web pages.

A line is ``key=value``, or a piece: ``name:ID:moves:image:squares``. Source: the article
"Interactive diagrams" of the Chess Variant Pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ryugi_engine.games.notation import square_name

#: Moves of pieces by their names, which a line may leave out.
MOVES: Mapping[str, str] = {
    "pawn": "fmWfceFifmnD", "knight": "N", "bishop": "B", "rook": "R", "queen": "RB",
    "king": "KisO2", "archbishop": "BN", "cardinal": "BN", "princess": "BN", "chancellor": "RN",
    "marshall": "RN", "empress": "RN", "amazon": "RBN", "ferz": "F", "wazir": "W",
    "commoner": "K", "man": "K", "centaur": "KN", "elephant": "FA", "alfil": "A",
    "dabbaba": "D", "camel": "C", "zebra": "Z", "nightrider": "NN", "grasshopper": "gQ",
    "cannon": "mRcpR", "gold": "WfF", "silver": "FfW", "lance": "fR", "unicorn": "BNN",
}  # fmt: skip
#: What a piece that none of them moves like is called.
_OTHER = "piece-"


class Game(NamedTuple):
    """What a diagram says of a game. Pieces are letters; signs on the board White's and Black's."""

    files: int
    ranks: int
    pieces: Mapping[str, str]
    board: Mapping[tuple[int, int], str]
    royal: str
    #: The pieces that promote at the far end.
    pawns: str
    #: To what; "" where pieces promote as in shogi.
    choice: str
    zone: int = 1
    #: What pieces become that promote as in shogi.
    promoted: Mapping[str, str] = {}
    #: Whether captured pieces change sides and are dropped.
    drops: bool = False


def write(game: Game) -> str:
    """Return a game's diagram."""
    lines = [f"files={game.files}", f"ranks={game.ranks}"]
    first = [*game.promoted] or [*game.pawns]
    becoming = [game.promoted[p] for p in first] if game.promoted else []
    rest = [p for p in game.pieces if p not in first and p not in game.promoted.values()]
    order = first + rest
    if first:
        lines += [f"promoZone={game.zone}", f"maxPromote={len(first)}"]
        lines.append(f"promoOffset={len(order)}" if becoming else f"promoChoice={game.choice}")
    if game.drops:
        lines.append("holdingsType=1")
    lines += ["graphicsDir=/graphics.dir/alfaerie/", "whitePrefix=w", "blackPrefix=b"]
    lines += ["graphicsType=gif", "symmetry=none"]
    if game.royal:
        lines.append(f"royal={order.index(game.royal) + 1}")
    names: dict[str, str] = {}
    for letter in order:
        names[letter] = _name(letter, game, names.values())
        lines.append(_line(names[letter], letter, letter, game))
    for letter, moves_as in zip(first, becoming, strict=False):
        lines.append(f"promoted-{names[letter]}:+{letter}:{game.pieces[moves_as]}:::")
    return "\n".join(lines) + "\n"


def _name(letter: str, game: Game, taken: Sequence[str] | object) -> str:
    """Return the usual name of a piece with these moves, which tells its picture."""
    moves = game.pieces[letter]
    for name, usual in MOVES.items():
        fits = usual == moves or (name == "king" and letter == game.royal)
        if fits and name not in taken:  # type: ignore[operator]
            return name
    return "pawn" if letter in game.pawns else _OTHER + letter.lower()


def _line(name: str, sign: str, letter: str, game: Game) -> str:
    squares = [
        ",".join(square_name(at) for at, found in sorted(game.board.items()) if found == wanted)
        for wanted in (letter, letter.lower())
    ]
    return f"{name}:{sign}:{game.pieces[letter]}::{squares[0]}:{squares[1]}"
