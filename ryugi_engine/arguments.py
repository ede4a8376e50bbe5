"""The words of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from ryugi_engine import __version__
from ryugi_engine.numbers import NumberError, whole
from ryugi_engine.terminal.screen import COLOURS


def _whole(low: int, high: int) -> type:
    class Whole(int):
        def __new__(cls, text: str) -> Whole:
            try:
                return super().__new__(cls, whole(text, low, high))
            except NumberError as error:
                raise argparse.ArgumentTypeError(str(error)) from None

    return Whole


def _one_of(*names: str) -> Callable[[str], str]:
    # argparse would apply "choices" to an empty list too
    def read(text: str) -> str:
        if text not in names:
            raise argparse.ArgumentTypeError(f"'{text}' is none of {', '.join(names)}")
        return text

    return read


def _position_options(parser: argparse.ArgumentParser, required: bool = False) -> None:
    default = None if required else "ryugi"
    text = "the game" if required else "the game (default: ryugi)"
    parser.add_argument("--variant", default=default, required=required, help=text)
    parser.add_argument("--fen", help="position (default: the start)")
    parser.add_argument(
        "--moves", nargs="+", default=[], metavar="MOVE", help="moves to play first"
    )


def _colour_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--colour",
        "--color",
        choices=COLOURS,
        default="auto",
        help="colours in the terminal: auto, always or never (default: auto)",
    )


def _record_commands(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, text: str) -> argparse.ArgumentParser:
        sub = actions.add_parser(name, help=text, description=text)
        sub.add_argument("file", type=Path, metavar="FILE", help="a record, .pgn or .kif alike")
        if name != "new":
            sub.add_argument(
                "--game", type=_whole(1, 10**9), metavar="N", help="which of the file's games"
            )
        return sub

    new = action("new", "begin a game in a new file, or behind the games of an old one")
    new.add_argument("--variant", required=True, help="the game")
    new.add_argument("--fen", help="position (default: the start)")
    for name in ("white", "black", "event", "site", "round", "date"):
        new.add_argument(f"--{name}", metavar="TEXT", help=f"the tag {name.capitalize()}")
    new.add_argument("--tc", metavar="TEXT", help="the tag TimeControl (default: -)")

    add = action("add", "play moves in an unfinished game")
    add.add_argument("moves", nargs="+", metavar="MOVE", help="a move, or at last resign or draw")
    add.add_argument("--comment", default="", metavar="TEXT", help="a comment for the last move")

    action("undo", "take the last move back, or the resignation or draw that ended the game")

    show = action("show", "show the board, the last move marked, and whose turn it is")
    replay = action("replay", "go through a game, by keys where the terminal has them")
    for sub in (show, replay):
        sub.add_argument("--ply", type=_whole(0, 10**6), metavar="N", help="after so many moves")
        sub.add_argument(
            "--line",
            type=_whole(0, 10**6),
            default=0,
            metavar="K",
            help="follow the file's K-th variation (default: 0, the game itself)",
        )
        _colour_option(sub)
    show.add_argument("--svg", type=Path, metavar="OUT", help="write the picture to OUT")
    replay.add_argument("--all", action="store_true", help="show every position")
    replay.add_argument("--html", type=Path, metavar="OUT", help="write the game as a web page")
    replay.add_argument(
        "--from-here",
        nargs="+",
        metavar="MOVE",
        help="with --ply: add these moves as a variation; the game is kept",
    )


def parser() -> argparse.ArgumentParser:
    """The command line's words, with their limits and help."""
    top = argparse.ArgumentParser(
        prog="ryugi-engine",
        description="An engine for Ryugi, other chess-like games on boards of up to 10x8 and "
        "placement games; 'games' lists them. Without a command it waits for 'uci' or 'xboard'.",
    )
    top.add_argument("--version", action="version", version=f"ryugi-engine {__version__}")
    top.add_argument("--variants", metavar="FILE", default="", help="your own game definitions")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        sub.add_argument(
            "--variants",
            metavar="FILE",
            default=argparse.SUPPRESS,
            help="your own game definitions",
        )
        return sub

    spoken_by = {"uci": ("UCI", "chess"), "xboard": ("the XBoard protocol", "ryugi")}
    for name, (spoken, default) in spoken_by.items():
        protocol = command(name, f"speak {spoken} at once")
        text = f"the game until the GUI chooses one (default: {default})"
        protocol.add_argument("--variant", default="", help=text)

    perft = command("perft", "count legal move sequences")
    _position_options(perft)
    what = perft.add_mutually_exclusive_group(required=True)
    what.add_argument("--depth", type=_whole(0, 40), help="plies to count")
    what.add_argument("--suite", type=Path, metavar="FILE", help="lines 'FEN ;D1 20 ;D2 400'")
    perft.add_argument("--divide", action="store_true", help="show the count of each root move")
    perft.add_argument("--no-bulk", action="store_true", help="make every leaf move")
    perft.add_argument("--hash", type=_whole(0, 65536), default=0, metavar="MB", help="count table")
    perft.add_argument("--threads", type=_whole(1, 256), default=1, metavar="T")
    perft.add_argument("--json", action="store_true", help="print one JSON object")
    perft.add_argument(
        "--max-nodes", type=_whole(1, 10**18), metavar="N", help="with --suite: skip counts above N"
    )

    bench = command("bench", "search a fixed set of positions; prints nodes and nodes a second")
    bench.add_argument("--variant", help="one game only (default: all)")
    bench.add_argument("--depth", type=_whole(1, 60), help="plies (default: each game's own)")
    bench.add_argument("--threads", type=_whole(1, 256), default=1, metavar="T")
    bench.add_argument("--hash", type=_whole(1, 65536), default=16, metavar="MB")

    match = command("match", "play games between two engines")
    match.add_argument("--variant", default="ryugi", help="the game (default: ryugi)")
    match.add_argument(
        "--engine",
        action="append",
        required=True,
        metavar="CMD",
        help="a UCI engine's command line; give it twice",
    )
    match.add_argument("--games", type=_whole(1, 1_000_000), default=2, metavar="N")
    match.add_argument(
        "--tc",
        default="10+0.1",
        metavar="SEC+INC",
        help="clock, or st=SEC for a time a move (default: 10+0.1)",
    )
    match.add_argument(
        "--time-margin",
        type=_whole(0, 60_000),
        default=0,
        metavar="MS",
        help="how late a move may be (default: 0)",
    )
    match.add_argument(
        "--resign", default="", metavar="MOVES:CP", help="a side so far behind for so long resigns"
    )
    match.add_argument(
        "--draw", default="", metavar="MOVES:CP", help="two sides so even for so long agree"
    )
    match.add_argument("--pgn-out", type=Path, metavar="FILE", help="append the games to FILE")
    match.add_argument("--openings", type=Path, metavar="FILE", help="position texts, one a line")
    match.add_argument("--seed", type=_whole(0, 2**31), default=0, help="order of the openings")
    match.add_argument(
        "--max-plies",
        type=_whole(2, 100_000),
        default=1000,
        metavar="N",
        help="a longer game is a draw (default: 1000)",
    )
    match.add_argument("--quiet", action="store_true", help="no line for every move")

    show = command("show", "show a position as text, or as a picture")
    _position_options(show, required=True)
    show.add_argument("--svg", type=Path, metavar="FILE", help="write the picture to FILE")
    _colour_option(show)

    _record_commands(command("record", "keep, send and replay games as files"))

    play = command("play", "play against the engine in this terminal")
    play.add_argument("--variant", required=True, help="the game")
    play.add_argument("--fen", help="position (default: the start)")
    play.add_argument("--side", choices=("w", "b"), default="w", help="your side (default: w)")
    play.add_argument(
        "--tc",
        default="st=2",
        metavar="SEC+INC",
        help="the engine's clock, or st=SEC for a time a move (default: st=2)",
    )
    play.add_argument(
        "--skill", type=_whole(0, 20), default=20, metavar="0-20", help="its strength (default: 20)"
    )
    play.add_argument("--save", type=Path, metavar="FILE", help="keep the game here as it goes on")
    _colour_option(play)

    solve = command("solve", "solve a position exactly, for games that have a solver")
    _position_options(solve, required=True)
    solve.add_argument(
        "--margin", action="store_true", help="also find the size of the win, and a line to it"
    )
    solve.add_argument("--progress", action="store_true", help="show nodes on the way")
    solve.add_argument(
        "--state", type=Path, metavar="FILE", help="keep what is found out, to go on later"
    )
    solve.add_argument("--hash", type=_whole(1, 65536), default=256, metavar="MB")

    check = command("check", "check a file of game definitions, or a game that you are writing")
    checked = check.add_mutually_exclusive_group(required=True)
    checked.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="definitions, which are not loaded"
    )
    checked.add_argument(
        "--game", metavar="NAME", help="play it at random, and compare it with its naive rules"
    )
    check.add_argument(
        "--positions", type=_whole(1, 10**6), default=300, metavar="N", help="how many to look at"
    )
    check.add_argument("--seed", type=_whole(0, 2**31), help="repeat a check with --game")

    command("warmup", "compile the kernels into the cache, so that the first start is quick")
    command("doctor", "look for what is wrong with the installation, and tell what to do about it")

    gui = command("gui", "print the entries that make GUIs know the engine, or install them")
    gui.add_argument(
        "gui",
        nargs="*",
        metavar="GUI",
        type=_one_of("cutechess", "xboard", "desktop", "uci"),
        help="cutechess, xboard, desktop or uci (default: all; with --write those with a file,"
        " all but uci)",
    )
    gui.add_argument("--write", action="store_true", help="put them where the GUIs look for them")
    gui.add_argument("--force", action="store_true", help="replace an entry that is there")

    command("games", "list the games")
    return top
