// A player's screen: whose turn it is, how the game has ended, and what can be done now.


/** Whether the game is looked at: it is over, was opened to be studied, or is analysed. */
function studying() {
  return Boolean(table.result || table.study || table.analysis);
}
const watching = () => table.players.every(player => player.engine);

/** The side of the only person; undefined where there is none or two. */
function ownSide() {
  const persons = [0, 1].filter(side => !table.players[side].engine);
  return persons.length === 1 ? persons[0] : undefined;
}

spelled = name => name.replace(/ \(level (\d+)\)$/, (whole, level) =>
  data.levels[level - 1] ? ` \u00b7 ${word(data.levels[level - 1])}` : whole);

/** How the game has ended, for its only person or for everybody. */
function resultText() {
  const winner = { "1-0": 0, "0-1": 1 }[table.result], own = table.study ? undefined : ownSide();
  const text = winner === undefined ? t("drawn") : own === undefined
    ? t("wins", coloured(winner)) : t(winner === own ? "you-win" : "you-lose");
  return table.reason && table.reason !== "normal" ? `${text} \u00b7 ${word(table.reason)}` : text;
}

/** Whose turn it is, or how the game has ended; where tests and screen readers find it. */
function showStanding() {
  const place = byId("standing"), wall = board.view.names?.["*"];
  let text = table.result ? resultText() : table.paused ? t("paused")
    : table.thinking ? t("thinking", coloured(table.turn))
      : wall && picked.cells.length > 1 ? t("now-put", word(wall).toLowerCase()) : captionsOf(current).at(-1);
  if (!atEnd()) text += ` \u00b7 ${t("as-variation")}`;
  if (premove) text += ` \u00b7 ${t("premove", premoveText())}`;
  if (byId("standing-text").textContent !== text) byId("standing-text").textContent = text;
  if (table.unkept) {
    notice(`${word(table.unkept)} \u00b7 ${t("tried-again")}`, true);
    clearTimeout(noticed); // as long as it cannot be written
  }
  place.classList.toggle("over", Boolean(table.result) && atEnd());
  place.dataset.last = table.last;
  place.dataset.turn = SIDES[table.turn];
  place.dataset.result = table.result;
  place.dataset.ply = `${table.ply}`;
  place.dataset.premove = premoveText();
  if (table.study) return;
  byId("title").textContent = word(table.title);
  byId("about").textContent = controlText(table.control);
}

/** What can be done now. */
function showActs() {
  const state = here(), going = !table.result, alone = watching() && going;
  /** @param {string} name @param {boolean} shown */
  const show = (name, shown) => {
    byId(name).hidden = !shown;
  };
  show("act-pass", mayMove() && state.moves.includes("pass"));
  show("act-draw", table.draws && going && !alone);
  show("act-resign", going && !alone);
  show("act-undo", !alone);
  show("say", !alone);
  show("act-pause", alone);
  for (const name of ["act-rematch", "act-new"]) show(name, !going && !table.study);
  for (const name of ["act-hint", "act-threats"]) {
    show(name, !alone);
    enable(name, Boolean(state?.moves.length) && !table.thinking);
  }
  show("act-annotate", !going);
  enable("act-annotate", Boolean(table.file) && !annotating);
  enable("act-undo", table.ply > 0 || table.ended_by_player);
  byId("act-pause").setAttribute("aria-pressed", table.paused);
  byId("act-analyse").setAttribute("aria-pressed", Boolean(table.analysis));
  byId("typed").disabled = !mayMove();
  const list = byId("legal-moves");
  const moves = mayMove() && state.moves.length <= 1500 ? state.moves : [];
  const shows = `${keyOf(current)}/${moves.length}/${table.ply}`;
  if (list.dataset.shows !== shows) {
    list.dataset.shows = shows;
    list.replaceChildren(...moves.map(move => element("option", { value: move })));
  }
}

/** The same game again, with the other colours. */
function rematch() {
  const [white, black] = [1, 0].map(side => ({ ...table.players[side],
    name: /^(You|\?)$/.test(table.names[side]) || table.players[side].engine ? "" : table.names[side] }));
  askFrom("", "new", { variant: table.game, fen: data.games[0].tags.FEN ?? "", control: table.control,
    white, black }, white.engine === black.engine ? board.turned : white.engine);
}

const acts = {
  "act-rematch": rematch,
  "act-annotate": () => annotate(),
  "act-new": () => openNew(),
  "act-pause": () => ask("pause", { on: !table.paused }),
  "act-undo": () => ask("undo"),
  "act-pass": () => playMove("pass"),
  "act-draw": () => {
    if (table.claim || table.players.some(player => player.engine) || confirm(t("offer-sure")))
      ask("draw");
  },
  "act-resign": () => confirm(t("resign-sure")) && ask("resign"),
  "act-hint": () => ask("hint", placeOf(current)),
  "act-threats": () => ask("threats", placeOf(current)),
  "act-analyse": () => ask("analyse", { on: !table.analysis, lines: 3, ...placeOf(current) }),
};
for (const [name, act] of Object.entries(acts)) {
  byId(name).addEventListener("click", () => {
    if (byId(name).getAttribute("aria-disabled") !== "true") act();
  });
}
Object.assign(keys, { u: "act-undo", h: "act-hint", t: "act-threats", e: "act-analyse", n: "new-game",
  "?": "rules", k: "help" });
for (const name of ["act-undo", "act-hint", "act-threats", "act-analyse", "rules", "help"])
  actions[name] = () => byId(name).click();


// ---- names at the buttons that all pages have -----------------------------------------------------

for (const [id, key] of Object.entries({ dark: "name-dark", help: "help-key", flip: "name-flip",
  arrows: "arrows", out: "out", fit: "fit-key", in: "in", first: "first-key", back: "back",
  play: "play", forward: "forward", last: "last-key" }))
  byId(id).append(element("span", { "data-short": key }));
translate();
// what the board says is said beside it; a link to this page is of no use to anybody
byId("standing").after(byId("captions"));
delete keys.l;
document.querySelector("dd[data-text=key-link]").previousElementSibling.remove();
document.querySelector("dd[data-text=key-link]").remove();
byId("help").querySelector("use").setAttribute("href", "#i-keys");
document.querySelector("dd[data-text=key-help]").previousElementSibling.firstElementChild.textContent = "k";
