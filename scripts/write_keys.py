"""Write the tables of a definition's keys into variants/chess/VARIANTS.md.

scripts/write_keys.py
"""

from __future__ import annotations

import re
from pathlib import Path

from variants.chess.editing.keys import sections

RULES = Path(__file__).parents[1] / "variants" / "chess" / "VARIANTS.md"
#: What stands in RULES.md around the tables.
BEGIN, END = "<!-- written by scripts/write_keys.py -->\n", "<!-- end -->\n"


def tables() -> str:
    """Return the tables as Markdown."""
    parts: list[str] = []
    for heading, rows in sections().items():
        lines = [f"### {heading}", "", "| key | value | default | meaning | example |"]
        lines += ["|---|---|---|---|---|"]
        for row in rows:
            cells = (f"`{row.key}`", row.value, row.default, row.meaning, f"`{row.example}`")
            lines.append(re.sub("  +", " ", f"| {' | '.join(cells)} |"))
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def with_tables(text: str) -> str:
    """Return the text of RULES.md with the tables as they are now."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{tables()}\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    RULES.write_text(with_tables(RULES.read_text(encoding="utf-8")), encoding="utf-8")
