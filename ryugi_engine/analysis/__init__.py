"""Analysis of recorded games: evaluations, better moves, verdicts, a summary for each side."""
