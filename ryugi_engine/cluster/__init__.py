"""Matches, perft and self-play on the workers of a Dask cluster (``distributed``)."""
