"""What a game is: its board, pieces, moves and rules as plain data."""
