"""Kernels: memory views, bitboards, compiling, and the cache of compiled kernels."""
