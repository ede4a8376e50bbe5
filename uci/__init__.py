"""The UCI protocol: text in, text out; a session is the engine."""
