// A premove: one move of the person's, made while the engine thinks.

import { forget, repaint } from "web/picking.js";
import { isOwn, mayPremove } from "web/position.js";
import { state } from "web/state.js";

const { board } = state;

/** @param {string} cell @param {boolean} dropped */
export function choosePremove(cell, dropped) {
  const again = state.picked.cells[0] === cell;
  if ((state.picked.hand !== null || state.picked.cells.length) && !again && (dropped || !isOwn(cell))) {
    state.premove = { hand: state.picked.hand, cells: [...state.picked.cells, cell] };
    forget();
  } else {
    forget();
    if (!again && isOwn(cell)) state.picked.cells = [cell];
  }
  repaint();
}

export function dropPremove() {
  if (!state.premove) return;
  state.premove = null;
  repaint();
}

addEventListener("pointerdown", dropPremove, true);
addEventListener("keydown", event => event.key === "Escape" && dropPremove());
board.host.addEventListener("contextmenu", event => mayPremove() && event.preventDefault());
