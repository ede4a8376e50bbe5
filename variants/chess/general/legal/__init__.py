"""Kernels that tell which moves are legal."""
