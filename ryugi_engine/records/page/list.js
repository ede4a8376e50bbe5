// The list of the file's games, with a filter.

import { byId, element } from "records/dom.js";
import { state } from "records/state.js";
import { t, word } from "records/texts.js";

/** All that a game's text filter looks at. @param {Game} game */
function wordsOf(game) {
  game.words ??= `${Object.values(game.tags).join(" ")} ${game.pgn}`.toLowerCase();
  return game.words;
}

/** @param {Game} game */
export function describe(game) {
  const { tags } = game;
  /** @param {string} name */
  const known = name => tags[name] && tags[name] !== "?" && tags[name] !== "-" ? tags[name] : null;
  const round = known("Round") && t("round", known("Round"));
  const opening = known("Opening") ?? known("ECO");
  const title = word(state.data.views[game.view].title), event = known("Event");
  return [event?.includes(title) ? null : title, event && word(event), round, known("Date"), known("TimeControl"),
    opening].filter(Boolean).join(" \u00b7 ");
}

/** Fill the dialog once; `chosen` is called with a game's number from 0.
 *  @param {(number: number) => void} chosen */
export function prepareList(chosen) {
  const { data } = state;
  const dialog = byId("list"), list = byId("found-games");
  const text = byId("filter-text"), player = byId("filter-player"), result = byId("filter-result");
  /** @param {string[]} values */
  const sorted = values => [...new Set(values)].sort();
  /** @param {HTMLSelectElement} select @param {string} all @param {string[]} values */
  const options = (select, all, values) => select.append(element("option", { value: "" }, all),
    ...sorted(values).map(value => element("option", { value }, value)));
  options(player, t("all"), data.games.flatMap(game => [game.tags.White ?? "?", game.tags.Black ?? "?"]));
  options(result, t("all"), data.games.map(game => game.tags.Result));
  const items = data.games.map((game, number) => {
    const { White = "?", Black = "?", Result } = game.tags;
    const made = element("button", {},
      element("span", { class: "number" }, `${number + 1}`),
      element("span", { class: "who" }, `${White} \u2013 ${Black}`),
      element("span", { class: "score" }, Result.replace("1/2-1/2", "\u00bd-\u00bd")),
      element("span", { class: "what" }, `${describe(game)} \u00b7 ${t("plies", game.line.length)}`));
    made.addEventListener("click", () => {
      dialog.close();
      chosen(number);
    });
    return element("li", {}, made);
  });
  list.append(...items);
  const filter = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    data.games.forEach((game, number) => {
      const { White = "?", Black = "?", Result } = game.tags;
      const fits = words.every(word => wordsOf(game).includes(word))
        && (!player.value || White === player.value || Black === player.value)
        && (!result.value || Result === result.value);
      items[number].hidden = !fits;
      found += Number(fits);
    });
    byId("found").textContent = t("found", found, data.games.length);
  };
  text.addEventListener("input", filter);
  for (const select of [player, result]) select.addEventListener("change", filter);
  filter();
  /** @param {number} number */
  return number => {
    items.forEach((item, at) => {
      if (at === number) item.firstElementChild.setAttribute("aria-current", "true");
      else item.firstElementChild.removeAttribute("aria-current");
    });
    dialog.showModal();
    items[number].firstElementChild.scrollIntoView({ block: "center" });
  };
}

/** A name that any disk takes. @param {string} text */
export function fileName(text) {
  return `${text.replace(/[^\p{L}\p{N}.+]+/gu, "-").replace(/^[-.]+|-+$/g, "") || "game"}.pgn`;
}
