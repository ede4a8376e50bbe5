"""The games, one folder each; :mod:`ryugi_engine.games.packages` finds them.

Folders that RYUGI_GAMES names, as PATH does, hold more of them: a game can be tried where it is.
"""

from __future__ import annotations

import os

__path__ += [
    os.path.abspath(folder)
    for folder in os.environ.get("RYUGI_GAMES", "").split(os.pathsep)
    if folder
]
