"""Formats of game records that are not PGN: known by how their files begin, and refused by name."""

from __future__ import annotations

import re

#: How much of a file is looked at.
_HEAD = 4096
#: What only files of a format have: KIF and KI2 of shogi, CSA, and WXF of Xiangqi.
_MARKS = (
    ("KIF", re.compile("#KIF|手数-+指手|(?:手合割|先手|下手)[：:]|^#.*Kifu", re.MULTILINE)),
    (
        "CSA",
        re.compile(r"^(?:V2(?:\.\d)?|N[+-].*|PI|P1[-+*].*|[+-]\d{4}[A-Z]{2}.*)$", re.MULTILINE),
    ),
    ("WXF", re.compile(r"^(?:FORMAT\s+WXF|START\s*\{)", re.MULTILINE)),
)
_PGN = re.compile(r'^\[[A-Za-z]\w*\s+"', re.MULTILINE)


def foreign_format(raw: bytes) -> str:
    """Return the name of the format of a file that is not PGN, "" if none is recognised."""
    for encoding in ("utf-8-sig", "cp932"):
        text = raw[:_HEAD].decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n")
        if _PGN.search(text):
            return ""
        for name, mark in _MARKS:
            if mark.search(text):
                return name
    return ""
