// What is picked is forgotten, or played.

import { byId } from "records/dom.js";
import { ask } from "web/connection.js";
import { showHands } from "web/hands.js";
import { focusCell, showPlaces } from "web/places.js";
import { placeOf } from "web/position.js";
import { showStanding } from "web/standing.js";
import { state } from "web/state.js";

export function forget() {
  state.picked = { hand: null, cells: [] };
  state.pointedCells = [];
  closeChoices();
}

export function repaint() {
  showPlaces();
  showHands();
  showStanding();
}

/** @param {string} text */
export function playMove(text) {
  ask("move", { move: text, ...placeOf(state.current) });
  forget();
  repaint();
}

/** @param {string} move */
export function objection(move) {
  ask("objection", { move, ...placeOf(state.current) });
}

function closeChoices() {
  const focused = byId("choices").contains(document.activeElement);
  byId("choices").hidden = true;
  if (focused) focusCell(state.choicesBeside);
}
