"""Stepping through a recorded game in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable

from ryugi_engine.games.drawing import Ink
from ryugi_engine.records.annotation import (
    SIGNS,
    evaluation_in,
    without_diagram,
    without_evaluation,
)
from ryugi_engine.records.comments import read_remark
from ryugi_engine.records.playback import Playback
from ryugi_engine.terminal import keys
from ryugi_engine.terminal.screen import CLEAR, size
from ryugi_engine.text.plain_text import plain

#: Lines around a view, the one below the help included.
_AROUND = 5
_HELP = "right/space: on   left: back   home/end: first/last   q: leave"


def view(playback: Playback, ink: Ink, height: int = 0) -> str:
    """Return the board with its last move marked, and the move's comment.

    If ``height`` is not 0, a large board shows the part around the last move in that many lines.
    """
    ply = playback.ply
    step = playback.steps[ply - 1] if ply else None
    signs = "".join(SIGNS.get(glyph, "") for glyph in step.glyphs) if step else ""
    line = f"{playback.label(ply)}{signs}   (ply {ply} of {len(playback.steps)})"
    comment = step.comment if step else playback.record.comment
    evaluation, words = evaluation_in(comment), without_evaluation(without_diagram(comment))
    if evaluation is not None:
        line += f"  {evaluation}"
        mover = playback.mover()
        remark = read_remark(comment, mover).engine_text
        if remark and mover is not None:  # a second score, from another side: say whose
            words = " ".join(words.replace(remark, " ", 1).split()).removeprefix(", ")
            line += f"  ({playback.game.sides[mover]}'s own: {remark})"
    lines = ["", f"{line}  {{{plain(words)}}}" if words else line]
    varied = playback.steps[ply].variations if ply < len(playback.steps) else []
    for variation in varied:
        lines.append("or " + " ".join(step.san for step in variation))
    lines.append(plain(playback.status()))
    left = max(height - len(lines), 1) if height else 0
    outcome = playback.outcome()
    board = playback.position.board_text(ink, mark=True, outcome=outcome, lines=left)
    return "\n".join([board, *lines])


def everything(playback: Playback, ink: Ink, write: Callable[[str], None]) -> None:
    """Return all positions, one below the other."""
    for ply in range(len(playback.steps) + 1):
        playback.to(ply)
        write(view(playback, ink) + "\n")


def by_keys(playback: Playback, ink: Ink) -> None:
    """Step through the game by keys until the user quits."""
    playback.to(0)
    steps = {
        keys.RIGHT: 1, " ": 1, "n": 1, "l": 1, keys.DOWN: 1, keys.LEFT: -1, keys.UP: -1,
        "p": -1, "h": -1, keys.BACKSPACE: -1,
    }  # fmt: skip
    with keys.Keys() as pressed:
        while True:
            _columns, height = size()
            shown = view(playback, ink, max(height - _AROUND, 1) if height else 0)
            sys.stdout.write(f"{CLEAR}{plain(playback.heading())}\n\n{shown}\n\n{_HELP}\n")
            sys.stdout.flush()
            key = pressed.read()
            if key in ("q", keys.ESCAPE, keys.CLOSED):
                return
            if key in (keys.HOME, "g"):
                playback.to(0)
            elif key in (keys.END, "G"):
                playback.to(len(playback.steps))
            else:
                playback.to(playback.ply + steps.get(key, 0))
