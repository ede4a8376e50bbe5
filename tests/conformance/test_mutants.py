"""Mutants of Breakthrough: `check --game` finds each, and survives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.test_contract import Break, broken
from tests.support.effort import effort
from tests.support.helpers import command

_E = "entries.py"
_MAKE = "    us = old.side\n    to = one(move >> 7)\n"
_EVALUATE = (
    "    return side_score(frame.by_color[us], us) - side_score(frame.by_color[1 - us], 1 - us)\n"
)
_STATUS = "        return LOST\n    return ONGOING\n"
_LOOK = _STATUS.replace("        return LOST\n", "        return LOST\n    {}\n")
_GENERATE = "    at = out - HEADER(S).moves  # its index among the state's moves\n"
_ORDER = "        move = state.moves[at + i]\n        to = move >> 7\n        rank"
_SCORED = "HISTORY_SLOTS - 1))\n    return 0\n"
_NEXT = "L.FRAME(S, HEADER(S).frame + L.FRAME_WORDS)"


def _evaluated(score: str) -> Break:
    return Break(_E, _EVALUATE, _EVALUATE.rstrip() + score + "\n")


#: The mutants, and the message of each.
MUTANTS: dict[str, tuple[Break, str]] = {
    "an endless generate": (
        Break(_E, "to, targets = targets.pop()", "to, rest = targets.pop()"),
        "generate: the process died (SIG",
    ),
    "an endless status": (
        Break(
            _E,
            _STATUS,
            "        return LOST\n    while frame.number > 3:\n        us += frame.number & 1\n"
            "        if us < 0:\n            break\n    return ONGOING + (us < 0)\n",
        ),
        "status: it does not end within",
    ),
    "a write far away, not at once": (
        Break(_E, _MAKE, _MAKE + "    if old.number > 4:\n        store32(S, 1 << 40, 1)\n"),
        "make: the process died (SIG",
    ),
    "make two frames back": (
        Break(
            _E,
            _MAKE,
            _MAKE + "    if old.number > 3:\n"
            "        L.FRAME(S, f - 2 * L.FRAME_WORDS).number = 1\n",
        ),
        "unmake: word",
    ),
    "evaluate changes the frame": (
        Break(_E, _EVALUATE, "    frame.number += 1\n" + _EVALUATE),
        "evaluate: it changes word",
    ),
    "generate changes the header": (
        Break(_E, _GENERATE, _GENERATE + "    HEADER(S).key += 1\n"),
        "generate: it changes word",
    ),
    "status changes the frame": (
        Break(_E, _STATUS, _LOOK.format("frame.number += 1")),
        "status: it changes word",
    ),
    "evaluate reads the next frame": (
        _evaluated(f" + ({_NEXT}.number & 1)"),
        "evaluate: its result depends on what lies behind",
    ),
    "White's score": (
        Break(
            _E,
            _EVALUATE,
            "    return side_score(frame.by_color[0], 0) - side_score(frame.by_color[1], 1)\n",
        ),
        "evaluate: its sign stays in",
    ),
    "a key without the side": (
        Break(_E, " ^ (frame.side << 63)", ""),
        "key: it does not depend on the side to move",
    ),
    "a key without half of White's board": (
        Break(_E, "mix(white.lo) ^ white.hi", "mix(white.lo)"),
        "key: it is the same after",
    ),
    "one pair too many": (
        Break(
            _E,
            _SCORED,
            _SCORED.replace("    return", "    store32(W, 2 * (out + n), 1)\n    return"),
        ),
        "order: it writes beside",
    ),
    "one pair too few": (
        Break(_E, "    for i in range(n):\n", "    for i in range(n - 1):\n"),
        "gets no score or no slot",
    ),
    "order changes the list": (
        Break(_E, _ORDER, _ORDER.replace("\n", "\n        state.moves[at] = move\n", 1)),
        "order: it changes the list of moves",
    ),
    "nothing is promising": (
        Break(_E, _GENERATE, "    if kind == 2:\n        return 0\n" + _GENERATE),
        "generate: PROMISING lists nothing, and",
    ),
    "tactical moves that are none": (
        Break(_E, "        straight &= goal(us)\n", "        straight = own\n"),
        "generate: TACTICAL lists",
    ),
    "a draw after some moves": (
        Break(_E, _STATUS, "        return LOST\n    return ONGOING + (frame.number > 6)\n"),
        "status: a draw, in a game that has none",
    ),
    "a piece that is not captured": (
        Break(_E, "old.by_color[1 - us] & ~to", "old.by_color[1 - us]"),
        "make: ",
    ),
    "a number that stays": (
        Break(_E, "new.number = old.number + us", "new.number = old.number"),
        "make: ",
    ),
    "a side that comes back wrong": (
        Break(_E, "    header.side = frame.side\n    header.key = frame.key\n    return 0",
              "    header.key = frame.key\n    return 0"),
        "unmake: word",
    ),
    "a comprehension": (
        Break(
            _E, _EVALUATE, "    extra = [frame.number for i in range(2)]\n"
            + _EVALUATE.rstrip() + " + len(extra)\n",
        ),
        "a comprehension, lambda or inner function",
    ),
    "an exception after a fault": (
        Break(
            "rules.py",
            "    def text(self, state: Block) -> str:\n",
            "    def text(self, state: Block) -> str:\n"
            "        if self.kernels.status(state.address, 0) != 0:\n"
            "            raise ValueError('the game is over')\n",
        ),
        "ValueError: the game is over",
    ),
}  # fmt: skip
_EVERY_RUN = [
    "an endless status",
    "a write far away, not at once",
    "White's score",
    "a key without half of White's board",
]


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize("mutant", effort(_EVERY_RUN, list(MUTANTS)))
def test_a_mutant_is_found(mutant: str, tmp_path: Path) -> None:
    how, said = MUTANTS[mutant]
    done = command(
        "check", "--game", "breakthrough", "--positions", "150", "--seed", "2",
        env=broken(tmp_path, how),
    )  # fmt: skip
    assert said in done.stdout, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == 1
