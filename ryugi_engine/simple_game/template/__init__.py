"""The modules that a game written in one file is given; they run as modules of its package."""
