"""Kernels that tell how a game ends."""
