// How the page looks: the board's side, its names and arrows, light and dark.

import { byId } from "records/dom.js";
import { drawGauge } from "records/graph.js";
import { players } from "records/players.js";
import { state } from "records/state.js";
import { keep, kept } from "records/texts.js";
import { go } from "records/viewer.js";

export function flip() {
  state.board.turned = !state.board.turned;
  byId("flip").setAttribute("aria-pressed", state.board.turned);
  state.board.draw();
  drawGauge(state.current, state.board.turned);
  players();
}

function shogiFiles() {
  state.board.shogiFiles = !state.board.shogiFiles;
  byId("shogi-files").setAttribute("aria-pressed", state.board.shogiFiles);
  state.board.draw();
}
byId("shogi-files").addEventListener("click", shogiFiles);

/** @param {boolean} on whether pieces have letters instead of characters */
function westernPieces(on) {
  state.board.western = on;
  byId("western").setAttribute("aria-pressed", on);
  keep("ryugi-western", on ? "on" : "");
}
westernPieces(Boolean(kept("ryugi-western")));
byId("western").addEventListener("click", () => {
  westernPieces(!state.board.western);
  go(state.current);
});

export function arrows() {
  state.board.arrows = !state.board.arrows;
  byId("arrows").setAttribute("aria-pressed", state.board.arrows);
  state.board.draw();
}

export const night = matchMedia("(prefers-color-scheme: dark)");

/** As chosen before, "" to follow the system. */
export const chosenTheme = () => kept("ryugi-theme");

/** @param {string} chosen "light" or "dark", "" to follow the system */
export function theme(chosen) {
  const dark = chosen ? chosen === "dark" : night.matches;
  document.documentElement.style.colorScheme = chosen || "light dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  byId("dark").setAttribute("aria-pressed", dark);
}

export function otherTheme() {
  const chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  // what the system has is followed again
  const other = (chosen === "dark") === night.matches ? "" : chosen;
  keep("ryugi-theme", other);
  theme(other);
}
