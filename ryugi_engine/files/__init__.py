"""The user's files: reading, writing, locks, logs, and protection against overwriting."""
