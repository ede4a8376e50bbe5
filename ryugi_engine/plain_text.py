"""Foreign text made safe to print in one line."""

from __future__ import annotations


def plain(text: str) -> str:
    """Return the text in one line; characters that a terminal would act on are shown escaped."""
    text = " ".join(text.split())
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )
