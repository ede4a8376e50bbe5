// What a player can do: buttons, their keys and their names.

import { byId, element } from "records/dom.js";
import { actions, keys } from "records/keys.js";
import { t, translate, word } from "records/texts.js";
import { ask } from "web/connection.js";
import { isPlacing } from "web/held.js";
import { openNew } from "web/newgame.js";
import { playMove } from "web/picking.js";
import { placeOf } from "web/position.js";
import { annotate } from "web/records.js";
import { askFrom } from "web/request.js";
import { state } from "web/state.js";

const { board } = state;

state.spelled = name => name.replace(/ \(level (\d+)\)$/, (whole, level) =>
  state.data.levels[level - 1] ? ` \u00b7 ${word(state.data.levels[level - 1])}` : whole);

/** The same game again, with the other colours. */
function rematch() {
  const { table } = state;
  const [white, black] = [1, 0].map(side => ({ ...table.players[side],
    name: /^(You|\?)$/.test(table.names[side]) || table.players[side].engine ? "" : table.names[side] }));
  askFrom("", "new", { variant: table.game, fen: state.data.games[0].tags.FEN ?? "", control: table.control,
    white, black }, white.engine === black.engine ? board.turned : white.engine);
}

const acts = {
  "act-rematch": rematch,
  "act-annotate": () => annotate(),
  "act-new": () => openNew(),
  "act-pause": () => ask("pause", { on: !state.table.paused }),
  "act-undo": () => ask("undo"),
  "act-pass": () => playMove("pass"),
  "act-draw": () => {
    if (state.table.claim || state.table.players.some(player => player.engine) || confirm(t("offer-sure")))
      ask("draw");
  },
  "act-resign": () => confirm(t("resign-sure")) && ask("resign"),
  "act-hint": () => ask("hint", placeOf(state.current)),
  "act-threats": () => ask("threats", placeOf(state.current)),
  "act-analyse": () => ask("analyse", { on: !state.table.analysis, lines: 3, ...placeOf(state.current) }),
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
