"""Game records: their text, their files, and the board that they are replayed on."""
