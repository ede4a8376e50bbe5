"""How fast the page is: its first board, a move, a piece that is dragged over a full board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.board_page import BoardPage, WebServer
from tests.support.helpers import patient

pytestmark = pytest.mark.slow

#: 110 pieces of 120.
CROWDED = (
    "P6@t1.T3@t4.Y5@r7.T1@v7.T0@w10.W0@t12.Z5@t15.Z1@t18.W2@r21.L6@p20.X0@o17.X0@o14.L6@m12.U"
    "0@k10.I0@k12.N2@k17.U2@l21,P2@o1.Y5@n4.Y5@j4.Y7@f5.F0@f7.T3@c8.I0@c11.V1@c16.V3@f18.Z1@f"
    "21.X0@e24.X0@b24.X0@b27.F5@e27,P2@x1.W1@y4.V3@ab6.N2@ad9.N6@ad13.Y2@ad17.Z4@af16.N7@ai16"
    ".W3@am17.W2@am20,P6@au1.F5@as4.F7@as7.T1@aq10.F0@ar13.N3@au13.V2@ay11.L0@ba7.Z0@bc7.V2@b"
    "f7.L4@bg3.U1@be3,P2@ap1.U2@ao4/P4@ac28.F7@ad25.X0@ag25.X0@aj25.F7@ak22.W3@aj19.W0@ag19.X"
    "0@af22.F6@ac22.X0@z21.N0@aa24,P0@bg28.N2@bf24.W3@bd21.Y7@az21.Y3@av20.X0@av17.N3@ay17.T1"
    "@bc16.Z1@be13.T1@be10.T0@bb9,P0@bd28.L4@bc24.F2@az24.Y7@av25.Z4@as25.L6@aq24.I0@aq19.N2@"
    "ap15.L4@ao11.T2@al11.V1@ai9.L5@ai7.U3@am5.I1@ah5.U1@af3.I1@ah3.U3@am1.I1@ah1.N1@ad1.V0@a"
    "a2,P0@z28.W3@x25.F0@u24.Z1@v21.Y2@x17.Y2@x13.W3@z14.V2@z17,P4@g28.Z1@h25.T3@j22.V3@m23.Z"
    "5@o26 w 0 56"
)
#: Frames, each with a move of the pointer; the milliseconds between them, and those of the scripts.
FRAMES = """
const done = arguments[arguments.length - 1];
const box = document.getElementById("board").getBoundingClientRect();
const times = [];
let busy = 0;
function frame(now) {
  times.push(now);
  const part = (7 * times.length % 100) / 100, other = (3 * times.length % 100) / 100;
  const began = performance.now();
  dispatchEvent(new PointerEvent("pointermove", { pointerType: "mouse", pointerId: 1,
    clientX: box.left + box.width * (0.1 + 0.8 * part),
    clientY: box.top + box.height * (0.1 + 0.8 * other) }));
  busy += performance.now() - began;
  if (times.length < 120) requestAnimationFrame(frame);
  else {
    const apart = times.slice(1).map((time, at) => time - times[at]).sort((a, b) => a - b);
    done([apart[Math.floor(apart.length / 2)], busy / times.length]);
  }
}
requestAnimationFrame(frame);
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    server = WebServer(tmp_path_factory.mktemp("home"), "--variant", "goryujin")
    yield server
    assert "Traceback" not in server.stop()


def test_a_piece_is_dragged_over_a_full_board(browser: Any, server: WebServer) -> None:
    """60 frames a second on an idle machine: a frame lasts 17 ms, most of it unused."""
    page = BoardPage(browser, server)
    page.begin("goryujin", fen=CROWDED)
    page.click("[data-piece=P][data-side=white]")
    page.wait("holding()")
    places = {page.ask("heldMove()")}
    apart, busy = browser.execute_async_script(FRAMES)
    places.add(page.ask("heldMove()"))
    assert len(places) == 2
    assert apart < patient(25)
    assert busy < patient(5)
    page.picture("web-goryujin-crowded")
