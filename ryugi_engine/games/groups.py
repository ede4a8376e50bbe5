"""The groups in which games are listed."""

from __future__ import annotations

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
