// The menu of the right button, for pieces with shapes.

import { byId, element, targetOf } from "records/dom.js";
import { t } from "records/texts.js";
import { isPlacing } from "web/held.js";
import { holdPiece, mirror, put, putBack, turnHalf, turnLeft, turnRight } from "web/placing.js";
import { here } from "web/position.js";
import { state } from "web/state.js";

const { board } = state;

board.host.addEventListener("contextmenu", event => {
  if (!isPlacing()) return;
  event.preventDefault();
  const menu = byId("menu");
  /** @type {[string, () => void][]} */
  const entries = state.held ? [["turn-left", turnLeft], ["turn-right", turnRight], ["half-turn", turnHalf],
    ["mirror", mirror], ["place", put], ["put-back", putBack]]
    : Object.entries(here().hands[here().turn]).filter(([, count]) => count > 0)
      .map(([letter]) => [letter, () => void holdPiece(letter)]);
  menu.replaceChildren(...entries.map(([name, act]) => {
    const button = element("button", { role: "menuitem", "data-action": name }, t(name));
    button.addEventListener("click", () => {
      menu.hidden = true;
      act();
    });
    return button;
  }));
  menu.hidden = false;
  const own = menu.getBoundingClientRect();
  menu.style.left = `${Math.min(event.clientX, innerWidth - own.width - 4) + scrollX}px`;
  menu.style.top = `${Math.min(event.clientY, innerHeight - own.height - 4) + scrollY}px`;
  menu.querySelector("button")?.focus({ preventScroll: true });
});
addEventListener("pointerdown", event => {
  if (!targetOf(event).closest("#menu")) byId("menu").hidden = true;
}, true);
byId("menu").addEventListener("keydown", event => {
  if (event.key === "Escape") byId("menu").hidden = true;
});
