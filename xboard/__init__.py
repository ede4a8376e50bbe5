"""The XBoard protocol (CECP): text in, text out; a session is the engine."""
