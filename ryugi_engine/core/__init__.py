"""The engine that both protocols share, and the conversation with a GUI."""
