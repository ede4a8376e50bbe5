"""Checks of a UCI engine's ``info`` lines: well-formed, legal and consistent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ryugi_engine.games.game import counted, read_move
from ryugi_engine.games.position import Position
from ryugi_engine.match.compliance.connection import Line, shown
from ryugi_engine.match.compliance.parsing import Malformed, fault_of
from ryugi_engine.match.compliance.steps import Fault, Search
from ryugi_engine.match.compliance.uci import checked
from ryugi_engine.match.compliance.uci_lines import Info, parse_info


def info_lines(search: Search) -> list[Line]:
    """Return the ``info`` lines of a search, without ``info string``."""
    return [
        line
        for line in search.lines
        if line.text.startswith("info ") and line.text.split()[1:2] != ["string"]
    ]


def infos(search: Search) -> Iterator[tuple[Line, Info]]:
    """Return the well-formed ``info`` lines of a search, without ``info string``."""
    for line in info_lines(search):
        try:
            yield line, parse_info(line.text)
        except Malformed:
            continue


def depths(search: Search) -> list[int]:
    """Return the depths of its principal variations."""
    return [i.numbers["depth"] for _l, i in infos(search) if i.pv and "depth" in i.numbers]


def nodes(search: Search) -> list[int]:
    """Return its node counts."""
    return [info.numbers["nodes"] for _line, info in infos(search) if "nodes" in info.numbers]


def first_moves(search: Search) -> list[str]:
    """Return the first moves of its principal variations."""
    return [read_move(info.pv[0]) for _line, info in infos(search) if info.pv]


def judge_lines(searches: Sequence[Search], margin: float) -> str:
    """Check that info lines are well-formed, and that time and nodes never decrease."""
    number = 0
    for search in searches:
        time = spent = 0
        for line in info_lines(search):
            number += 1
            fault = fault_of(parse_info, line.text)
            if fault is not None:
                raise Fault(f"'{shown(line.text)}': {fault}")
            numbers = parse_info(line.text).numbers
            if numbers.get("time", time) < time or numbers.get("nodes", spent) < spent:
                raise Fault(f"'{shown(line.text)}': fewer than before in 'go {search.limits}'")
            time, spent = numbers.get("time", time), numbers.get("nodes", spent)
            if "ponder" not in search.limits:  # its time may be counted from either beginning
                wall = line.when - search.began + margin
                if time / 1000 > wall:
                    raise Fault(f"'{shown(line.text)}': after {wall - margin:.2f} s")
    return counted(number, "line")


def judge_variations(searches: Sequence[Search], margin: float) -> str:
    """Check that variations are legal, and that the last one begins with the best move.

    Behind the last exact one there may be bounds: a search that is stopped while a better move
    turns out (fail high) answers with that, one stopped while the best gets worse need not.
    """
    number = short = 0
    for search in searches:
        last: list[str] = []
        for line, info in infos(search):
            if info.pv is None:
                continue
            number += 1
            trial = _played(search.position, info.pv, shown(line.text))
            short += _is_short(search.position, trial, info, line)
            if info.rank == 1 and info.pv and not info.bound:
                last = [info.pv[0]]
            elif info.rank == 1 and info.pv and last:
                last.append(info.pv[0])
        best = read_move(search.move)
        if last and best.lower() not in (read_move(move).lower() for move in last):
            message = shown(search.end.text)
            raise Fault(f"'{message}', but the last variation begins with {last[-1]}")
    message = f"; {counted(short, 'mate')} not shown to the end" if short else ""
    return counted(number, "variation") + message


def _played(position: Position, moves: Sequence[str], line: str) -> Position:
    trial = position.copy()
    for move in moves:
        trial.push(checked(trial, move, line))
    return trial


def _is_short(position: Position, end: Position, info: Info, line: Line) -> bool:
    """Return whether a mate's variation ends before the mate; Fault if its end is no mate."""
    if not info.mate or info.bound or not position.game.royal or info.pv is None:
        return False
    plies = 2 * info.mate - 1 if info.mate > 0 else -2 * info.mate
    if len(info.pv) < plies:
        return True
    trial = position.copy()
    for move in info.pv[:plies]:
        trial.push(checked(trial, move, line.text))
    outcome = trial.outcome()
    winner = position.side if info.mate > 0 else 1 - position.side
    if outcome is None or outcome.winner != winner:
        raise Fault(f"'{shown(line.text)}': no mate at its end")
    return False


def judge_scores(searches: Sequence[Search], margin: float) -> str:
    """Check that variations have scores, and that each search has one that is no bound."""
    number = exact = 0
    for search in searches:
        scored = [(line, info) for line, info in infos(search) if info.scored]
        for line, info in infos(search):
            if info.pv and not info.scored:
                raise Fault(f"'{shown(line.text)}': a variation without a score")
            if info.mate == 0 and info.pv:
                raise Fault(f"'{shown(line.text)}': mate 0, and moves to it")
            if info.pv and "depth" not in info.numbers:
                raise Fault(f"'{shown(line.text)}': a variation without a depth")
        number += len(scored)
        exact += sum(not info.bound for _line, info in scored)
        if scored and search.limits != "nodes 1" and all(info.bound for _line, info in scored):
            raise Fault(f"only bounds in 'go {search.limits}': '{shown(scored[-1][0].text)}'")
    if not number:
        raise Fault("no score in any search")
    return f"{counted(number, 'score')}, {number - exact} of them bounds"


def judge_ranks(search: Search, wanted: int) -> None:
    """Check that the deepest complete iteration has ``wanted`` lines with different moves."""
    results: dict[int, dict[int, str]] = {}
    for line, info in infos(search):
        if info.pv and not info.bound:
            if wanted > 1 and "multipv" not in info.numbers:
                raise Fault(f"'{shown(line.text)}': no multipv")
            if info.rank > wanted:
                raise Fault(f"'{shown(line.text)}': {wanted} were asked for")
            results.setdefault(info.numbers.get("depth", 0), {})[info.rank] = info.pv[0]
    last = results[max(results)] if results else {}
    if sorted(last) != list(range(1, wanted + 1)):
        have = ", ".join(map(str, sorted(last))) or "none"
        raise Fault(f"lines {have} of the last depth; {wanted} were asked for")
    if len(set(last.values())) < wanted:
        raise Fault(f"the same first move twice: {', '.join(last.values())}")


def judge_mate(search: Search) -> None:
    """Check that the last score of the best move is a mate in one."""
    last = [(line, i) for line, i in infos(search) if i.scored and i.rank == 1]
    if not last:
        raise Fault("no score where a move wins")
    line, info = last[-1]
    if info.mate != 1:
        raise Fault(f"'{shown(line.text)}' where {search.move}, a win at once, is there")


def judge_finished(search: Search, drawn: bool) -> None:
    """Check that a score of a finished game is its result."""
    for line, info in infos(search):
        if info.scored and (info.cp != 0 if drawn else info.mate != 0):
            raise Fault(f"'{shown(line.text)}' where the game is {'drawn' if drawn else 'lost'}")
        if info.pv:
            raise Fault(f"'{shown(line.text)}': moves where the game is over")
