"""``ryugi-engine web``: a local page with a board for every game."""
