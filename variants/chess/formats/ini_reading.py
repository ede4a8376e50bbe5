"""Reading Fairy-Stockfish's ``variants.ini``: a section becomes a definition's table.

Source: the comments of Fairy-Stockfish's own ``variants.ini``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ryugi_engine.games.definitions import DefinitionError, Reader
from ryugi_engine.games.game import counted
from variants.chess.formats.ini_section import MAX_REMARKS, Section
from variants.chess.formats.ini_table import table_of

#: Maximum number of a file's sections; Fairy-Stockfish's own file has some 150.
MAX_SECTIONS = 1000
#: A header; what stands after it is a comment.
_HEADER = re.compile(r"\[([^][:]*+)(?::([^][]*+))?\]")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}\Z")


class _IniReader(Reader):
    """A section as a definition's table; errors name the section's own keys and lines."""

    def __init__(self, section: Section) -> None:
        table, origin = table_of(section)
        super().__init__(section.path, section.name, table, {})
        self._section, self._origin = section, origin

    def fail(self, key: str, reason: str) -> DefinitionError:
        own = self._origin.get(key) or self._origin.get(key.partition(".")[0], key)
        return self._section.fail(own, reason)


def _opened(
    path: str, number: int, line: str, taken: Callable[[str], bool],
    parent_of: Callable[[str], Section | None],
) -> Section:  # fmt: skip
    match = _HEADER.match(line)
    if match is None:
        raise DefinitionError(path, number, "(syntax)", "a section is like [name] or [name:parent]")
    name, parent = match[1].strip().lower(), match[2] and match[2].strip().lower()
    if not _NAME.match(name):
        reason = "a game's name is letters, digits, hyphens and low lines"
        raise DefinitionError(path, number, name, reason)
    if taken(name):
        raise DefinitionError(path, number, name, "stands here twice")
    if not parent:
        return Section(path, name, number, None)
    base = parent_of(parent)
    if base is None:
        reason = f"no game '{parent[:40]}' to begin with is known here"
        raise DefinitionError(path, number, name, reason)
    return Section(path, name, number, base)


def read_sections(
    text: str, path: str, known: Callable[[str], Section | None]
) -> tuple[dict[str, Section], list[DefinitionError], list[DefinitionError]]:
    """Return (sections by name, faults of sections left out, warnings about ignored lines).

    ``known`` returns the section of a game outside the file, for use as a parent.
    """
    sections: dict[str, Section] = {}
    faults: dict[str, DefinitionError] = {}
    remarks: list[DefinitionError] = []
    further = 0
    section: Section | None = None
    name = ""

    def parent_of(parent: str) -> Section | None:
        if parent in faults:
            raise DefinitionError(path, number, name, f"begins with '{parent}', which has a fault")
        return sections.get(parent) or known(parent)

    def is_taken(other: str) -> bool:
        return other in sections or other in faults

    def closed() -> None:
        nonlocal further
        if section is not None and section.name not in faults:
            try:
                section.close()
            except DefinitionError as error:
                faults[section.name] = error
                del sections[section.name]
                return
            remarks.extend(section.remarks)
            further += section.further

    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        if line[0] == "[":
            closed()
            if len(sections) + len(faults) == MAX_SECTIONS:
                raise DefinitionError(path, number, "(file)", f"more than {MAX_SECTIONS} sections")
            name = line.strip("[]").partition(":")[0].strip().lower()
            section = None
            try:
                section = _opened(path, number, line, is_taken, parent_of)
            except DefinitionError as error:
                faults.setdefault(name, error)
                continue
            sections[section.name] = section
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals or not key:
            reason = "is passed over: it is neither [name] nor key = value"
            remarks.append(DefinitionError(path, number, "(syntax)", reason))
            continue
        if section is None or section.name in faults:
            continue
        try:
            section.add(key, value, number)
        except DefinitionError as error:
            faults[section.name] = error
            del sections[section.name]
    closed()
    further += max(len(remarks) - MAX_REMARKS, 0)
    if further:
        reason = f"passed over: {counted(further, 'further line')}"
        remarks[MAX_REMARKS:] = [DefinitionError(path, number, "(file)", reason)]
    return sections, list(faults.values()), remarks


def reader_of(section: Section) -> Reader:
    """Convert a section to a definition's table, and return its reader."""
    return _IniReader(section)
