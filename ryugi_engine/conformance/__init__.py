"""``check --game NAME``: check a game against the contract between games and the engine."""
