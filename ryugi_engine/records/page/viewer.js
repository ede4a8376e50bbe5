// What the page does: one position is shown, and everything else follows it.

import { address, settle } from "records/address.js";
import { Board } from "records/board.js";
import { byId, element, enable } from "records/dom.js";
import { drawGauge, drawGraph } from "records/graph.js";
import { describe } from "records/list.js";
import { drawMoves } from "records/moves.js";
import { captionsOf, chance, labelOf, scoreWords, signsOf, tookOf } from "records/node.js";
import { nameOf, players } from "records/players.js";
import { state } from "records/state.js";
import { drawSummary } from "records/summary.js";
import { t, word } from "records/texts.js";
import { isEnd, lineOf, number, treeOf, trunk } from "records/tree.js";

state.board = new Board(byId("board"));
/** @type {Map<PageNode, HTMLElement>} */
let buttons = new Map(); // of the game's nodes

/** Show a position. `jump`: the browser's Back leads to where one was before.
 *  @param {PageNode} node @param {boolean} [jump] */
export function go(node, jump = false) {
  if (!node) return;
  const game = node.game;
  if (jump) settle();
  if (game !== state.current?.game) open(game);
  state.current = node;
  if (!state.line.includes(node)) state.line = lineOf(node);
  const signs = signsOf(node).map(sign => sign[0]).join("");
  const captions = captionsOf(node);
  const over = isEnd(node) && game.tags.Result;
  const says = [labelOf(node) + signs, scoreWords(node), node.s && word(node.s), node.c, over, captions.at(-1)].filter(Boolean);
  byId("status").textContent = says.join(" \u00b7 ");
  state.board.show(node, t("board-at", labelOf(node), captions.at(-1)));
  byId("captions").replaceChildren(...captions.map(words => element("li", {}, words)));
  drawGauge(node, state.board.turned);
  drawCurve();
  players();
  mark();
  for (const name of ["first", "back"]) enable(name, node.parent !== null);
  for (const name of ["forward", "last"]) enable(name, node !== state.line.at(-1));
  Object.assign(document.body.dataset, { ply: node.ply, line: node.line, game: number() });
  if (state.playing && node === state.line.at(-1)) pause();
  state.shown(node);
  if (jump) history.pushState(null, "", address());
  else {
    clearTimeout(state.settling);
    state.settling = setTimeout(settle, 300);
  }
}

/** The graph as wide as it is now; it has the game itself, whatever variation is shown. */
export function drawCurve() {
  drawGraph(lineOf(treeOf(state.current.game)), trunk(state.current), one => go(one, true));
}

/** The moves, title and tags of a game. @param {Game} game */
export function open(game) {
  const { data } = state;
  pause();
  state.line = [];
  game.decided ??= /^(1-0|0-1)$/.test(game.tags.Result);
  const root = treeOf(game);
  buttons = drawMoves(byId("moves"), game, node => go(node, true));
  drawSummary(byId("summary"), game, node => go(node, true));
  const { Date = "?" } = game.tags, [White, Black] = [0, 1].map(side => nameOf(game, side));
  byId("title").textContent = `${White} \u2013 ${Black}`;
  byId("about").textContent = describe(game);
  document.title = `${White} - ${Black}, ${word(data.views[game.view].title)}, ${Date}`;
  byId("tag-list").replaceChildren(...Object.entries(game.tags).flatMap(([name, value]) =>
    [element("dt", {}, name), element("dd", {}, value)]));
  const at = data.games.indexOf(game) + 1, all = data.games.length;
  byId("games").hidden = all === 1;
  byId("shogi-files").hidden = !data.views[game.view].turning;
  byId("western").hidden = !Object.keys(data.views[game.view].western).length;
  byId("which").textContent = `${at} / ${all}`;
  byId("games").setAttribute("aria-label", t("games-of", at, all));
  byId("games").title = t("games-key");
  const line0 = lineOf(root);
  document.body.classList.toggle("judged", line0.filter(one => chance(one) !== undefined).length > 1);
  document.body.classList.toggle("pointing", hasArrows(root));
  byId("as-played").hidden = !line0.some(one => tookOf(one) !== undefined);
  if (byId("as-played").hidden && byId("speed").value === "played") byId("speed").value = "1";
}

/** @param {PageNode} root */
function hasArrows(root) {
  const left = [root];
  for (let node = left.pop(); node; node = left.pop()) {
    if (node.a) return true;
    left.push(...node.children);
  }
  return false;
}

/** The move that is shown, in the table; not scrollIntoView: the page itself stays where it is. */
export function mark() {
  const moves = byId("moves");
  for (const old of moves.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
  const chosen = buttons.get(state.current);
  chosen.setAttribute("aria-current", "step");
  if (moves.contains(document.activeElement)) chosen.focus({ preventScroll: true });
  const box = chosen.getBoundingClientRect(), around = moves.getBoundingClientRect();
  if (box.top < around.top || box.bottom > around.bottom)
    moves.scrollTop += box.top - around.top - moves.clientHeight / 2;
}

export function pause() {
  clearTimeout(state.playing);
  state.playing = 0;
  sayPlaying();
}

export function sayPlaying() {
  const play = byId("play");
  play.setAttribute("aria-pressed", state.playing !== 0);
  play.setAttribute("aria-label", t(state.playing ? "pause" : "play"));
  play.querySelector("span")?.replaceChildren(t(state.playing ? "pause" : "play"));
  play.querySelector("use").setAttribute("href", state.playing ? "#i-pause" : "#i-play");
}
