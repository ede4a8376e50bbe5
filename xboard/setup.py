"""The ``setup`` and ``piece`` commands, which describe a game to XBoard."""

from __future__ import annotations

import re

from ryugi_engine.games.game import Game
from xboard.features import KNOWN

#: Slots of XBoard's piece table, which select the picture; the king's is the last per colour.
_PAWN, _KING = 0, -1
#: The field of position texts that counts checks; XBoard does not read it.
_CHECKS = re.compile(r" [0-9]\+[0-9](?= )")
#: How many moves of a turn are left, after the side to move.
_MOVES_LEFT = re.compile("(?<= [wb])[0-9](?= )")
#: Minimum number of slots per colour, the king's included.
_SHORTEST = 22
#: File names of XBoard's pictures by slot: WhitePawn.svg, BlackPawn.svg and so on; the king's last.
_PICTURE_NAMES = (
    *("Pawn", "Knight", "Bishop", "Rook", "Queen", "Advisor", "Elephant", "Archbishop"),
    *("Marshall", "Gold", "Commoner", "Canon", "Nightrider", "CrownedBishop", "CrownedRook"),
    *("Princess", "Chancellor", "Hawk", "Lance", "Cobra", "Unicorn", "Lion", "Sword", "Zebra"),
    *("Camel", "Tower", "King"),
)
#: Slots whose picture fits a movement in Betza notation.
_PICTURES = {
    "N": 1,
    "B": 2,
    "R": 3,
    "RB": 4,
    "Q": 4,
    "nN": 1,
    "nA": 6,
    "WfF": 9,
    "mRcpR": 11,
    "BW": 13,
    "RF": 14,
    "fR": 18,
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
#: Slots for other pieces: unicorn, dragon, falcon, grasshopper, cobra, silver, lance and so on.
_OTHERS = (20, 14, 17, 15, 19, 16, 13, 11, 18, 7, 8, 5, 6, 9, 10, 12)
#: Slots for placement games: not the pawn's, which XBoard does not allow on the edge ranks.
_STONES = (9, 25, 10, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)


#: Slots of XBoard's own shogi, on which its rules of promotion depend.
_SHOGI_PICTURES = {"fW": 0, "fN": 1, "B": 2, "R": 3, "fR": 4, "FfW": 5, "WfF": 9}
#: The slot of what a piece becomes lies so many further.
_PROMOTED = 11


def _slots(game: Game) -> dict[int, str]:
    """Return the piece letter of each slot used, ``+`` and ``~`` where promoted pieces are."""
    letters = list(game.pieces)
    if game.placed:
        return dict(zip(_STONES, letters, strict=False))
    slots: dict[int, str] = {}
    start = game.start.split()[0]
    if game.royal and game.royal in start and game.royal.lower() in start:
        slots[_KING] = game.royal  # XBoard allows no move to a side that has no king
    pawn = game.pawn or game.promotes
    if game.parent in ("shogi", "crazyhouse"):
        return _with_promoted(game, slots, pawn)
    rest = []
    for letter in letters:
        if letter in slots.values():
            continue
        slot = _PAWN if letter == pawn else _PICTURES.get(game.pieces[letter])
        if slot is None or slot in slots:
            rest.append(letter)
        else:
            slots[slot] = letter
    free = [slot for slot in _OTHERS if slot not in slots]
    slots |= dict(zip(free, rest, strict=False))
    return slots


def _with_promoted(game: Game, slots: dict[int, str], pawn: str) -> dict[int, str]:
    """Return the slots of a game whose promoted pieces are told from others.

    They are those of ``+P`` in shogi, and of pawns that are pawns again when they are captured.
    """
    shogi = game.parent == "shogi"
    pictures = _SHOGI_PICTURES if shogi else _PICTURES
    begin = game.start.split()[0].upper()  # pieces that others become may have no letter of theirs
    letters = [p for p in game.pieces if p in begin or p not in game.promoted.values()]
    letters.sort(key=lambda p: (shogi and p not in game.promoted, p != pawn))
    for letter in letters:
        if letter in slots.values():
            continue
        wanted = _PAWN if letter == pawn else pictures.get(game.pieces[letter], _PROMOTED)
        most = _PROMOTED if letter in game.promoted else 2 * _PROMOTED
        free = [slot for slot in range(1, most) if slot not in slots]
        slot = wanted if wanted < most and wanted not in slots else free[0]
        slots[slot] = letter
        if slot < _PROMOTED and (letter in game.promoted or not (shogi or letter == pawn)):
            slots[slot + _PROMOTED] = "+" if shogi else "~"
    return slots


def piece_table(game: Game) -> str:
    """Return the piece table: letters by slot, White's then Black's, ``.`` for none."""
    slots = _slots(game)
    length = max(_SHORTEST, max(slots) + 2)
    white = "".join(slots.get(slot, ".") for slot in range(length - 1)) + slots.get(_KING, ".")
    return white + white.lower()


def picture_files(game: Game) -> dict[str, str]:
    """Return the piece letter, White's in upper case, that each of XBoard's picture files shows."""
    slots = {slot: letter for slot, letter in _slots(game).items() if letter.isalpha()}
    files = {f"White{_PICTURE_NAMES[slot]}.svg": letter for slot, letter in slots.items()}
    return files | {f"Black{_PICTURE_NAMES[slot]}.svg": p.lower() for slot, p in slots.items()}


def betza(moves: str) -> str:
    """Convert Betza notation to XBoard's dialect: the nightrider is N0, not NN."""
    return moves.replace("NN", "N0")


def piece_lines(game: Game) -> list[str]:
    """Return the ``piece`` lines; XBoard needs them again after every ``setboard`` of an engine."""
    if game.name in KNOWN:
        return []
    shown = {p: game.pieces[p] for p in game.pieces if p in "".join(_slots(game).values())}
    shown |= {f"+{p}": game.moves_of(f"+{p}") for p in game.promoted}
    return [f"piece {p}& {betza(moves)}" for p, moves in shown.items() if moves]


def completed(game: Game, fields: list[str]) -> str:
    """Complete a position text from XBoard, which leaves out fields.

    In games without castling there is only one field between side and clock; checks to give are
    never there, and then those of the start.
    """
    if len(fields) == 5 and fields[2] == "-" and fields[3].isdigit():
        fields = [*fields[:2], "-", *fields[2:]]
    checks = _CHECKS.search(game.start)
    if checks is not None and not _CHECKS.search(" ".join(fields)):
        fields = [*fields[:-2], checks[0].strip(), *fields[-2:]]
    return " ".join(fields)


def _in_hand(game: Game) -> int:
    """Return for how many kinds of pieces in hand XBoard has to make room."""
    if game.placed or not game.pocket:
        return game.pocket
    held = [p for slot, p in _slots(game).items() if slot != _KING and p.isalpha()]
    return min(len(held), game.ranks)


def setup_lines(game: Game, position: str = "") -> list[str]:
    """Return the answer to ``variant``; no lines for a game that XBoard knows.

    XBoard shows ``position``, by default the start.
    """
    if game.name in KNOWN:
        return []
    size = f"{game.files}x{game.ranks}+{_in_hand(game)}_{game.parent}"
    text = _MOVES_LEFT.sub("", _CHECKS.sub("", position or game.start))
    return [f"setup ({piece_table(game)}) {size} {text}", *piece_lines(game)]
