"""A game studied by self-play: balance, course of games, pieces, openings, mates. See STUDY.md."""
