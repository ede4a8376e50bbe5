"""Matches between engine processes, refereed by our own rules."""
