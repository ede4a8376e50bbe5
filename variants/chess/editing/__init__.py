"""Definitions that are changed step by step, as on the page: their text is the only truth."""
