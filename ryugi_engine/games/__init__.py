"""What a game is, and where the games are."""
