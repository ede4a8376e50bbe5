"""Python that fills the table block of a game."""
