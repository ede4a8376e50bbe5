"""The UCI protocol: text in, text out; the engine behind it is the session."""
