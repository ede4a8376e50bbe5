"""What goes wrong for users, said in one line."""

from __future__ import annotations


class UserError(ValueError):
    """What the user has to know: which input is wrong, where, and what would be right; one line."""
