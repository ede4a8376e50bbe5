"""Play chess variants and placement games: positions, engine, records; API.md is the guide.

Only the names of ``__all__`` are promised to stay. Each is imported when it is first used.

>>> import ryugi_engine
>>> position = ryugi_engine.Position("crazyhouse")
>>> position.push("e4")
>>> position.turn == ryugi_engine.BLACK
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ryugi_engine.api.batch import Batch
    from ryugi_engine.api.engine import Analysis, Engine
    from ryugi_engine.api.game import Game, define, game, game_names
    from ryugi_engine.api.position import BLACK, WHITE, LegalMoves, Position
    from ryugi_engine.api.record import Record, read_records, write_records
    from ryugi_engine.api.scores import Info, Limit, PlayResult, Score
    from ryugi_engine.errors import UserError
    from ryugi_engine.games.game import IllegalMove

__version__ = "0.2.0"
__all__ = [
    "BLACK",
    "WHITE",
    "Analysis",
    "Batch",
    "Engine",
    "Game",
    "IllegalMove",
    "Info",
    "LegalMoves",
    "Limit",
    "PlayResult",
    "Position",
    "Record",
    "Score",
    "UserError",
    "__version__",
    "define",
    "game",
    "game_names",
    "read_records",
    "write_records",
]

#: The modules of the public names.
_MODULES = {
    "api.batch": ("Batch",),
    "api.engine": ("Analysis", "Engine"),
    "api.game": ("Game", "define", "game", "game_names"),
    "api.position": ("BLACK", "WHITE", "LegalMoves", "Position"),
    "api.record": ("Record", "read_records", "write_records"),
    "api.scores": ("Info", "Limit", "PlayResult", "Score"),
    "errors": ("UserError",),
    "games.game": ("IllegalMove",),
}


def __getattr__(name: str) -> object:
    import importlib

    for module, names in _MODULES.items():
        if name in names:
            return getattr(importlib.import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
