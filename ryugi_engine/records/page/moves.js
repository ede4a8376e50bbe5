// The table of moves: number, White, Black; comments and variations between the rows.

import { element } from "records/dom.js";
import { labelOf, scoreText, signsOf } from "records/node.js";
import { t, word } from "records/texts.js";
import { lineOf, treeOf } from "records/tree.js";

/** Fill the table with a game's moves; returns the button of every node.
 *  @param {HTMLElement} host @param {Game} game @param {Choose} chosen */
export function drawMoves(host, game, chosen) {
  const buttons = new Map();
  const root = treeOf(game);
  host.replaceChildren();

  /** @param {PageNode} node @param {string} name */
  const button = (node, name) => {
    const signs = signsOf(node), score = scoreText(node);
    // what is seen stands in the name, in the same order
    const words = [`${labelOf(node)} ${score}`.trim(), ...signs.map(sign => sign[1])];
    const made = element("button", { class: `move ${(node.g ?? []).map(nag => `nag${nag}`).join(" ")}`,
      "aria-label": words.join(", ") }, name + signs.map(sign => sign[0]).join(""));
    if (score && node.line === 0) made.append(" ", element("span", { class: "score" }, score));
    made.addEventListener("click", () => chosen(node));
    buttons.set(node, made);
    return made;
  };

  /** @param {string} text @param {'p' | 'span'} tag */
  const comment = (text, tag) => element(tag, { class: "comment" }, text);
  /** What the engine says of a move, and apart from it what the author says.
   *  @param {PageNode} node @param {'p' | 'span'} tag */
  const comments = (node, tag) => [
    ...(node.s ? [element(tag, { class: "comment engine" }, word(node.s)), " "] : []),
    ...(node.c ? [comment(node.c, tag), " "] : [])];

  /** A variation with those in it, as running text. @param {PageNode} first */
  const variation = first => {
    const box = element("div", { class: "variation", role: "group",
      "aria-label": t("variation", labelOf(first)) });
    let numbered = false;
    if (first.b) box.append(comment(first.b, "span"), " ");
    for (let node = first; node; node = node.children[0]) {
      box.append(button(node, node.second && numbered ? node.m : labelOf(node)), " ");
      numbered = true;
      box.append(...comments(node, "span"));
      if (node.c || node.s) numbered = false;
      const others = node === first ? [] : node.parent.children.slice(1);
      for (const other of others) box.append(variation(other));
      if (others.length) numbered = false;
    }
    return box;
  };

  const uneven = lineOf(root).some(node => node.o !== undefined);
  /** @type {HTMLElement | null} */
  let row = null;
  /** @param {string} number */
  const begin = number => {
    row = element("div", { class: "row" }, element("span", { class: "number" }, number));
    host.append(row);
  };
  host.append(element("div", { class: "row" }, button(root, t("start-here"))));
  host.lastElementChild.classList.add("start");
  if (root.c || root.s) host.append(element("div", { class: "between" }, ...comments(root, "p")));
  for (let node = root.children[0]; node; node = node.children[0]) {
    if (!row || !node.second) {
      begin(`${node.count}`);
      if (node.second) row.append(element("span", { class: "gap" }, "\u2026"));
    }
    const made = button(node, node.m);
    if (uneven) made.prepend(element("i", { class: node.side ? "disc black" : "disc" }));
    row.append(made);
    const others = node.parent.children.slice(1);
    if (node.c || node.s || others.length) {
      if (!node.second) row.append(element("span", { class: "gap" }, "\u2026"));
      const between = element("div", { class: "between" });
      between.append(...comments(node, "p"));
      for (const other of others) between.append(variation(other));
      host.append(between);
      row = null;
    }
  }
  if (game.end) host.append(element("p", { class: "result" }, `${game.tags.Result} \u00b7 ${word(game.end)}`));
  return buttons;
}
