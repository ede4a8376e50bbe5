"""The sections on pieces and rules."""

from __future__ import annotations

from html import escape

from ryugi_engine.study import plots
from ryugi_engine.study.estimates import Figure
from ryugi_engine.study.html import cell, table
from ryugi_engine.study.odds import unit_odds
from ryugi_engine.study.study import Study
from ryugi_engine.study.wording import games, number, percent, round_percent


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _known(figure: Figure | None) -> str:
    if figure is None:
        return ""
    return f"{number(figure)}<br><small>{games(figure.games)}</small>"


def pieces_section(study: Study) -> str:
    """Return values and deeds of the pieces; "" for a game without."""
    if not study.pieces:
        return ""
    parts = [_values(study)]
    rows = [
        [
            escape(piece.name),
            cell(number(piece.moves)),
            cell(number(piece.captures)),
            cell(number(piece.taken)),
            cell(number(piece.promotions, 2)) if piece.promotions.value else "",
            "" if piece.at_home is None else cell(percent(piece.at_home)),
        ]
        for piece in study.pieces
    ]
    head = ("Piece", "Moves#", "Captures#", "Is captured#", "Promotes#", "Never moves#")
    count = study.pieces[0].moves.games
    parts.append(
        "<h3>What they do</h3><p>Times a game, of both sides together, in"
        f" {games(count)}. The last column: of those of the start, how many never move.</p>"
        f"{table('deeds', head, rows)}"
    )
    if study.promotions:
        rows = [
            [escape(study.game.called(choice.sign)), percent(choice.share)]
            for choice in study.promotions
        ]
        parts.append(
            "<h3>What they promote to</h3>"
            f"<p>In {games(study.promotions[0].share.games)} with promotions.</p>"
            f"{table('promotions', ('Piece', 'Share of promotions#'), rows)}"
        )
    return "".join(parts)


def _values(study: Study) -> str:
    army = study.army
    if army is None:
        return ""
    unit = study.game.called(army.unit).lower()
    valued = [piece for piece in study.pieces if piece.value is not None]
    rows = [
        [escape(piece.name), _known(piece.value), _plain(piece.net), _plain(piece.by_moves)]
        for piece in valued
    ]
    head = ("Piece", "Value#", "By the evaluation#", "By its moves or definition#")
    bars = [(piece.name, piece.value) for piece in valued if piece.value is not None]
    ahead = unit_odds(army, study.odds)
    later = ""
    if army.unit == study.game.pawn:
        later = " A pawn of the start is worth less than one that is left in the end, so values are"
        later += " larger than the textbook's."
    return (
        f"<p>Values in units of a {escape(unit)}. One side begins without a piece, the other"
        " without some that should be worth about as much; the results of all"
        f" {games(len(study.odds))} together give the values. A side that is a {escape(unit)}"
        f" ahead scores {round_percent(ahead)}.{later}</p>"
        f"{plots.whiskers('Values of the pieces', bars, f'value in units of a {unit}')}"
        f"{table('values', head, rows)}"
    )


def rules_section(study: Study) -> str:
    """Return how often rules mattered; "" for a game whose rules are not known one by one."""
    if not study.rules:
        return ""
    rows = [[escape(rule.name), percent(rule.used), percent(rule.possible)] for rule in study.rules]
    return (
        "<p>The moves of"
        f" {games(study.rules[0].used.games)} were played again without one rule each. A rule was"
        " used where a move or the result would not have been without it. It was possible where a"
        " position had other moves, or another result.</p>"
        f"{table('rules', ('Rule', 'Used in#', 'Possible in#'), rows)}"
    )
