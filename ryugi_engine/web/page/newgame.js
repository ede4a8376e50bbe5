// The dialog for a new game, and what all dialogs have in common.

const FAVOURITES = ["ryugi", "gorogo", "gomokuroku", "goryujin", "chess", "shogi", "xiangqi", "crazyhouse"];
/** @type {GameTitle[]} */
let knownGames = [];
const CONTROLS = ["inf", "st=1", "st=3", "st=10", "st=30", "st=60", "1:00+1", "3:00+2", "5:00+5",
  "10:00+10", "30:00+20"];

/** @param {GameTitle[]} games */
function listGames(games) {
  knownGames = games;
  byId("variants").replaceChildren(...games.map(game =>
    element("option", { value: game.name }, word(game.title))));
  const known = new Map(games.map(game => [game.name, game.title]));
  byId("favourites").replaceChildren(...FAVOURITES.map(name => {
    const button = element("button", { type: "button", "data-variant": name },
      word(known.get(name) ?? name[0].toUpperCase() + name.slice(1)));
    button.addEventListener("click", () => {
      byId("new-variant").value = name;
      showFavourite();
    });
    return button;
  }));
}

function showFavourite() {
  for (const button of byId("favourites").querySelectorAll("button"))
    button.setAttribute("aria-pressed", button.dataset.variant === byId("new-variant").value);
}
byId("new-variant").addEventListener("input", showFavourite);

/** @param {string} control */
function controlText(control) {
  if (control === "inf") return t("no-clock");
  if (control.startsWith("st=")) return t("a-move", control.slice(3));
  return control;
}

function openNew() {
  byId("new-variant").value = table.game;
  showFavourite();
  byId("new-fault").textContent = "";
  byId("new-control").replaceChildren(
    ...CONTROLS.map(one => element("option", { value: one }, controlText(one))),
    element("option", { value: "own" }, t("own-time")));
  byId("new-control").value = CONTROLS.includes(table.control) ? table.control : "inf";
  byId("own-control").hidden = true;
  byId("new-dialog").showModal();
}
actions["new-game"] = openNew;
byId("new-game").addEventListener("click", openNew);
byId("new-skill").addEventListener("input", () => {
  byId("skill-text").value = byId("new-skill").value;
});
byId("new-control").addEventListener("change", () => {
  byId("own-control").hidden = byId("new-control").value !== "own";
});

/** Begin a game as the dialog says, from a position of its own if one is given.
 *  @param {string | null} fen */
function startGame(fen) {
  const who = byId("new-who").value, skill = Number(byId("new-skill").value);
  const engines = { w: [false, true], b: [true, false], people: [false, false],
    engines: [true, true] }[who];
  const chosen = byId("new-control").value;
  board.turned = who === "b";
  placesFor = "";
  ask("new", {
    variant: byId("new-variant").value.trim(), fen: fen ?? byId("new-fen").value,
    white: { engine: engines[0], skill, name: "" }, black: { engine: engines[1], skill, name: "" },
    control: chosen === "own" ? byId("new-time").value.trim() : chosen || "inf",
  });
}
byId("new-form").addEventListener("submit", event => {
  event.preventDefault();
  startGame(null);
  byId("new-dialog").close();
});

for (const dialog of document.querySelectorAll("dialog")) {
  dialog.querySelector(".closes")?.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (/** @type {MouseEvent} */ event) =>
    event.target === dialog && dialog.close());
}

// ---- the keys' help --------------------------------------------------------------------------

function showKeys() {
  for (const old of byId("key-list").querySelectorAll(".live-key")) old.remove();
  const all = [["n", "new"], ["u", "undo"], ["h", "hint"], ["t", "threats"], ["e", "analyse"]];
  const pieces = [["w a d x", "move"], ["q e", "turn-left"], ["z c", "half-turn"], ["s", "mirror"],
    ["Enter", "place"], ["Esc", "put-back"]];
  byId("key-list").prepend(...[...all, ...(isPlacing() ? pieces : [])].flatMap(([names, what]) =>
    [element("dt", { class: "live-key" }, ...names.split(" ").map(name => element("kbd", {}, name))),
      element("dd", { class: "live-key" }, t(what))]));
}
byId("help").addEventListener("click", showKeys);
