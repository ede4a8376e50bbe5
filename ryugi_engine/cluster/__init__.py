"""Matches on the workers of a Dask cluster (``distributed``)."""
