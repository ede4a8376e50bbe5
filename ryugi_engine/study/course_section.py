"""The sections on balance and on the course of games."""

from __future__ import annotations

from html import escape

from ryugi_engine.study import plots
from ryugi_engine.study.course import Course, end_of
from ryugi_engine.study.estimates import score
from ryugi_engine.study.html import cell, table
from ryugi_engine.study.study import Study
from ryugi_engine.study.wording import games, number, percent
from ryugi_engine.study.yardstick import CHESS

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
            f"{balance.nodes:,}",
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
        f"<p>{first} moves first. The engine looks at so many positions (nodes) for each move:"
        f" more are stronger play. The score counts a draw as half a win. The dot is {first}'s"
        " score, the line its range.</p>"
        f"{plots.stacked('Results by strength', 'nodes', bars)}"
        f'<p class="key">{key}</p>{table("balance", head, rows)}'
    )


def _both(name: str, course: Course) -> tuple[str, str]:
    """Return a share of the game and of chess."""
    return percent(getattr(course, name)), f"{100 * getattr(CHESS, name):.1f} %"


def course_section(study: Study) -> str:
    """Return lengths, ends and the other figures of games."""
    course = study.course
    if course is None:
        return ""
    low, middle, high = course.quantiles
    rows = [
        ("Length in plies: moves, both sides' together", number(course.length), f"{CHESS.plies}"),
        ("Lengths of 10, 50 and 90 % of the games", f"up to {low}, {middle} and {high}", ""),
        ("Legal moves in a position, on average", number(course.branching), f"{CHESS.branching}"),
        ("Captures in a game", number(course.captures), f"{CHESS.captures}"),
        (_DROPS, number(course.drops), ""),
        ("Decided after the opening: a side expects over 80 %", *_both("decided", course)),
        ("Comebacks: a side once below 20 % does not lose", *_both("comebacks", course)),
        ("Sharpness: what the second-best move loses on average", *_both("sharpness", course)),
        ("Only moves: positions in which it loses 20 % or more", *_both("only_moves", course)),
    ]
    if not any(game["drops"] for game in study.strong):
        rows = [row for row in rows if row[0] != _DROPS]
    wide = study.game.name != CHESS.name
    facts = table(
        "course",
        ("Figure", "Value#", *["In chess#"][: int(wide)]),
        [[escape(a), cell(b), *[escape(c)][: int(wide)]] for a, b, c in rows],
    )
    points: dict[str, list[float]] = {}
    for game in study.strong:
        points.setdefault(end_of(game), []).append(float(game["points"]))
    ends = table(
        "ends",
        ("End", "Share of games#", f"{study.first}'s score#"),
        [
            [
                escape(reason),
                cell(percent(figure)),
                "" if set(points[reason]) == {0.5} else cell(percent(score(points[reason]))),
            ]
            for reason, figure in course.ends
        ],
    )
    return (
        f"<p>From {games(course.games)} of the two stronger kinds. What a side expects is the"
        " engine's opinion as a score: 100 % is a win, 50 % a draw.</p>"
        f"{facts}"
        f"{plots.histogram('Lengths of games', course.lengths, 'plies')}<h3>How they end</h3>{ends}"
    )
