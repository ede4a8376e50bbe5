// The dialog for a new game, and what all dialogs have in common.

import { byId, element } from "records/dom.js";
import { actions } from "records/keys.js";
import { keep, kept, t, word } from "records/texts.js";
import { chooseAnew, chooseGame, chooseSearched, offer } from "web/chooser.js";
import { focusBoard } from "web/places.js";
import { askFrom, takeCompiling } from "web/request.js";
import { controlText } from "web/standing.js";
import { state } from "web/state.js";

const CONTROLS = ["inf", "st=1", "st=3", "st=10", "st=30", "st=60", "1:00+1", "3:00+2", "5:00+5",
  "10:00+10", "30:00+20"];

/** @param {string} [game] chosen already @param {string} [text] a position of the game; the start without one */
export function openNew(game = "", text = "") {
  const { table } = state;
  offer(game, text);
  state.asking = null;
  byId("new-control").replaceChildren(
    ...CONTROLS.map(one => element("option", { value: one }, controlText(one))),
    element("option", { value: "own" }, t("own-time")));
  byId("new-control").value = CONTROLS.includes(table.control) ? table.control : "inf";
  byId("own-control").hidden = true;
  byId("new-level").replaceChildren(...state.data.levels.map((name, at) =>
    element("option", { value: at + 1 }, `${at + 1} \u00b7 ${word(name)}`)));
  byId("newcomer").hidden = byId("whose-level").hidden || kept("ryugi-level") !== "";
  byId("new-level").value = kept("ryugi-level") || `${state.data.first_level}`;
  byId("new-dialog").showModal();
  takeCompiling(table.compiling);
  chooseAnew();
  if (game) chooseGame(game);
}
actions["new-game"] = () => openNew();
byId("new-game").addEventListener("click", () => openNew());
byId("new-who").addEventListener("change", () => {
  byId("whose-level").hidden = byId("new-who").value === "people";
  byId("newcomer").hidden = byId("whose-level").hidden || kept("ryugi-level") !== "";
});
byId("new-control").addEventListener("change", () => {
  byId("own-control").hidden = byId("new-control").value !== "own";
});

/** @param {string} level */
function keepLevel(level) {
  byId("new-level").value = level;
  byId("newcomer").hidden = true;
  keep("ryugi-level", level);
}
byId("is-new").addEventListener("click", () => keepLevel(`${state.data.first_level}`));
byId("not-new").addEventListener("click", () => keepLevel(`${state.data.levels.length / 2}`));

/** Begin a game as the dialog says. */
function startGame() {
  const chosenWho = byId("new-who").value;
  const who = chosenWho === "random" ? (Math.random() < 0.5 ? "w" : "b") : chosenWho;
  const level = Number(byId("new-level").value);
  const engines = { w: [false, true], b: [true, false], people: [false, false],
    engines: [true, true] }[who];
  if (engines[0] !== engines[1]) keepLevel(`${level}`);
  const chosen = byId("new-control").value;
  askFrom("new-dialog", "new", {
    variant: state.chosenGame, fen: byId("new-fen").value,
    white: { engine: engines[0], level, name: "" }, black: { engine: engines[1], level, name: "" },
    control: chosen === "own" ? byId("new-time").value.trim() : chosen || "inf",
  }, who === "b");
}
byId("new-form").addEventListener("submit", event => {
  event.preventDefault();
  if (state.chosenGame) startGame();
  else chooseSearched();
});

for (const dialog of document.querySelectorAll("dialog")) {
  dialog.querySelector(".closes")?.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (/** @type {MouseEvent} */ event) =>
    event.target === dialog && dialog.close());
  // a button that has opened it would take the next Enter
  dialog.addEventListener("close", () => document.querySelector("dialog[open]") ?? focusBoard());
}

// ---- the keys' help --------------------------------------------------------------------------
