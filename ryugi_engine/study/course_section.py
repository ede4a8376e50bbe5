"""The sections on balance and on the course of games."""

from __future__ import annotations

from html import escape

from ryugi_engine.study import plots
from ryugi_engine.study.html import cell, table
from ryugi_engine.study.study import Study
from ryugi_engine.study.wording import games, number, percent

_DROPS = "Drops in a game"


def balance_section(study: Study) -> str:
    """Return the results at each strength."""
    first = escape(study.first)
    rows = [
        [
            f"{balance.nodes:,}",
            cell(percent(balance.first)),
            cell(percent(balance.wins)),
            cell(percent(balance.draws)),
            cell(percent(balance.losses)),
            f"{balance.first.games:,}",
        ]
        for balance in study.balances
    ]
    head = (
        "Nodes a move#", f"{study.first}'s score#", "Wins#", "Draws#", "Losses#", "Games#",
    )  # fmt: skip
    bars = [
        (
            f"{balance.nodes:,} nodes",
            [
                ("win", balance.wins.value),
                ("draw", balance.draws.value),
                ("loss", balance.losses.value),
            ],
            balance.first,
        )
        for balance in study.balances
    ]
    key = "".join(
        f'<span><i class="{kind}"></i>{text}</span>'
        for kind, text in (("win", f"{first} wins"), ("draw", "draw"), ("loss", f"{first} loses"))
    )
    return (
        f"<p>{first} moves first. More nodes a move are stronger play."
        f" The dot is {first}'s score, the line its interval.</p>"
        f"{plots.stacked('Results by strength', bars)}"
        f'<p class="key">{key}</p>{table("balance", head, rows)}'
    )


def course_section(study: Study) -> str:
    """Return lengths, ends and the other figures of games."""
    course = study.course
    if course is None:
        return ""
    low, middle, high = course.quantiles
    rows = [
        ("Length in plies: moves, both sides' counted together", number(course.length)),
        ("Lengths of 10, 50 and 90 % of the games", f"up to {low}, {middle} and {high} plies"),
        ("Legal moves in a position", number(course.branching)),
        ("Captures in a game", number(course.captures)),
        (_DROPS, number(course.drops)),
        ("Decided after the opening: expected score beyond 80 %", percent(course.decided)),
        ("Comebacks: a side with less than 20 % does not lose", percent(course.comebacks)),
        ("Sharpness: expected score that the second-best move loses", percent(course.sharpness)),
        ("Positions with an only move: all others lose 20 % or more", percent(course.only_moves)),
    ]
    if not any(game["drops"] for game in study.strong):
        rows = [row for row in rows if row[0] != _DROPS]
    facts = table("course", ("Figure", "Value#"), [[escape(a), escape(b)] for a, b in rows])
    ends = table(
        "ends",
        ("End", "Share of games#"),
        [[escape(reason), percent(figure)] for reason, figure in course.ends],
    )
    return (
        f"<p>From {games(course.games)} of the stronger kinds.</p>{facts}"
        f"{plots.histogram('Lengths of games', course.lengths, 'plies')}<h3>How they end</h3>{ends}"
    )
