// A line beside the state of the game.

import { byId } from "records/dom.js";
import { word } from "records/texts.js";
import { state } from "web/state.js";

/** A line beside the state of the game, for some seconds, and in the dialog that covers it.
 *  @param {string} text @param {boolean} [bad] */
export function notice(text, bad = false) {
  clearTimeout(state.noticed);
  for (const place of [byId("notice"), document.querySelector("dialog[open] .says")]) {
    if (!place) continue;
    place.textContent = word(text);
    place.classList.toggle("fault", bad);
  }
  state.noticed = setTimeout(unsay, 8000);
}

/** Take the line away: the game has changed since. */
export function unsay() {
  clearTimeout(state.noticed);
  byId("notice").textContent = "";
}
