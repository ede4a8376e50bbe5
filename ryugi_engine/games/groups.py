"""The groups in which games are listed, and the default game."""

from __future__ import annotations

#: The default game of the command line and of the protocols.
DEFAULT = "ryugi"
#: In the order of the lists.
GROUPS = (
    "Ryugi and its kin",
    "Chess and close variants",
    "Large boards",
    "Small boards",
    "Chess with drops",
    "Chess with other pieces",
    "Chess with other rules",
    "Asian chess",
    "Other board games",
)
#: The group of a user's games.
OWN = "Your own games"
