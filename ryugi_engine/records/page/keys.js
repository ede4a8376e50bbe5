// Buttons and keys.

import { copyLink, named } from "records/address.js";
import { byId, download, element, targetOf } from "records/dom.js";
import { fileName, prepareList } from "records/list.js";
import { alternative, next, otherGame, pace, play, step } from "records/replay.js";
import { state } from "records/state.js";
import { t } from "records/texts.js";
import { number, treeOf } from "records/tree.js";
import { arrows, chosenTheme, flip, night, otherTheme, theme } from "records/view.js";
import { drawCurve, go } from "records/viewer.js";

const openList = prepareList(number => go(treeOf(state.data.games[number]), true));
state.board.swiped = step;

/** @type {Record<string, () => void>} */
export const actions = {
  first: () => go(state.line[0]), back: () => step(-1), play, forward: () => step(1),
  last: () => go(state.line.at(-1)), flip, arrows, in: () => state.board.enlarge(1.5),
  out: () => state.board.enlarge(1 / 1.5), fit: () => state.board.fit(), dark: otherTheme,
  games: () => state.data.games.length > 1 && openList(number() - 1), link: copyLink,
  save: () => download(fileName(document.title), state.current.game.pgn),
  help: () => byId("keys").showModal(), previous: () => alternative(-1), other: () => alternative(1),
  "game-back": () => otherGame(-1), "game-on": () => otherGame(1),
};
/** @type {Record<string, string>} */
export const keys = {
  Home: "first", ArrowLeft: "back", ArrowRight: "forward", " ": "forward", End: "last",
  ArrowUp: "previous", ArrowDown: "other", p: "play", f: "flip", a: "arrows", "+": "in", "=": "in",
  "-": "out", 0: "fit", d: "dark", g: "games", "[": "game-back", "]": "game-on", l: "link",
  s: "save", "?": "help",
};
const keyHelp = [
  ["\u2190 \u2192", "key-steps"], ["Home End", "key-ends"], ["\u2191 \u2193", "key-others"],
  ["p", "key-play"], ["f", "key-flip"], ["a", "key-arrows"], ["+ \u2212 0", "key-size"],
  ["g", "key-games"], ["[ ]", "key-next-game"], ["s", "key-save"], ["l", "key-link"],
  ["d", "key-dark"], ["?", "key-help"],
];

for (const [name, action] of Object.entries(actions)) byId(name)?.addEventListener("click", action);
for (const name of /** @type {const} */ (["list", "keys"])) {
  byId(`${name}-close`).addEventListener("click", () => byId(name).close());
  // a click beside a dialog closes it
  byId(name).addEventListener("click", event => event.target === byId(name) && byId(name).close());
}
byId("save-all").addEventListener("click",
  () => download("games.pgn", state.data.games.map(game => game.pgn).join("")));
byId("speed").addEventListener("change", () => {
  if (!state.playing) return;
  clearTimeout(state.playing);
  state.playing = setTimeout(next, pace());
});
byId("key-list").append(...keyHelp.flatMap(([names, what]) =>
  [element("dt", {}, ...names.split(" ").map(name => element("kbd", {}, name))), element("dd", { "data-text": what }, t(what))]));

// what a key means to the element that has the focus goes before what it means to the page
/** @param {KeyboardEvent} event */
export function taken(event) {
  const target = targetOf(event);
  return target.closest("input, select, textarea") !== null || target.isContentEditable
    || (event.key === " " && target.closest("button, summary, [role=button]") !== null);
}

document.addEventListener("keydown", event => {
  const name = keys[event.key];
  // "?" and "+" need Shift on many keyboards
  const shifted = event.shiftKey && !"?+[]".includes(event.key);
  if (!name || event.ctrlKey || event.altKey || event.metaKey || shifted) return;
  if (event.defaultPrevented || taken(event) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  actions[name]();
});

/** Show the position that the address names. */
export function follow() {
  clearTimeout(state.settling);
  const words = new URLSearchParams(location.hash.slice(1));
  const says = ["game", "ply", "line"].some(name => words.has(name));
  const node = named(says ? words : new URLSearchParams(state.data.start));
  if (node !== state.current) go(node);
}

addEventListener("popstate", follow);
addEventListener("hashchange", follow);
addEventListener("resize", drawCurve);
night.addEventListener("change", () => theme(chosenTheme()));
theme(chosenTheme());
