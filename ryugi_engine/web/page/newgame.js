// The dialog for a new game, and what all dialogs have in common.

const CONTROLS = ["inf", "st=1", "st=3", "st=10", "st=30", "st=60", "1:00+1", "3:00+2", "5:00+5",
  "10:00+10", "30:00+20"];

/** The position that is offered, and the game that the dialog's position is of. */
let offered = { game: "", text: "" }, positionOf = "";

/** Another game has been chosen: its position is the start, but for one that has been set up. */
function followGame() {
  const game = chosenGame;
  if (game === positionOf) return;
  positionOf = game;
  byId("new-fen").value = game === offered.game ? offered.text : "";
}

/** @param {string} control */
function controlText(control) {
  if (control === "inf") return t("no-clock");
  if (control.startsWith("st=")) return t("a-move", control.slice(3));
  return control;
}

/** @param {string} [game] chosen already @param {string} [text] a position of the game; the start without one */
function openNew(game = "", text = "") {
  offered = { game, text };
  positionOf = "";
  asking = null;
  byId("new-control").replaceChildren(
    ...CONTROLS.map(one => element("option", { value: one }, controlText(one))),
    element("option", { value: "own" }, t("own-time")));
  byId("new-control").value = CONTROLS.includes(table.control) ? table.control : "inf";
  byId("own-control").hidden = true;
  byId("new-level").replaceChildren(...data.levels.map((name, at) =>
    element("option", { value: at + 1 }, `${at + 1} \u00b7 ${word(name)}`)));
  byId("newcomer").hidden = byId("whose-level").hidden || kept("ryugi-level") !== "";
  byId("new-level").value = kept("ryugi-level") || `${data.first_level}`;
  byId("new-dialog").showModal();
  receivers.compiling(table.compiling);
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
byId("is-new").addEventListener("click", () => keepLevel(`${data.first_level}`));
byId("not-new").addEventListener("click", () => keepLevel(`${data.levels.length / 2}`));

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
    variant: chosenGame, fen: byId("new-fen").value,
    white: { engine: engines[0], level, name: "" }, black: { engine: engines[1], level, name: "" },
    control: chosen === "own" ? byId("new-time").value.trim() : chosen || "inf",
  }, who === "b");
}
byId("new-form").addEventListener("submit", event => {
  event.preventDefault();
  if (chosenGame) startGame();
  else chooseSearched();
});

/** The request for another game, the dialog that has made it, if one has, and how the board will
 *  be turned then.
 *  @type {{ request: string, game: string, dialog: HTMLDialogElement | null, turned: boolean } | null} */
let asking = null;

/** A game that has been asked for, or is compiled, is not asked for again. */
function allowStart() {
  byId("new-start").disabled = chosenGame !== "" && [asking?.game, compiling].includes(chosenGame);
}

/** Ask for another game. The dialog closes when that has come; what is wrong stands in it.
 *  @param {`${string}dialog` | ""} id @param {string} what @param {object} [given] @param {boolean} [turned] */
function askFrom(id, what, given = {}, turned = board.turned) {
  const request = JSON.stringify({ what, ...given });
  if (asking?.request === request) return;
  const game = "variant" in given ? `${given.variant}` : "";
  asking = { request, game, dialog: id ? byId(id) : null, turned };
  allowStart();
  if (id) asking.dialog.querySelector(".says").textContent = "";
  ask(what, given);
}

/** Close the dialog that has asked for the game that has come; return whether any was asked for. */
function gameHasCome() {
  if (!asking) return false;
  if (board.turned !== asking.turned) placesFor = "";
  board.turned = asking.turned;
  asking.dialog?.close();
  asking = null;
  return true;
}

for (const dialog of document.querySelectorAll("dialog")) {
  dialog.querySelector(".closes")?.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (/** @type {MouseEvent} */ event) =>
    event.target === dialog && dialog.close());
  // a button that has opened it would take the next Enter
  dialog.addEventListener("close", () => document.querySelector("dialog[open]") ?? focusBoard());
}

// ---- the keys' help --------------------------------------------------------------------------

function showKeys() {
  for (const old of byId("key-list").querySelectorAll(".live-key")) old.remove();
  const all = [["n", "new"], ["u", "undo"], ["h", "hint"], ["t", "threats"], ["e", "analyse"],
    ["?", "rules"]];
  const pieces = [["w a d x", "move"], ["q e", "turn-left"], ["z c", "half-turn"], ["s", "mirror"],
    ["Enter", "place"], ["Esc", "put-back"]];
  byId("key-list").prepend(...[...all, ...(isPlacing() ? pieces : [])].flatMap(([names, what]) =>
    [element("dt", { class: "live-key" }, ...names.split(" ").map(name => element("kbd", {}, name))),
      element("dd", { class: "live-key" }, t(what))]));
}
byId("help").addEventListener("click", showKeys);
