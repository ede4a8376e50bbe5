"""Learning an evaluation: positions from self-play, a small net, rounds of both."""
