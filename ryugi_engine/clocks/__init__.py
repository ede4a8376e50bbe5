"""Time controls, and the clocks that run under them."""
