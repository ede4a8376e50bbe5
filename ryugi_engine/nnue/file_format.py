"""Files of nets: a magic line, a head in JSON, int16 weights, a SHA-256 digest.

:meth:`Net.content` makes head and weights. A file keeps a weight w as 2w, or as -2w - 1 if it is
negative: small numbers, whose high bytes hardly differ. All low bytes stand before all high ones,
compressed by zlib. Files of versions 0.2 have the content itself, some later ones weights that are
compressed as they are: they are read, too.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ryugi_engine.errors import UserError
from ryugi_engine.files.reading import fault, opened, read_bytes
from ryugi_engine.files.writing import replacing
from ryugi_engine.nnue.architecture import MAX_HIDDEN_SIZE, MAX_KING_BUCKETS, MAX_PIECES, SCALE
from ryugi_engine.nnue.inputs import Inputs
from ryugi_engine.nnue.net import MAGIC, MAGIC_OF_MANY, Net

_MAX_FILE_SIZE, _MAX_HEAD = 16 << 20, 1 << 17
#: First lines of files with compressed weights: those that are written, and older ones.
PACKED, PACKED_UNFOLDED = b"ryugi-engine net 4\n", b"ryugi-engine net 3\n"


def to_bytes(net: Net) -> bytes:
    """Return the content of a net's file."""
    _, head, weights = net.content().split(b"\n", 2)
    signed = np.frombuffer(weights, dtype="<i2")
    folded = ((signed << 1) ^ (signed >> 15)).astype("<u2")
    planes = folded.view(np.uint8).reshape(-1, 2).T
    content = PACKED + head + b"\n" + zlib.compress(planes.tobytes(), 9)
    return content + hashlib.sha256(content).digest()


def _unpacked(weights: bytes, *, folded: bool) -> bytes:
    """Return compressed weights. Raises ValueError if they are not, or are too many."""
    decompressor = zlib.decompressobj()
    try:
        planes = decompressor.decompress(weights, _MAX_FILE_SIZE)
    except zlib.error as error:
        raise ValueError(f"its weights are not compressed: {error}") from None
    if not decompressor.eof or decompressor.unused_data or len(planes) % 2:
        raise ValueError("its weights are cut off, or too many")
    words = np.frombuffer(planes, dtype=np.uint8).reshape(2, -1).T.copy().view("<u2")
    return ((words >> 1) ^ -(words & 1) if folded else words).tobytes()


def write_net(net: Net, path: Path) -> None:
    """Write a net's file, whole or not at all. Raises OSError."""
    # with a command line's parser, which engines do without
    from ryugi_engine.files.output import NET

    with replacing(path, NET) as handle:
        handle.write(to_bytes(net))


def read_net(path: Path) -> Net:
    """Read a net's file. Raises UserError if it is not one, or is damaged."""
    try:
        content = read_bytes(path, _MAX_FILE_SIZE)
    except OSError as error:
        raise UserError(fault(path, error)) from None
    return net_of(content, str(path))


def read_head(path: Path) -> Mapping[str, Any]:
    """Return the unchecked head of a net's file; empty if the file is no net or unreadable."""
    try:
        with opened(path, _MAX_FILE_SIZE) as handle:
            head = json.loads(handle.read(_MAX_HEAD).split(b"\n", 2)[1])
    except (OSError, ValueError, IndexError, RecursionError):
        return {}
    return head if isinstance(head, dict) else {}


def net_of(content: bytes, name: str) -> Net:
    """Parse a net file's content; ``name`` is for error messages. Raises UserError."""
    if not content.startswith((MAGIC, MAGIC_OF_MANY, PACKED, PACKED_UNFOLDED)):
        raise UserError(f"{name}: this is no net")
    body, digest = content[:-32], content[-32:]
    if hashlib.sha256(body).digest() != digest:
        raise UserError(f"{name}: the net is damaged: its digest does not match")
    try:
        head, weights = body[len(MAGIC) :].split(b"\n", 1)
        if body.startswith((PACKED, PACKED_UNFOLDED)):
            weights = _unpacked(weights, folded=body.startswith(PACKED))
        net = _net(json.loads(head), weights)
        net.check()
    except (ValueError, OverflowError, RecursionError) as error:
        raise UserError(f"{name}: the net cannot be used: {error}") from None
    return net


def _integer(value: object, name: str) -> int:
    """Return a number of the head. Raises ValueError for anything but an integer."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"its {name} is {str(value)[:40]!r}, no integer")
    return value


def _integers(values: object, name: str) -> list[int]:
    if not isinstance(values, list):
        raise ValueError(f"its {name} are no list")
    return [_integer(value, name) for value in values]


def _net(head: Any, weights: bytes) -> Net:
    """Return the net of a head and its weights. Raises ValueError if they do not fit."""
    if not isinstance(head, dict):
        raise ValueError("its head is no object")
    missing = sorted({"lanes", "files", "ranks", "unit"} - set(head))
    if missing:
        raise ValueError(f"its head has no {missing[0]}")
    inputs, size = Inputs.of_facts(head), _integer(head["lanes"], "lanes")
    if not 1 <= size <= MAX_HIDDEN_SIZE:
        raise ValueError(f"its hidden size is {size}")
    if head.get("correction", False) is not False:
        raise ValueError("it corrects the hand-crafted evaluation, as no net does any more")
    rules = head.get("rules", {})
    if not isinstance(rules, dict) or not all(isinstance(rule, str) for rule in rules.values()):
        raise ValueError("its rules are no texts")
    # a file without "seats" has no king buckets
    zones = _integers(head.get("seats", [0] * inputs.squares), "seats")
    if not zones or not 0 <= min(zones) <= max(zones) < 2 * MAX_KING_BUCKETS:
        raise ValueError("its king zones ('seats') are not")
    if not inputs.is_plain:
        inputs = replace(inputs, king=_integer(head.get("king", 0), "king"))
        inputs.check()
    rows = (max(zones) // 2 + 1) * inputs.features
    # "bias" instead of "constants" and no "men": one output bucket
    biases = _integers(head.get("constants", [head.get("bias")]), "constants")
    sizes = (rows * size, size, len(biases) * 2 * size)
    if len(weights) != 2 * sum(sizes):
        raise ValueError("its size does not fit its head")
    numbers = np.frombuffer(weights, dtype="<i2").astype(np.int16)
    feature_weights, feature_biases, output_weights = np.split(numbers, np.cumsum(sizes)[:2])
    metadata = head.get("card", {})
    return Net(
        game=str(head.get("game", "")),
        inputs=inputs,
        feature_weights=feature_weights.reshape(rows, size),
        feature_biases=feature_biases,
        output_weights=output_weights.reshape(-1, 2, size),
        output_biases=tuple(biases),
        qb=_integer(head["unit"], "unit"),
        max_pieces=_integer(head.get("men", MAX_PIECES), "men"),
        zones=np.array(zones, dtype=np.uint8),
        scale=_integer(head.get("scale", SCALE), "scale"),
        rules=rules,
        metadata=metadata if isinstance(metadata, dict) else {},
    )
