"""Write definitions of invented games, which a hypernetwork learns what pieces are like from.

    scripts/random_games.py NUMBER > games.toml

Pieces are random Betza atoms, boards have six to ten files and ranks, some games have drops or
squares that win. The same number of games is always the same games.
"""

from __future__ import annotations

import random
import sys

_LEAPS = ("W", "F", "N", "D", "A", "C", "Z", "H", "fW", "fF", "fN", "sW", "bF", "fD", "fA", "bN")
_ODD = ("mN", "cN", "mWcF", "mFcW", "nN", "nA", "nD", "mB2", "cR2", "mK", "cK", "fmWfcF")
_RIDES = ("R", "B", "NN", "R2", "B2", "R3", "B3", "fR", "fB", "sR", "bB", "DD", "R4", "fsR", "bR")
_HOPS = ("pR", "pB", "gQ", "mRcpR", "mBcpB", "cR", "mR", "mB", "cB", "mRcB", "mBcR")
_PAWNS = ("fmWfceF", "fmWfceFifmnD", "fmFfcW", "fmWfceFsmW", "fW", "fmWfcF", "fsW")
_BOARDS = ((8, 8), (8, 8), (8, 8), (9, 8), (10, 8), (9, 9), (10, 10), (8, 10), (7, 7), (6, 6))


def _betza(source: random.Random, kind: str) -> str:
    """Return the moves of a piece of a kind: minor, slider or major."""
    while True:
        if kind == "minor":
            atoms = source.sample(_LEAPS[:8], 1) + source.sample(_LEAPS, source.choice((0, 1)))
            atoms = source.choice((atoms, atoms, source.sample(_ODD, 1)))
        elif kind == "slider":
            atoms = source.sample(_RIDES, 1) + source.sample(_LEAPS, source.choice((0, 1, 1)))
            atoms = source.choice((atoms, atoms, source.sample(_HOPS, 1)))
        else:
            atoms = source.sample(_RIDES[:8], 2) + source.sample(_LEAPS[:8], source.choice((0, 1)))
        if len(set(atoms)) == len(atoms):
            return "".join(atoms)


def _game(source: random.Random, name: str) -> str:
    files, ranks = source.choice(_BOARDS)
    kinds = ["slider", "minor", "minor", "major", "slider", "minor"][: 3 + files // 3]
    pieces = {letter: _betza(source, kind) for letter, kind in zip("ABCDEFG", kinds, strict=False)}
    small = [letter for letter in pieces if letter != "D"]
    half = [small[n % len(small)] for n in range((files - 2) // 2)]
    middle = "DK" if files % 2 == 0 else "DK" + source.choice(small)
    row = "".join([*half, *middle, *half[::-1]])
    empty = "/".join([str(files)] * (ranks - 4))
    start = f"{row.lower()}/{'p' * files}/{empty}/{'P' * files}/{row} w - - 0 1"
    used = {letter: betza for letter, betza in pieces.items() if letter in row}
    lines = [
        f"[{name}]", f"files = {files}", f"ranks = {ranks}", f'start = "{start}"',
        f'promotion = "D{half[0]}"', "n_move_rule = 50", "n_move_limit = 75",
    ]  # fmt: skip
    rule = source.choice(("", "", "", "", "drops", "goal"))
    if rule == "drops":
        lines.append("captures_to_hand = true")
        lines.append("piece_drops = true")
    if rule == "goal":
        centre = f"{'abcdefghij'[files // 2 - 1]}{ranks // 2}"
        lines += [f'flag_region = "{centre}"', 'flag_piece = "K"']
    royal = source.choice(("K", "K", "K", "KA", "W", "F"))
    pawn = source.choice(_PAWNS)
    moves = {"K": royal, "P": pawn, **used}
    lines.append(f"[{name}.pieces]")
    return "\n".join([*lines, *(f'{letter} = "{betza}"' for letter, betza in moves.items())])


def main() -> None:
    """Print the games."""
    source = random.Random("ryugi-engine random games")
    for number in range(int(sys.argv[1])):
        print(_game(source, f"random{number}"), end="\n\n")


if __name__ == "__main__":
    main()
