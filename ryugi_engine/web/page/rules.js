// The rules of a game, and what drawings say, in the reader's language.

import { byId } from "records/dom.js";
import { taken } from "records/keys.js";
import { t, word } from "records/texts.js";
import { ask } from "web/connection.js";
import { state } from "web/state.js";

/** @param {string} variant */
export function askForRules(variant) {
  byId("rules-text").replaceChildren(t("loading-rules"));
  byId("rules-title").textContent = t("rules");
  byId("rules-dialog").dataset.variant = variant;
  byId("rules-dialog").showModal();
  ask("rules", { variant });
}

byId("rules").addEventListener("click", () => askForRules(state.table.game));

byId("chosen-rules").addEventListener("click", () => askForRules(state.chosenGame));

byId("new-dialog").addEventListener("keydown", event => {
  if (event.key === "?" && state.chosenGame && !taken(event)) askForRules(state.chosenGame);
});

/** @param {Messages["rules"]} message */
export function showRules(message) {
  byId("rules-title").textContent = word(message.title);
  byId("rules-text").innerHTML = message.html;
  translateTexts(byId("rules-text"), "text, h3, p, li");
  byId("rules-text").scrollTop = 0;
}

/** Put what elements say into the reader's language; a text of which only parts are known stays.
 *  @param {HTMLElement} host @param {string} [selector] of a drawing's texts */
export function translateTexts(host, selector = "text") {
  for (const one of host.querySelectorAll(selector)) {
    const text = one.textContent;
    const known = [text, text.replace(/\.$/, "")].map(word).find(said => !/[a-z]{3}/.test(said));
    if (known) one.textContent = known;
  }
}
