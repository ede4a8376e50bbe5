"""What the general family's kernels work on: their memory, sets of squares, simple changes."""
