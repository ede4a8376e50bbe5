"""The games, one folder each; :mod:`ryugi_engine.registry` finds them."""
