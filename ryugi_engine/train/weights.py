"""Files of an evaluation's weights: TOML, a line a weight, as ``train tune`` writes them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from ryugi_engine.errors import UserError
from ryugi_engine.files import fault, read_text

_MOST_BYTES = 1 << 16


def read_weights(path: Path, own: Mapping[str, float]) -> dict[str, float]:
    """Return all weights: a file's, else the evaluation's own; UserError for a wrong file."""
    try:
        result = tomllib.loads(read_text(path, _MOST_BYTES))
    except OSError as error:
        raise UserError(fault(path, error)) from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: {error}") from None
    for name, value in result.items():
        if name not in own:
            raise UserError(f"{path}: there is no weight {name}")
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e4:
            raise UserError(f"{path}: {name} is a number between -10000 and 10000, not {value}")
    return {name: float(result.get(name, value)) for name, value in own.items()}


def rounded(value: float) -> float:
    """Return a weight with three significant digits, of a large one two decimals at most."""
    return float(f"{value:.3g}")


def written(weights: Mapping[str, float], heads: list[str]) -> str:
    """Return a file's text: comments, then the weights."""
    lines = [f"# {line}" for line in ("ryugi-engine weights", *heads)]
    lines += [f"{name} = {rounded(value)!r}" for name, value in weights.items()]
    return "\n".join(lines) + "\n"
