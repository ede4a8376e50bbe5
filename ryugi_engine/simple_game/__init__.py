"""Games written in one file: what this file imports. ``variants/ADDING.md`` shows how.

Nothing here needs numpy or numba: the engine imports the files of all games when it starts.
"""

from ryugi_engine.kernel.bits import bits, choose, one
from ryugi_engine.kernel.declarations import (
    DRAWN,
    LOST,
    ONGOING,
    TACTICAL_SCORE,
    WON,
    kernel,
    routine,
)
from ryugi_engine.kernel.memory import add, ctz, mul, popcount, shr
from ryugi_engine.simple_game.board import Board
from ryugi_engine.simple_game.definition import define
from ryugi_engine.simple_game.fields import Counter, Hand, Neutral, Pieces
from ryugi_engine.simple_game.moves import (
    add_drop,
    add_legs,
    add_move,
    add_pass,
    add_promotion,
    first,
    is_drop,
    is_pass,
    kind_of,
    second,
    third,
)

__all__ = [
    "DRAWN",
    "LOST",
    "ONGOING",
    "TACTICAL_SCORE",
    "WON",
    "Board",
    "Counter",
    "Hand",
    "Neutral",
    "Pieces",
    "add",
    "add_drop",
    "add_legs",
    "add_move",
    "add_pass",
    "add_promotion",
    "bits",
    "choose",
    "ctz",
    "define",
    "first",
    "is_drop",
    "is_pass",
    "kernel",
    "kind_of",
    "mul",
    "one",
    "popcount",
    "routine",
    "second",
    "shr",
    "third",
]
