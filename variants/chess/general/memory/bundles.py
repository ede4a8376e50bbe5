"""The bundles of the general family's entries: each is compiled as a whole, for a game or for all.

What a game needs at its first move is one, so that each kernel is compiled for it once.
"""

from __future__ import annotations

from ryugi_engine.kernel.bundle import Bundle
from variants.chess.general.memory.layout import TABLES

PLAY = Bundle("variants.chess.general.play", layout=TABLES)
PERFT = Bundle("variants.chess.general.perft", layout=TABLES, late=True)
TRAINING = Bundle("variants.chess.general.training", layout=TABLES, late=True)
