"""Pictures of pieces and of their moves."""
