"""``setup`` and ``piece``: a game as XBoard has to be told of it."""

from __future__ import annotations

from ryugi_engine.games.game import Game
from xboard.features import KNOWN

#: XBoard's table of pieces names pictures by their place; the king's is the last of each colour.
_PAWN, _KING = 0, -1
#: Entries of the table for a colour, the king's included, at least.
_SHORTEST = 22
#: Pictures that fit a movement, by Betza's notation.
_PICTURES = {
    "N": 1,
    "B": 2,
    "R": 3,
    "RB": 4,
    "F": 5,
    "FA": 6,
    "A": 6,
    "BN": 7,
    "RN": 8,
    "W": 9,
    "K": 10,
    "NN": 12,
    "BNN": 7,
    "FD": 20,
}
#: Pictures for all others: unicorn, dragon, falcon, grasshopper, cobra, silver, lance and so on.
_OTHERS = (20, 14, 17, 15, 19, 16, 13, 11, 18, 7, 8, 5, 6, 9, 10, 12)
#: Pictures of pieces that are placed: they must not be pawns, which XBoard keeps off the edges.
_STONES = (9, 25, 10, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)


def _slots(game: Game) -> dict[int, str]:
    """The picture of every piece; XBoard's slot by letter, the other way round."""
    slots: dict[int, str] = {}
    letters = list(game.pieces)
    if game.placed:
        return dict(zip(_STONES, letters, strict=False))
    if game.royal:
        slots[_KING] = game.royal
    rest = []
    for letter in letters:
        if letter == game.royal:
            continue
        slot = _PAWN if letter == game.pawn else _PICTURES.get(game.pieces[letter])
        if slot is None or slot in slots:
            rest.append(letter)
        else:
            slots[slot] = letter
    free = [slot for slot in _OTHERS if slot not in slots]
    slots |= dict(zip(free, rest, strict=False))
    return slots


def piece_table(game: Game) -> str:
    """The letters by picture, White's then Black's, ``.`` for none."""
    slots = _slots(game)
    length = max(_SHORTEST, max(slots) + 2)
    white = "".join(slots.get(slot, ".") for slot in range(length - 1)) + slots.get(_KING, ".")
    return white + white.lower()


def betza(moves: str) -> str:
    """A piece's moves in XBoard's dialect, where the nightrider is N0: NN are two leapers."""
    return moves.replace("NN", "N0")


def piece_lines(game: Game) -> list[str]:
    """How the pieces move, which XBoard forgets with every position that an engine sends."""
    if game.name in KNOWN:
        return []
    return [f"piece {p}& {betza(moves)}" for p, moves in game.pieces.items() if moves]


def setup_lines(game: Game) -> list[str]:
    """What answers ``variant``; nothing for a game that XBoard knows."""
    if game.name in KNOWN:
        return []
    size = f"{game.files}x{game.ranks}+{game.pocket}_fairy"
    return [f"setup ({piece_table(game)}) {size} {game.start}", *piece_lines(game)]
