"""Text from others and for users: numbers, safe lines, progress, line charts."""
