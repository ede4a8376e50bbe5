// The players beside the board: names, what was taken, clocks.

import { byId, element } from "records/dom.js";
import { clockOf, clockText, coloured, spentOf, takenBy } from "records/node.js";
import { state } from "records/state.js";
import { t } from "records/texts.js";
import { isEnd } from "records/tree.js";

/** A player's name; the side's where nobody knows it. @param {Game} game @param {number} side */
export function nameOf(game, side) {
  return calledBy(game.tags[["White", "Black"][side]] ?? "?", side);
}
/** @param {string} name @param {number} side */
export function calledBy(name, side) {
  return name === "?" ? coloured(side) : name === "You" ? t("you") : state.spelled(name);
}

/** Names, what was taken, clocks; whose clock runs is marked. */
export function players() {
  const { current } = state;
  const { game } = current, view = state.data.views[game.view];
  const over = isEnd(current);
  const scores = { "1-0": "1 0", "0-1": "0 1", "1/2-1/2": "\u00bd \u00bd" }[game.tags.Result];
  for (const side of [0, 1]) {
    const colour = ["White", "Black"][side];
    const place = byId((side === 1) !== state.board.turned ? "top" : "bottom");
    const taken = takenBy(current, side);
    const pieces = element("span", { class: "taken", role: "img",
      "aria-label": t("taken", coloured(side), [...taken].join(" ") || t("nothing")) });
    pieces.innerHTML = [...taken].map((letter, at) =>
      `<svg viewBox="2 2 44 44" stroke="none" font-family="sans-serif"`
      + ` class="${taken[at - 1] === letter ? "again" : ""}">${view.pieces[letter] ?? ""}</svg>`).join("");
    const clock = clockOf(current, side), spent = spentOf(current, side);
    const time = clock !== undefined ? clockText(clock)
      : spent !== undefined ? `${spent.toFixed(spent < 10 ? 2 : 0)} s` : "";
    const elo = game.tags[`${colour}Elo`];
    place.replaceChildren(
      element("i", { class: side ? "disc black" : "disc", role: "img", "aria-label": coloured(side) }),
      element("span", { class: "name" }, nameOf(game, side)),
      ...(elo && elo !== "?" ? [element("span", { class: "elo" }, elo)] : []),
      ...(over && scores ? [element("b", { class: "points" }, scores.split(" ")[side])] : []),
      ...(taken ? [pieces] : []),
      ...(time ? [element("span", { class: clock === undefined ? "clock spent" : "clock",
        "aria-label": clock === undefined ? t("spent", coloured(side), time)
          : t("clock", coloured(side), time), role: "img" }, time)] : []));
  }
}
