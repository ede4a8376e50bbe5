"""Kernels that value positions and moves."""
