"""Kernels that count legal moves for perft."""
