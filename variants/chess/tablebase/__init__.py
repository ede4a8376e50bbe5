"""Distances to mate of a bare king, generated when the engine first needs them."""
