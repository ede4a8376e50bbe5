"""Start positions of self-play: the game's start and openings, some with a piece removed."""

from __future__ import annotations

import random
from functools import lru_cache

from ryugi_engine.games.game import Game, Rules
from ryugi_engine.kernel.abi import used_words
from ryugi_engine.kernel.block import Words

#: Plies that have been played in the positions of ``openings/NAME.epd``, or a few more.
_OPENING_PLIES = 6
#: How often another piece is tried if a position without the first is not one.
_TRIES = 8


def _without(text: str, source: random.Random, royal: str) -> str:
    """Return the board field of a position text with one piece removed, not a royal one."""
    cells: list[str] = []
    for letter in text:
        if letter.isdigit():
            # "10" is ten empty squares: a digit after another one is part of the same number
            if cells and cells[-1].isdigit():
                cells[-1] += letter
                continue
        cells.append(letter)
    pieces = [i for i, cell in enumerate(cells) if cell.isalpha() and cell.upper() != royal]
    if not pieces:
        return text
    cells[source.choice(pieces)] = "1"
    merged: list[str] = []
    for cell in cells:
        if cell.isdigit() and merged and merged[-1].isdigit():
            merged[-1] = str(int(merged[-1]) + int(cell))
        else:
            merged.append(cell)
    return "".join(merged)


class Openings:
    """Draws start positions of self-play games."""

    def __init__(self, game: Game, rules: Rules, odds: int) -> None:
        """``odds`` is the percentage of games that begin with a random piece removed."""
        self.game = game
        self.odds = odds
        self._texts = game.positions("openings")
        self._rules = rules
        self.image = lru_cache(maxsize=4096)(self._image)

    def _image(self, text: str) -> Words:
        """Return a state's words at a position, without scratch."""
        return used_words(self._rules.new_state(text)).copy()

    def draw(self, source: random.Random, low: int, high: int) -> tuple[str, int]:
        """Return a position, and the number of random plies to play from it.

        From the start position these are ``low`` to ``high``; fewer after an opening, which has
        some already.
        """
        text, plies = self.game.start, source.randint(low, high)
        if self._texts and source.random() < 0.5:
            text = source.choice(self._texts)
            plies = max(0, plies - _OPENING_PLIES)
        if source.randrange(100) < self.odds:
            text = self._unbalanced(text, source)
        return text, plies

    def _unbalanced(self, text: str, source: random.Random) -> str:
        board, *rest = text.split()
        for _ in range(_TRIES):
            fewer = _without(board, source, self.game.royal)
            # a missing rook takes its castling right along
            rights = rest[1] if len(rest) > 1 else "-"
            ways = [rights, *(rights.replace(letter, "") or "-" for letter in rights), "-"]
            for way in ways:
                result = " ".join([fewer, *rest[:1], way, *rest[2:]]) if len(rest) > 1 else fewer
                try:
                    self.image(result)
                except ValueError:
                    continue
                return result
        return text
