"""The search: one set of kernels for all games, through their entries' addresses."""
