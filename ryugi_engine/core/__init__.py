"""The engine behind both protocols, and the conversation with a GUI."""
