"""What commands share: kinds of arguments, games and positions by them, and complaints."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ryugi_engine.errors import UserError
from ryugi_engine.files.output import FileName, Kind
from ryugi_engine.files.reading import naming
from ryugi_engine.files.writing import write_whole
from ryugi_engine.processes import process
from ryugi_engine.terminal.screen import COLOURS, in_colours
from ryugi_engine.text.numbers import decimal, whole
from ryugi_engine.text.plain_text import plain

if TYPE_CHECKING:
    from ryugi_engine.cluster import Cluster
    from ryugi_engine.games.drawing import Ink
    from ryugi_engine.games.game import Game, Rules
    from ryugi_engine.games.position import Position
    from ryugi_engine.games.registry import Registry

#: Exit codes: wrong use or input, and a check that found a difference.
WRONG, MISMATCH = process.WRONG, 1
#: Default game of the commands.
DEFAULT_GAME = "ryugi"
#: Processes of ``--cluster local:N`` at most.
_MOST_WORKERS = 256


def stopped(path: Path) -> int:
    """Print that the interrupted command can be resumed; return the exit code of an interrupt."""
    print(plain(f"{path}: stopped; the same command resumes it"), file=sys.stderr, flush=True)
    return process.INTERRUPTED


# ---- kinds of arguments -----------------------------------------------------------------------


def whole_number(low: int, high: int) -> type:
    """Return an argument type: a whole number from ``low`` to ``high``."""

    class Whole(int):
        def __new__(cls, text: str) -> Whole:
            try:
                return super().__new__(cls, whole(text, low, high))
            except UserError as error:
                raise argparse.ArgumentTypeError(str(error)) from None

    return Whole


def decimal_number(low: float, high: float) -> Callable[[str], float]:
    """Return an argument type: a decimal number from ``low`` to ``high``."""

    def read(text: str) -> float:
        try:
            return decimal(text, low, high)
        except UserError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def variants_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--variants``, which may stand before and after a command or action."""
    parser.add_argument(
        "--variants",
        type=FileName,
        metavar="FILE",
        default=argparse.SUPPRESS,
        help="your own game definitions",
    )


def cluster_option(parser: argparse.ArgumentParser, **more: Any) -> None:
    """Add ``--cluster``, which :func:`cluster_of` reads."""
    text = "work on workers: local:N, so many processes of this machine, or tcp://scheduler:8786,"
    text += " those of a Dask cluster"
    parser.add_argument("--cluster", type=_cluster_address, metavar="WHERE", help=text, **more)


def _cluster_address(text: str) -> str:
    kind, _, number = text.partition(":")
    if kind == "local":
        try:
            whole(number, 1, _MOST_WORKERS)
        except UserError as error:
            raise argparse.ArgumentTypeError(f"'{text[:40]}': workers: {error}") from None
    elif not re.fullmatch(r"(?:tcp|tls|ws|wss)://[^\s/]+:\d{1,5}", text):
        message = f"'{text[:80]}' is neither like local:4 nor like tcp://scheduler:8786"
        raise argparse.ArgumentTypeError(message)
    return text


@contextlib.contextmanager
def cluster_of(arguments: argparse.Namespace, game: Game) -> Iterator[Cluster | None]:
    """Context: the cluster of ``--cluster`` for work on a game, None without that option."""
    if arguments.cluster is None:
        yield None
        return
    from ryugi_engine.cluster import Cluster
    from ryugi_engine.games.sent_game import SentGame

    cluster = Cluster(arguments.cluster, SentGame.of(game.name, arguments.variants))
    with contextlib.closing(cluster):
        cluster.open()
        yield cluster


def game_option(parser: argparse.ArgumentParser, default: str = DEFAULT_GAME) -> None:
    """Add ``--variant``, which :func:`game_of` reads; the help text names ``default``."""
    text = f"the game (default: {default}, or with --variants FILE of one game that one)"
    parser.add_argument("--variant", metavar="GAME", help=text)


def fen_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--fen``: a position text, None for the start."""
    text = "position text, or startpos (default: startpos)"
    parser.add_argument("--fen", type=_position_text, help=text)


def _position_text(text: str) -> str | None:
    return None if text.strip() == "startpos" else text


def position_options(parser: argparse.ArgumentParser, moves: str = "moves to play first") -> None:
    """Add the options that :func:`game_of` and :func:`position_of` read.

    ``moves`` is the help text of ``--moves``.
    """
    game_option(parser)
    fen_option(parser)
    parser.add_argument("--moves", nargs="+", default=[], metavar="MOVE", help=moves)


def net_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--net``: a file that is used in place of the game's own net."""
    text = "evaluate by this net (default: the one of the game's definition, or beside it, or its"
    text += " own)"
    parser.add_argument("--net", type=FileName, default="", metavar="FILE", help=text)


def rules_by(game: Game, arguments: argparse.Namespace) -> Rules:
    """Return a game's rules with the net of ``--net``; UserError if it does not fit."""
    from ryugi_engine.games.registry import rules_of
    from ryugi_engine.games.training import Trainable
    from ryugi_engine.nnue.file_format import read_net

    if not arguments.net:
        return rules_of(game)
    net, rules = read_net(Path(arguments.net)), rules_of(game)
    try:
        if not isinstance(rules, Trainable):
            raise UserError(f"{game.name} is played without nets")
        return rules.with_net(net)
    except UserError as error:
        raise UserError(f"--net {arguments.net}: {error}") from None


def board_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--colour`` and ``--unicode``, which :func:`ink_of` reads."""
    parser.add_argument(
        "--colour",
        "--color",
        choices=COLOURS,
        default="auto",
        help="colours in the terminal: auto, always or never (default: auto)",
    )
    text = "show chess pieces as Unicode's figures, others as letters"
    parser.add_argument("--unicode", action="store_true", help=text)


def ink_of(arguments: argparse.Namespace) -> Ink:
    """Return how boards are shown; UserError if the terminal's encoding has no chess pieces."""
    from ryugi_engine.games.drawing import Ink

    if arguments.unicode:
        encoding = sys.stdout.encoding
        try:
            "♔".encode(encoding)
        except UnicodeEncodeError:
            raise UserError(f"--unicode: the encoding {encoding} has no chess pieces") from None
    return Ink(in_colours(arguments.colour), arguments.unicode)


# ---- games and positions ----------------------------------------------------------------------


def load_variants(arguments: argparse.Namespace) -> Registry:
    """Load the games of ``--variants``; return the registry."""
    from ryugi_engine.games.registry import registry

    games = registry()
    if arguments.variants:
        games.load_file(arguments.variants)
    return games


def game_of(
    arguments: argparse.Namespace, default: str = DEFAULT_GAME, games: Registry | None = None
) -> Game:
    """Return the game of ``--variant``, or that of ``--variants`` if the file has one only.

    ``default`` is the game where neither says it; UserError if that is "" or there is none.
    ``games`` is the registry if the file has been loaded.
    """
    if games is None:
        games = load_variants(arguments)
    if arguments.variant is None and games.only_own is not None:
        return games.only_own
    if not (arguments.variant or default):
        raise UserError("which game? Name it, or give --variants FILE of one game")
    return games.game(default if arguments.variant is None else arguments.variant)


def tell_of_compiling() -> None:
    """Report to the user when kernels are compiled, what is being compiled and how much is left."""
    from ryugi_engine.kernel import compile_progress, jit
    from ryugi_engine.terminal.compiling_line import CompilingLine

    line = CompilingLine()
    jit.report_to(line.tell)
    compile_progress.watch(line)


def position_of(game: Game, arguments: argparse.Namespace) -> Position:
    """Return the position of ``--fen`` and ``--moves``, which may be SAN with move numbers."""
    tell_of_compiling()
    from ryugi_engine.games.notation import remark_on
    from ryugi_engine.games.position import Position
    from ryugi_engine.records.san import engine_move

    position = Position(game, arguments.fen)
    remark = remark_on(game, arguments.fen)
    if remark:
        process.complain(remark)
    for move in re.sub(r"(?<!\S)\d+\.+", " ", " ".join(arguments.moves)).split():
        position.push(engine_move(position, move), refereed=True)
    return position


def put(path: Path, text: str, kind: Kind, what: str) -> None:
    """Write an output file of a command, and print ``WHAT: PATH``."""
    with naming(path):
        write_whole(path, text, kind)
    print(f"{what}: {plain(str(path))}")
