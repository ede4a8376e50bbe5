"""What GUIs and people are told of a game: descriptions, groups, its rules in sentences."""
