"""Exact solving: the table of provers, kept in memory and in files."""
