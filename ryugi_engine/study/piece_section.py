"""The sections on pieces and rules."""

from __future__ import annotations

import math
from collections.abc import Callable
from html import escape

from ryugi_engine.study import plots
from ryugi_engine.study.estimates import Figure
from ryugi_engine.study.html import cell, table
from ryugi_engine.study.odds import START_PAWN
from ryugi_engine.study.pieces import Piece
from ryugi_engine.study.study import Study
from ryugi_engine.study.wording import games, listed, number, percent


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _cell(figure: Figure | None) -> str:
    return "" if figure is None else cell(number(figure))


def _share(figure: Figure | None) -> str:
    return "" if figure is None else cell(percent(figure))


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
    columns: dict[str, Callable[[Piece], str]] = {}
    if any(piece.value is not None and math.isfinite(piece.value.low) for piece in valued):
        columns["Value#"] = lambda piece: _known(piece.value)
        told = f"Values are in units of a {unit}, whose own range tells how firm the unit is."
        if army.pawns:
            columns["In average pawns#"] = lambda piece: _cell(piece.textbook)
            told += (
                " A pawn of the start is worth less than one that is left in the end: in chess"
                f" {START_PAWN} of an average pawn (L. Kaufman, 2003), which textbooks count in;"
                " other games are assumed to be alike."
            )
    else:
        told = f"A {unit} is not sure to be worth anything, so there are no values in {unit}s."
        without = next((one.without for one in valued if one.sign == army.unit), None)
        if without is not None and without.low > 0.5:
            told = f"A side scores better without a {unit}, so there are no values in {unit}s."
    columns["Score without it#"] = lambda piece: _share(piece.without)
    columns["By the engine's evaluation#"] = lambda piece: _plain(piece.net)
    columns["Guessed from its moves#"] = lambda piece: _plain(piece.by_moves)
    rows = [[escape(piece.name), *(show(piece) for show in columns.values())] for piece in valued]
    bars = [(piece.name, piece.value) for piece in valued if piece.value is not None]
    drawn = plots.whiskers("Values of the pieces", bars, f"value in units of a {unit}")
    return (
        "<p>One side begins without a piece, the other without some that should be worth about as"
        f" much, at {study.plan.odds_nodes:,} nodes a move. The results of all"
        f" {games(len(study.odds))} together give the figures. A game counts for each kind that is"
        f" missing in it. {escape(told)} The score without it is that of a side which lacks only"
        " this piece, by the same results. The last two columns are the engine's guesses, in units"
        f" of what it counts for a {unit}.</p>"
        f"{drawn if 'Value#' in columns else ''}{table('values', ('Piece', *columns), rows)}"
    )


def rules_section(study: Study) -> str:
    """Return how often rules mattered; "" for a game whose rules are not known one by one."""
    if not study.rules:
        return ""
    rows = [[escape(rule.name), percent(rule.used), percent(rule.possible)] for rule in study.rules]
    idle = [rule.name for rule in study.rules if not rule.used.value]
    said = f"Without effect so far: {listed(idle)}." if idle else "Each rule had an effect in some."
    return (
        f"<p>The moves of {games(study.rules[0].used.games)}, weak ones among them, were played"
        f" again without one rule each. {escape(said)} A rule had an effect where a move was"
        " illegal without it, or the game did not end so. It could have had one where a position"
        " had other moves, or another result.</p>"
        f"{table('rules', ('Rule', 'Had an effect in#', 'Could have in#'), rows)}"
    )
