"""The library's engine: searches, limits, lines, levels, stopping, misuse."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator

import pytest

from ryugi_engine import BLACK, WHITE, Engine, IllegalMove, Info, Limit, Position, Score, UserError
from ryugi_engine.core.session import Session

MATE_IN_2 = "7k/8/R7/1R6/8/8/8/7K w - - 0 1"


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


@pytest.mark.parametrize("name", ["chess", "crazyhouse", "shogi", "duck", "gorogo", "goryujin"])
def test_it_plays_every_kind_of_game(engine: Engine, name: str) -> None:
    position = Position(name)
    for _ in range(3):
        result = engine.play(position, Limit(nodes=300))
        assert result.move in position.legal_moves.uci()
        assert result.info.pv[0] == result.move
        position.push(result.move)
    assert position.ply() == 3


def test_a_mate_is_found(engine: Engine) -> None:
    info = engine.analyse(Position("chess", MATE_IN_2), Limit(depth=8))
    assert (info.score.mate, info.pv[0], info.score.wdl()) == (2, "b5b7", (1000, 0, 0))
    assert info.score.pov(BLACK).mate == -2
    assert info.score.pov(WHITE) == info.score
    black = Position("chess", MATE_IN_2)
    black.push("Rb7")
    info = engine.analyse(black, Limit(depth=6))
    assert info.score.pov(WHITE).mate in (1, 2)
    assert info.score.turn is BLACK


def test_lines_are_the_best_moves_in_order(engine: Engine) -> None:
    position = Position("crazyhouse")
    lines = engine.analyse(position, Limit(nodes=3000), multipv=5)
    assert [line.multipv for line in lines] == [1, 2, 3, 4, 5]
    assert len({line.pv[0] for line in lines}) == 5
    scores = [line.score.cp for line in lines]
    assert scores == sorted(scores, reverse=True)
    few = engine.analyse(
        Position("chess", "7k/8/8/8/8/8/r7/7K w - - 0 1"), Limit(depth=3), multipv=9
    )
    assert len(few) == 1
    assert isinstance(engine.analyse(position, Limit(nodes=100)), Info)


def test_limits_are_kept(engine: Engine) -> None:
    position = Position("chess")
    engine.new_game()
    assert engine.analyse(position, Limit(nodes=2000)).nodes <= 2100
    assert engine.analyse(position, Limit(depth=3)).depth == 3
    only = engine.analyse(position, Limit(depth=4), root_moves=["h4", position.parse("a4")])
    assert only.pv[0] in ("h2h4", "a2a4")
    clock = engine.play(position, Limit(white_clock=0.5, black_clock=0.5))
    assert clock.info.time < 30
    assert position.ply() == 0


def test_the_lines_come_while_it_searches(engine: Engine) -> None:
    depths = []
    with engine.analysis(Position("chess")) as analysis:
        for info in analysis:
            depths.append(info.depth)
            if info.depth >= 4:
                break
    assert depths == sorted(depths)
    assert analysis.lines[0].depth >= 4
    with pytest.raises(ZeroDivisionError), engine.analysis(Position("chess")):
        raise ZeroDivisionError
    assert engine.analyse(Position("chess"), Limit(depth=1)).depth == 1  # it is free again


def test_another_thread_stops_it(engine: Engine) -> None:
    stopping = threading.Thread(target=engine.stop)
    with engine.analysis(Position("shogi"), Limit(time=3600)) as analysis:
        first = next(iter(analysis))
        stopping.start()
        assert [first, *analysis][-1].time < 1800
    stopping.join()
    engine.stop()  # nothing runs


def test_it_can_be_stopped_before_it_has_begun(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the game's kernels are being loaded."""
    ready = Session.wait_ready

    def late(session: Session) -> None:
        engine.stop()
        ready(session)

    monkeypatch.setattr(Session, "wait_ready", late)
    assert engine.analyse(Position("chess"), Limit(time=3600)).time < 1800


def test_two_engines_in_two_threads() -> None:
    found: dict[str, Info] = {}

    def think(name: str) -> None:
        with Engine() as engine:
            found[name] = engine.analyse(Position(name), Limit(nodes=2000))

    threads = [threading.Thread(target=think, args=(name,)) for name in ("chess", "crazyhouse")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, info in found.items():
        with Engine() as engine:
            again = engine.analyse(Position(name), Limit(nodes=2000))
        assert (again.pv, again.score, again.nodes) == (info.pv, info.score, info.nodes)


def test_levels_weaken_play_and_no_analysis() -> None:
    position = Position("chess", "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
    with Engine(level=1) as weak, Engine() as strong:
        weak.configure({"Level Seed": 7})
        assert weak.play(position, Limit(nodes=5000)).info.nodes < 500
        assert strong.play(position, Limit(nodes=5000)).info.nodes > 500
        lines = [one.analyse(position, Limit(nodes=5000)) for one in (weak, strong)]
        assert lines[0].pv[0] == lines[1].pv[0] == "e4d5"
        assert weak.options["Level"] == "1"


def test_a_game_that_is_over(engine: Engine) -> None:
    mated = Position("chess", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1")
    assert engine.play(mated, Limit(nodes=100)).move is None
    info = engine.analyse(mated, Limit(nodes=100))
    assert (info.score.mate, info.score.turn, info.pv) == (0, BLACK, [])
    assert info.score.pov(WHITE).cp > 31_000
    stalemate = Position("chess", "7k/5Q2/8/8/8/8/8/K7 b - - 0 1")
    assert engine.analyse(stalemate, Limit(nodes=100)).score == Score(0, None, BLACK)
    hill = Position("kingofthehill", "8/8/8/3K4/8/8/8/k7 b - - 0 1")
    assert engine.analyse(hill, Limit(nodes=100)).score.mate == 0


def test_the_programs_memory_stays_its_own() -> None:
    gc.unfreeze()  # what matches of other tests have frozen: the engine leaves a program's alone
    with Engine() as engine:
        engine.play(Position("chess"), Limit(nodes=100))
    assert gc.get_freeze_count() == 0


def closed() -> Engine:
    engine = Engine()
    engine.close()
    engine.close()
    return engine


def busy(act: Callable[[Engine], object]) -> None:
    with Engine() as engine, engine.analysis(Position("chess")):
        act(engine)


START = Position("chess")
MISUSES: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "closed": (lambda: closed().play(START, Limit(nodes=1)), UserError, "the engine is closed"),
    "closed, stop": (lambda: closed().stop(), UserError, "the engine is closed"),
    "closed, options": (lambda: closed().options, UserError, "the engine is closed"),
    "busy": (
        lambda: busy(lambda engine: engine.play(START, Limit(nodes=1))),
        UserError,
        "the engine is searching: one search at a time",
    ),
    "busy, options": (
        lambda: busy(lambda engine: engine.configure({"Hash": 4})),
        UserError,
        "the engine is searching",
    ),
    "no limit": (lambda: Engine().play(START, Limit()), UserError, "a search needs a limit"),
    "no nodes": (
        lambda: Engine().play(START, Limit(nodes=-1)),
        UserError,
        "Limit: nodes is -1, and at least 1",
    ),
    "no number": (
        lambda: Engine().play(START, Limit(time="1")),  # type: ignore[arg-type]
        UserError,
        "Limit: time is '1'",
    ),
    "no level": (lambda: Engine(level=13), UserError, "Level: 13 is not in 1..12"),
    "no option": (
        lambda: Engine(options={"Contempt": 1}),
        UserError,
        "no option 'Contempt': there",
    ),
    "no net": (
        lambda: Engine(options={"EvalFile": "/no/such.net"}),
        UserError,
        "/no/such.net: No such file",
    ),
    "no lines": (
        lambda: Engine().analyse(START, Limit(nodes=1), multipv=-1),
        UserError,
        "MultiPV: -1 is not in 1..500",
    ),
    "an illegal root move": (
        lambda: Engine().analyse(START, Limit(nodes=1), root_moves=["e5"]),
        IllegalMove,
        "illegal move 'e5' in",
    ),
}


@pytest.mark.parametrize("misuse", MISUSES)
def test_misuse_is_one_clear_line(misuse: str) -> None:
    act, kind, message = MISUSES[misuse]
    with pytest.raises(kind, match=message) as raised:
        act()
    assert "\n" not in str(raised.value)
