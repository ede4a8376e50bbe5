// The games of one's own that are saved: opened, studied, removed.

import { byId, element } from "records/dom.js";
import { t } from "records/texts.js";
import { ask } from "web/connection.js";
import { askAnew } from "web/own_draft.js";
import { openStudy } from "web/study.js";

/** @param {Messages["owned"]} message */
export function listOwned(message) {
  const back = document.activeElement === byId("own-put-back");
  byId("own-owned").replaceChildren(...message.games.map(rowOf));
  if (back && message.name) byId("own-owned").querySelector(`[data-variant="${message.name}"]`)?.focus();
  byId("own-owned-part").hidden = !message.games.length && !message.removed;
  byId("own-removed").hidden = !message.removed;
  if (!message.removed) return;
  // who has removed the wrong game finds the way back with the next key
  byId("own-removed-text").textContent = t("is-removed");
  byId("own-put-back").onclick = () => ask("keep", { text: message.removed });
  byId("own-put-back").focus();
}

/** A game with its buttons. @param {{ name: string, title: string }} game */
function rowOf(game) {
  const row = element("li", {});
  /** @param {string} text @param {string} data @param {() => void} act */
  const button = (text, data, act) => {
    const made = element("button", { type: "button", [`data-${data}`]: game.name,
      ...(data === "variant" ? {} : { "aria-label": `${text}: ${game.title}` }) }, text);
    made.addEventListener("click", act);
    return made;
  };
  const remove = button(t("remove"), "remove", () => {
    row.replaceChildren(sure);
    yes.focus();
  });
  const usual = [
    button(game.title, "variant", () => askAnew("copy", "model", { game: game.name, own: true })),
    button(t("study-it"), "study", () => openStudy(game.name)),
    remove,
  ];
  const yes = button(t("remove"), "sure", () => ask("discard", { name: game.name }));
  yes.classList.add("main");
  const no = button(t("keep-it"), "keep", () => {
    row.replaceChildren(...usual);
    remove.focus();
  });
  const sure = element("div", { class: "sure", role: "group" },
    element("span", {}, t("remove-sure", game.title)), element("span", { class: "line" }, yes, no));
  row.append(...usual);
  return row;
}
