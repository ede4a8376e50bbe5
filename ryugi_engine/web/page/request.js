// Requests for another game.

import { byId } from "records/dom.js";
import { ask, showCompiling } from "web/connection.js";
import { state } from "web/state.js";

const { board } = state;

/** A game that has been asked for, or is compiled, is not asked for again. */
export function allowStart() {
  byId("new-start").disabled = state.chosenGame !== "" && [state.asking?.game, state.compiling].includes(state.chosenGame);
}

/** Ask for another game. The dialog closes when that has come; what is wrong stands in it.
 *  @param {`${string}dialog` | ""} id @param {string} what @param {object} [given] @param {boolean} [turned] */
export function askFrom(id, what, given = {}, turned = board.turned) {
  const request = JSON.stringify({ what, ...given });
  if (state.asking?.request === request) return;
  const game = "variant" in given ? `${given.variant}` : "";
  state.asking = { request, game, dialog: id ? byId(id) : null, turned };
  allowStart();
  if (id) state.asking.dialog.querySelector(".says").textContent = "";
  ask(what, given);
}

/** Close the dialog that has asked for the game that has come; return whether any was asked for. */
export function gameHasCome() {
  if (!state.asking) return false;
  if (board.turned !== state.asking.turned) state.placesFor = "";
  board.turned = state.asking.turned;
  state.asking.dialog?.close();
  state.asking = null;
  return true;
}

/** @param {Messages["compiling"]} message */
export function takeCompiling(message) {
  showCompiling(message);
  allowStart();
}
