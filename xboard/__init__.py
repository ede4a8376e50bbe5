"""The XBoard protocol (CECP): text in, text out; the engine behind it is the session."""
