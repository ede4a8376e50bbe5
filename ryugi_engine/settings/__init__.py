"""Settings as annotated dataclasses: their options, and reading them from JSON."""
