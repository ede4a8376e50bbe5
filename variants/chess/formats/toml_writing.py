"""Writing definitions as TOML, and without what goes without saying."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from typing import Any

from ryugi_engine.games.definitions import DefinitionError, Reader
from variants.chess.definition.game_rules import Rules
from variants.chess.formats.toml import KEYS, read_game

#: Tables that stand under a header of their own; others are written on a line.
_HEADED = ("pieces", "castling")
#: What a definition says even where it is the default.
_ALWAYS = ("files", "ranks", "start", "pieces", "title")
_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
#: The order of a definition's keys.
_ORDER = {key: at for at, key in enumerate((*KEYS, *(f.name for f in dataclasses.fields(Rules))))}


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    # a JSON text is a TOML text, but for this control character
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    return key if _BARE.match(key) else _value(key)


def write_table(name: str, table: Mapping[str, Any]) -> str:
    """Return a game's table as TOML: its keys in the order of the documentation."""
    lines = [f"[{_key(name)}]"]
    # what stands below another header would belong to that
    headed = {key: table[key] for key in _HEADED if isinstance(table.get(key), Mapping)}
    for key in sorted(table.keys() - headed.keys(), key=lambda key: (_ORDER.get(key, 999), key)):
        lines.append(f"{_key(key)} = {_value(table[key])}")
    for key, inner in headed.items():
        lines += ["", f"[{_key(name)}.{key}]"]
        lines += [f"{_key(letter)} = {_value(value)}" for letter, value in inner.items()]
    return "\n".join(lines) + "\n"


def pruned(name: str, table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a definition's table without keys that change nothing, and pairs of one meaning."""

    def read(some: Mapping[str, Any]) -> object:
        try:
            return read_game(Reader("", name, some, {}))
        except DefinitionError:
            return None

    wanted, kept = read(table), dict(table)
    for key in table.keys() - {*_ALWAYS}:
        without = {other: value for other, value in kept.items() if other != key}
        if read(without) == wanted:
            kept = without
        elif isinstance(kept[key], list) and read(kept | {key: kept[key][0]}) == wanted:
            kept[key] = kept[key][0]
        elif isinstance(kept[key], Mapping):
            one = {k: v[0] if isinstance(v, list) else v for k, v in kept[key].items()}
            if read(kept | {key: one}) == wanted:
                kept[key] = one
    return kept


def write(name: str, table: Mapping[str, Any]) -> str:
    """Return a definition as TOML, without what goes without saying."""
    return write_table(name, pruned(name, table))
