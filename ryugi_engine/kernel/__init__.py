"""Kernels: views of memory and bitboards, and how compiled ones are named and kept."""
