"""Peers as processes: perft and search over UCI, timed from ``go`` to the answer."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

#: Ryugi's pieces and pawns as Fairy-Stockfish has them; castling and start come apart.
RYUGI_RULES = """\
maxFile = j
maxRank = 8
king = k
queen = q
customPiece1 = m:RN
customPiece2 = d:BNN
customPiece3 = i:FD
rook = r
bishop = b
knight = n
pawn = p
promotionPieceTypes = qmdrnbi
doubleStepRegionWhite = a2 b2 c2 d2 e3 f3 g2 h2 i2 j2
doubleStepRegionBlack = a7 b7 c7 d7 e6 f6 g7 h7 i7 j7
nMoveRule = 0
"""
_RYUGI = f"""\
[ryugi]
{RYUGI_RULES}castling = false
startFen = ribmqkdbir/ppppnnpppp/4pp4/10/10/4PP4/PPPPNNPPPP/RIBMQKDBIR w - - 0 1
"""


class Peer:
    """A UCI engine."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send("uci")
        self.until("uciok")

    def send(self, line: str) -> None:
        """Send a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def until(self, start: str) -> list[str]:
        """All lines up to one that starts so."""
        assert self._process.stdout is not None
        lines = []
        for line in self._process.stdout:
            lines.append(line.strip())
            if line.startswith(start):
                return lines
        raise RuntimeError(f"the peer ended before '{start}'")

    def perft(self, text: str, depth: int) -> tuple[int, float]:
        """(nodes, seconds) of ``go perft``."""
        self.send(f"position fen {text}")
        self.send("isready")
        self.until("readyok")
        began = time.perf_counter()
        self.send(f"go perft {depth}")
        last = self.until("Nodes searched")[-1]
        return int(last.split()[-1]), time.perf_counter() - began

    def search(self, text: str, milliseconds: int) -> float:
        """Nodes a second of a search."""
        self.send("ucinewgame")
        self.send(f"position fen {text}")
        self.send("isready")
        self.until("readyok")
        self.send(f"go movetime {milliseconds}")
        infos = [line for line in self.until("bestmove") if " nps " in line]
        return float(infos[-1].split(" nps ")[1].split()[0])

    def close(self) -> None:
        """End the process."""
        self.send("quit")
        self._process.wait(10)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()


def stockfish_path() -> str | None:
    """Debian's Stockfish, or the program that STOCKFISH names; None if there is none."""
    path = os.environ.get("STOCKFISH") or shutil.which("stockfish")
    debian = Path("/usr/games/stockfish")
    return path or (str(debian) if debian.exists() else None)


def stockfish() -> Peer | None:
    """That Stockfish as a process."""
    path = stockfish_path()
    return Peer(path) if path else None


def fairy_stockfish() -> Peer | None:
    """The large-board Fairy-Stockfish that FAIRY_STOCKFISH names, knowing Ryugi; else None."""
    path = os.environ.get("FAIRY_STOCKFISH")
    if not path:
        return None
    peer = Peer(path)
    with tempfile.NamedTemporaryFile("w", suffix=".ini", delete=False) as handle:
        handle.write(_RYUGI)
    peer.send(f"setoption name VariantPath value {handle.name}")
    peer.send("setoption name UCI_Variant value ryugi")
    peer.send("isready")
    peer.until("readyok")
    os.unlink(handle.name)
    return peer
