"""Small nets that evaluate positions: their numbers, their files, and a slow way to use them.

A net sees a board twice, as each side does: its own pieces first, its own first rank first. Where
its own king stands may turn the board left for right, and choose one of several *buckets* of rows
(king buckets and horizontal mirroring, as is usual in the field). Each view picks a row of
``inputs`` for every piece, one row for every bucket, kind of piece, owner and square; their sum and
``biases`` are the view's *lanes*. A lane is held within 0..ONE, squared and weighed
by ``outputs``: the side to move's own lanes by the first row, the opponent's by the second. With a
constant that is the evaluation, ONE * ONE * ``unit`` of it for SCALE centipawns. Outputs and
constant may differ by the number of pieces on the board, which makes that many *stages* of a game.

All numbers are integers. :meth:`Net.check` proves that no sum leaves its 16 or 32 bits, whatever
stands on the board. :meth:`Net.value` is what kernels are compared with.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.errors import UserError
from ryugi_engine.files import fault, read_bytes, replacing

#: A lane's 1.0, and the centipawns of an output of 1.0.
ONE = 255
SCALE = 400
#: What an evaluation is multiplied by to come from sums to centipawns, then shifted right.
FACTOR_BITS = 32
#: Lanes of one view that kernels add up at once: a net's number of lanes is a multiple of it.
LANES = 32
MAX_LANES = 512
#: Stages of a game at most, and pieces on a board.
MAX_STAGES, MAX_MEN = 8, 128
#: King buckets at most.
MAX_BUCKETS = 8
#: Piece codes from here on are Black's, see :mod:`ryugi_engine.games.training`; the king's kind.
_BLACK = 16
KING = 2
_MAGIC = b"ryugi-engine net 1\n"
_MAX_FILE = 16 << 20
_MAX_SQUARES = 1 << 12
_SHORT, _INT = (1 << 15) - 1, (1 << 31) - 1

Shorts = NDArray[np.int16]


def digest_of(weights: Mapping[str, float]) -> str:
    """A name for the weights of a hand-written evaluation."""
    return hashlib.sha256(json.dumps(dict(weights)).encode("ascii")).hexdigest()[:16]


def usual_seats(files: int, ranks: int, buckets: int) -> NDArray[np.uint8]:
    """A usual choice of :attr:`Net.seats` with so many buckets, 0 for none and no mirror either.

    Two and more tell the own first rank from those before it, and of it the corners.
    """
    table = np.zeros((ranks, files), dtype=np.uint8)
    if buckets:
        rank, file = np.indices((ranks, files))
        left = file < files // 2
        corner = np.minimum(file, files - 1 - file) < (files + 1) // 4
        home = np.where(corner, 0, 1)
        found = {
            1: np.zeros_like(rank),
            2: np.where(rank == 0, 0, 1),
            3: np.where(rank == 0, home, 2),
            4: np.where(rank == 0, home, np.where(rank < ranks // 2 - 1, 2, 3)),
        }[buckets]
        table = (2 * found + left).astype(np.uint8)
    return table.reshape(-1)


def feature(
    kinds: int, files: int, ranks: int, view: int, code: int, square: int, seat: int = 0
) -> int:
    """The row of ``inputs`` for a piece on a square.

    As a side, 0 White or 1 Black, sees it whose king has that seat, see :attr:`Net.seats`.
    """
    rank, file = divmod(square, files)
    if view == 1:
        rank = ranks - 1 - rank
    bucket, turned = divmod(seat, 2)
    if turned:
        file = files - 1 - file
    others = int((code >= _BLACK) != (view == 1))
    piece = (2 * bucket + others) * kinds + code % _BLACK - 1
    return (piece * ranks + rank) * files + file


def stage(pieces: int, stages: int, men: int) -> int:
    """The stage of a game with so many pieces on the board, of which it has ``men`` at first."""
    return min(max(pieces - 1, 0) * stages // men, stages - 1)


@dataclass(frozen=True)
class Net:
    """A net of a game, or of any game with the same board and pieces."""

    game: str
    files: int
    ranks: int
    #: The kinds of piece, in the order of their codes.
    letters: str
    #: Whether it is added to the game's own evaluation, or stands in its place.
    correction: bool
    inputs: Shorts  # (buckets * 2 * kinds * squares, lanes)
    biases: Shorts  # (lanes,)
    outputs: Shorts  # (stages, 2, lanes)
    constants: tuple[int, ...]  # one a stage
    unit: int
    #: Pieces that a game begins with: stages share them out.
    men: int
    #: For each square of a side's king, as that side sees it: twice the bucket, and 1 more where
    #: the board is seen in a mirror, left for right.
    seats: NDArray[np.uint8]
    #: Where it comes from: data, rounds, losses, matches.
    card: Mapping[str, Any] = field(default_factory=dict)

    @property
    def lanes(self) -> int:
        """Lanes of one view."""
        return len(self.biases)

    @property
    def buckets(self) -> int:
        """How many buckets its rows come in."""
        return int(self.seats.max()) // 2 + 1

    @property
    def stages(self) -> int:
        """How many stages of a game it tells apart."""
        return len(self.outputs)

    @property
    def factor(self) -> int:
        """What a sum is multiplied by before it is shifted right by FACTOR_BITS."""
        return round(SCALE * (1 << FACTOR_BITS) / (ONE * ONE * self.unit))

    @property
    def digest(self) -> str:
        """A name for these numbers: it differs where any evaluation may."""
        return hashlib.sha256(self._packed(card=False)).hexdigest()[:16]

    @property
    def corrected(self) -> str | None:
        """The :func:`digest_of` the weights that it corrects; None if it does not say."""
        held = self.card.get("weights")
        return held if self.correction and isinstance(held, str) else None

    # ---- bounds ----------------------------------------------------------------------------

    def highest(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The lowest and highest sum that each lane can come to while pieces are added.

        On every square stands nothing or the piece that moves the lane the furthest: no position
        has more, and no part of a sum leaves the range either, in whatever order it is made.
        """
        shape = (self.buckets, -1, self.files * self.ranks, self.lanes)
        rows = self.inputs.astype(np.int64).reshape(shape)
        low = np.minimum(rows.min(axis=1), 0).sum(axis=1).min(axis=0)
        high = np.maximum(rows.max(axis=1), 0).sum(axis=1).max(axis=0)
        return low + np.minimum(self.biases, 0), high + np.maximum(self.biases, 0)

    def check(self) -> None:
        """UserError for shapes that do not fit, or sums that could leave their range."""
        kinds, squares = len(self.letters), self.files * self.ranks
        if self.seats.shape != (squares,) or self.buckets > MAX_BUCKETS:
            raise UserError(f"a net has a seat for each square, of 1 to {MAX_BUCKETS} buckets")
        shapes = {
            "inputs": (self.inputs, (self.buckets * 2 * kinds * squares, self.lanes)),
            "biases": (self.biases, (self.lanes,)),
            "outputs": (self.outputs, (self.stages, 2, self.lanes)),
        }
        for name, (array, shape) in shapes.items():
            if array.shape != shape or array.dtype != np.int16:
                raise UserError(f"the net's {name} are {array.dtype}{array.shape}, not {shape}")
        if self.lanes % LANES or not LANES <= self.lanes <= MAX_LANES:
            raise UserError(f"a net has {LANES} to {MAX_LANES} lanes, a multiple of {LANES}")
        if not 1 <= self.stages <= MAX_STAGES or len(self.constants) != self.stages:
            raise UserError(f"a net has 1 to {MAX_STAGES} stages, and a constant for each")
        if not 1 <= self.men <= MAX_MEN:
            raise UserError(f"a net is for 1 to {MAX_MEN} pieces, not {self.men}")
        low, high = self.highest()
        if low.min() < -_SHORT or high.max() > _SHORT:
            raise UserError("a lane of the net could leave 16 bits")
        if int(np.abs(self.outputs.astype(np.int64)).max()) * ONE > _SHORT:
            raise UserError("a weighed lane of the net could leave 16 bits")
        # kernels add up LANES of both views at once
        weights = np.abs(self.outputs.astype(np.int64)).reshape(self.stages, 2, -1, LANES)
        parts = weights.sum(axis=(1, 3))
        if int(parts.max()) * ONE * ONE > _INT:
            raise UserError("an output of the net could leave 32 bits")
        total = int(parts.sum(axis=1).max()) * ONE * ONE + max(map(abs, self.constants))
        if self.unit <= 0 or total * self.factor >= 1 << 62:
            raise UserError("an evaluation of the net could leave 64 bits")

    # ---- the slow way ------------------------------------------------------------------------

    def value(self, pieces: NDArray[Any], side: int) -> int:
        """Centipawns for the side to move, of piece codes by square, with a king of each side."""
        board = (len(self.letters), self.files, self.ranks)
        sums = []
        for view in (side, 1 - side):
            lanes = self.biases.astype(np.int64)
            rank, file = divmod(pieces.tolist().index(KING + _BLACK * view), self.files)
            seat = int(self.seats[(self.ranks - 1 - rank if view else rank) * self.files + file])
            for square, code in enumerate(pieces.tolist()):
                if code:
                    lanes = lanes + self.inputs[feature(*board, view, code, square, seat)]
            sums.append(np.clip(lanes, 0, ONE))
        at = stage(int(np.count_nonzero(pieces)), self.stages, self.men)
        weights = self.outputs[at].astype(np.int64)
        total = sum(int((weights[i] * sums[i] * sums[i]).sum()) for i in range(2))
        total += self.constants[at]
        return (total * self.factor) >> FACTOR_BITS

    # ---- files -------------------------------------------------------------------------------

    def packed(self) -> bytes:
        """What its file holds."""
        packed = self._packed(card=True)
        return packed + hashlib.sha256(packed).digest()

    def _packed(self, *, card: bool) -> bytes:
        head = {
            "game": self.game,
            "files": self.files,
            "ranks": self.ranks,
            "letters": self.letters,
            "correction": self.correction,
            "lanes": self.lanes,
            "constants": list(self.constants),
            "unit": self.unit,
            "men": self.men,
            "seats": self.seats.tolist(),
        }
        if card:
            head["card"] = dict(self.card)
        arrays = (self.inputs, self.biases, self.outputs)
        body = b"".join(array.astype("<i2").tobytes() for array in arrays)
        return _MAGIC + json.dumps(head).encode("ascii") + b"\n" + body

    def write(self, path: Path) -> None:
        """Write its file, whole or not at all; OSError if that fails."""
        with replacing(path) as handle:
            handle.write(self.packed())


def read_net(path: Path) -> Net:
    """A net from its file; UserError in one line if it is not one, or is damaged."""
    try:
        raw = read_bytes(path, _MAX_FILE)
    except OSError as error:
        raise UserError(fault(path, error)) from None
    return net_of(raw, str(path))


def net_of(raw: bytes, told: str) -> Net:
    """A net from what its file holds; ``told`` is what complaints call it."""
    if not raw.startswith(_MAGIC):
        raise UserError(f"{told}: this is no net")
    packed, digest = raw[:-32], raw[-32:]
    if hashlib.sha256(packed).digest() != digest:
        raise UserError(f"{told}: the net is damaged: what it holds is not what was written")
    try:
        line, body = packed[len(_MAGIC) :].split(b"\n", 1)
        head = json.loads(line)
        lanes = int(head["lanes"])
        squares = int(head["files"]) * int(head["ranks"])
        if not 0 < squares <= _MAX_SQUARES:
            raise ValueError("its board")
        # no seats: a net of one view, whatever the king does
        places = np.array(head.get("seats", [0] * squares), dtype=np.uint8)
        rows = (int(places.max()) // 2 + 1) * 2 * len(head["letters"]) * squares
        # one constant and no count of pieces: a net of version 0.2, whose outputs are all alike
        constants = tuple(int(value) for value in head.get("constants", [head.get("bias")]))
        sizes = (rows * lanes, lanes, len(constants) * 2 * lanes)
        if len(body) != 2 * sum(sizes):
            raise ValueError("its size")
        numbers = np.frombuffer(body, dtype="<i2").astype(np.int16)
        inputs, biases, outputs = np.split(numbers, np.cumsum(sizes)[:2])
        net = Net(
            game=str(head["game"]),
            files=int(head["files"]),
            ranks=int(head["ranks"]),
            letters=str(head["letters"]),
            correction=bool(head["correction"]),
            inputs=inputs.reshape(rows, lanes),
            biases=biases,
            outputs=outputs.reshape(-1, 2, lanes),
            constants=constants,
            unit=int(head["unit"]),
            men=int(head.get("men", MAX_MEN)),
            seats=places,
            card=head.get("card", {}),
        )
        net.check()
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise UserError(f"{told}: the net cannot be used: {error}") from None
    return net
