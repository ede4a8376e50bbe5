"""Kernels that list and make pseudo-legal moves."""
