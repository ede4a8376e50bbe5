"""Whether a game keeps to the contract between games and the engine: ``check --game NAME``."""
