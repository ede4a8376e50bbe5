// The clocks of the game.

import { byId, element } from "records/dom.js";
import { clockText } from "records/node.js";
import { SIDES, atEnd } from "web/position.js";
import { state } from "web/state.js";

const { board } = state;

/** The clocks as the server has them; between its messages they go on here. */
export function showClocks() {
  if (!state.table.clocks || !atEnd()) return;
  for (const side of [0, 1]) {
    const place = byId((side === 1) !== board.turned ? "top" : "bottom");
    let node = place.querySelector(".clock");
    if (!node) {
      node = element("span", { class: "clock", role: "timer" });
      place.append(node);
    }
    node.classList.remove("spent");
    node.classList.add("live-clock");
    node.dataset.side = SIDES[side];
    node.classList.toggle("running", state.table.running === side);
  }
  tick();
}

function tick() {
  const { table } = state;
  if (!table?.clocks) return;
  for (const node of document.querySelectorAll(".live-clock")) {
    const side = SIDES.indexOf(node.dataset.side);
    const spent = table.running === side ? (performance.now() - table.at) / 1000 : 0;
    const left = Math.max(table.clocks[side] - spent, 0);
    const text = clockText(left);
    if (node.textContent !== text) node.textContent = text;
    node.classList.toggle("short", left < 10);
  }
}
setInterval(tick, 100);

addEventListener("resize", () => showClocks());
