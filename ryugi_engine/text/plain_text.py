"""Foreign text made safe to print in one line."""

from __future__ import annotations

import unicodedata

#: Joiners of letters, as in Persian names and in emoji; a terminal only joins letters by them.
_JOINERS = "\u200c\u200d"


def is_writable(letter: str) -> bool:
    """Return whether a text file may hold a letter: no control character, no half of a letter."""
    return letter.isspace() or unicodedata.category(letter) not in ("Cc", "Cs")


def plain(text: str) -> str:
    """Return the text in one line; characters that a terminal would act on are shown escaped."""
    text = " ".join(text.split())
    if text.isprintable():
        return text
    return "".join(
        letter
        if letter.isprintable() or letter in _JOINERS
        else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )
