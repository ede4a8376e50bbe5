"""The terminal interface: playing, replaying, keys, colours."""
