"""The sections on openings and mates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from ryugi_engine.games.position import Position
from ryugi_engine.records.san import to_san
from ryugi_engine.study import mates
from ryugi_engine.study.html import table
from ryugi_engine.study.openings import Branch
from ryugi_engine.study.study import Study
from ryugi_engine.study.wording import games, percent, round_percent


def openings_section(study: Study) -> str:
    """Return first moves and the tree of lines."""
    if not study.first_moves:
        return ""
    start = Position(study.game)
    rows = [
        [escape(_san(start, one.move)), percent(one.score), f"{one.score.games:,}"]
        for one in study.first_moves
    ]
    first = escape(study.first)
    return (
        f"<p>First moves by the low end of {first}'s score, in {games(len(study.strong))} of the"
        " two stronger kinds. Where ranges overlap the order is no ranking. Moves that the engine"
        " thinks bad are played seldom or not at all.</p>"
        f"{table('first-moves', ('Move', 'Score#', 'Games#'), rows)}"
        f"<h3>Lines played most</h3><p>With {first}'s score.</p>{_tree(start, study.tree)}"
    )


def _san(position: Position, move: str) -> str:
    return to_san(position, position.parse_move(move))


def _tree(position: Position, branches: Sequence[Branch], depth: int = 0) -> str:
    if not branches:
        return ""
    lines = []
    for branch in branches:
        text = _san(position, branch.move)
        number = len(position.moves) // 2 + 1
        label = f"{number}.{' …' if len(position.moves) % 2 else ''} {text}"
        position.push(branch.move)
        below = _tree(position, branch.following, depth + 1)
        position.pop()
        score = f"<small>{round_percent(branch.score)}, {games(branch.games)}</small>"
        head = f"<b>{escape(label)}</b> {score}"
        if below:
            opened = " open" if depth < 2 else ""
            lines.append(f"<li><details{opened}><summary>{head}</summary>{below}</details></li>")
        else:
            lines.append(f"<li>{head}</li>")
    return f'<ul class="tree">{"".join(lines)}</ul>'


def mates_section(study: Study) -> str:
    """Return which few pieces mate a bare king."""
    if not study.mates:
        return ""
    rows = []
    for mate in study.mates:
        names = " and ".join(study.game.called(letter) for letter in mate.pieces)
        won = round(mate.mates.value * mate.mates.games)
        length = f"{math.ceil(mate.plies / 2)}" if won else ""
        rows.append([escape(names), f"{won} of {mate.mates.games}", percent(mate.mates), length])
    head = ("Pieces besides the king", "Mates#", "Share#", "Moves to mate, average#")
    if mates.are_exact(study.game, study.mates[0].pieces):
        how = (
            "Both sides play by exact distances to mate. Draws come of pieces that are lost at"
            " once, or stand on squares of one colour."
        )
    else:
        how = (
            f"Both sides search, up to {mates.PLIES // 2} moves each. With so few"
            " positions only a mate that was found tells something."
        )
    return (
        "<p>A king with these pieces is to move against a bare king, in random positions."
        f" {how}</p>{table('mates', head, rows)}"
    )
