"""Formatters of UCI answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ryugi_engine.core.options import Option

if TYPE_CHECKING:
    from ryugi_engine.core.events import GameOver
    from ryugi_engine.games.game import Game
    from ryugi_engine.perft.count import Count
    from ryugi_engine.search.report import Report, Result, Score

WIRE_PASS = "0000"


def option_line(option: Option) -> str:
    """Return the ``option name ...`` line of an option."""
    kind = "string" if option.kind == "file" else option.kind  # UCI has no files
    text = f"option name {option.name} type {kind}"
    if option.kind == "button":
        return text
    if kind == "string":
        return f"{text} default {option.default or '<empty>'}"
    text += f" default {option.default}"
    if option.kind == "spin":
        text += f" min {option.low} max {option.high}"
    return text + "".join(f" var {choice}" for choice in option.choices)


def variant_line(game: Game) -> str:
    """Return the line that Fairy-Stockfish prints after a change of variant and that GUIs read."""
    return (
        f"info string variant {game.name} files {game.files} ranks {game.ranks} "
        f"pocket {game.pocket} template {game.template} startpos {game.start}"
    )


def protocol_move(move: str) -> str:
    """Return a move in UCI notation."""
    from ryugi_engine.games.game import PASS

    return WIRE_PASS if move == PASS else move


def _score(score: Score) -> str:
    text = f"mate {score.mate}" if score.mate is not None else f"cp {score.cp}"
    return f"{text} {score.bound}".rstrip()


def info_line(report: Report, show_wdl: bool) -> str:
    """Return the ``info depth ...`` line of a report."""
    text = f"info depth {report.depth} seldepth {report.seldepth} multipv {report.multipv}"
    text += f" score {_score(report.score)}"
    if show_wdl:
        text += " wdl {} {} {}".format(*report.score.wdl())
    text += f" nodes {report.nodes} nps {int(report.nodes / report.seconds)}"
    text += f" hashfull {report.hashfull} time {int(report.seconds * 1000)}"
    return text + (" pv " + " ".join(map(protocol_move, report.pv)) if report.pv else "")


def game_over_line(event: GameOver) -> str:
    """Return the ``info`` line of a position in which the game is over.

    The side to move is mated in 0 if it has lost. If it has won, UCI knows no better than a mate
    in 1.
    """
    score = "cp 0" if event.won is None else "mate 1" if event.won else "mate 0"
    return f"info depth 0 score {score}"


def bestmove_line(result: Result) -> str:
    """Return ``bestmove``, with the ponder move if there is one."""
    if not result.best:
        return "bestmove (none)"
    ponder = f" ponder {protocol_move(result.ponder)}" if result.ponder else ""
    return f"bestmove {protocol_move(result.best)}{ponder}"


def perft_lines(count: Count) -> list[str]:
    """Return a line per root move, sorted, then the total."""
    lines = [f"{protocol_move(move)}: {nodes}" for move, nodes in sorted(count.divide.items())]
    if count.stopped:
        return [*lines, "info string perft stopped, the counts are not complete"]
    return [*lines, "", f"Nodes searched: {count.nodes}", ""]
