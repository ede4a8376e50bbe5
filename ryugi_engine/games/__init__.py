"""The interface of a game, the registry of games, and positions that can be played on."""
