"""Positions and castling as text."""
