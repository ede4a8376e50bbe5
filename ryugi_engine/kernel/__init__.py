"""Compiled kernels as files: what names one, where it lies, and what numba keeps inside itself."""
