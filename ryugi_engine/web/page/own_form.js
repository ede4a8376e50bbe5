// The rules of one's own game: a field for each key, with its sentence.

import { byId, element } from "records/dom.js";
import { t, word } from "records/texts.js";
import { draft, given, setKey } from "web/own_draft.js";
import { FIELDS } from "web/own_fields.js";
import { state } from "web/state.js";

/** Keys that have a place of their own. */
const ELSEWHERE = ["title", "about", "files", "ranks", "start", "castling", "pieces", "values", "names"];

/** What people look for whose word is not in the sentence. @type {Record<string, string>} */
const ALSO = {
  flag_region: "goal hill race camp", flag_piece: "goal hill race camp", captures_to_hand: "crazyhouse shogi drops hand",
  piece_drops: "crazyhouse shogi", free_drops: "hand", blast_on_capture: "explosion explode", must_capture: "antichess giveaway suicide losers take",
  check_counting: "three-check 3check 3-check", extinction_value: "three kings losers", seirawan_gating: "s-chess schess",
  n_fold_rule: "repetition threefold", n_move_rule: "fifty 50", moves_a_turn: "double marseillais", double_step_region: "torpedo",
  bare_king_rule: "baring shatranj", connect_n: "five four in a row", drop_no_doubled: "nifu two pawns", royal: "king commoner",
};

/** The fields that are shown, with what is searched.
 *  @type {{ key: OwnKey, row: HTMLElement, show: () => void, words: string }[]} */
let fields = [];
let madeFor = ""; // the language that the form has been made for

/** A key with its sentence and its field. @param {OwnKey} key */
function rowOf(key) {
  const field = FIELDS[key.kind](key);
  const said = element("span", { class: "sentence" }, word(key.meaning.replace(/\[(.+?)\]\(.*?\)/g, "$1").replaceAll("`", "")));
  const label = element("label", { for: `own-${key.key}` });
  const reset = element("button", { type: "button", class: "small", "data-action": "reset", title: t("as-usual"),
    "aria-label": `${t("as-usual")}: ${key.key}` }, "\u21ba");
  reset.addEventListener("click", () => setKey(key.key, null));
  if (key.kind === "flag") label.append(field.node, said);
  else label.append(said);
  const row = element("div", { class: "rule", "data-field": key.key, "data-kind": key.kind },
    label, ...(key.kind === "flag" ? [] : [field.node]),
    element("div", { class: "key" }, element("code", {}, key.key), reset),
    element("p", { class: "fault", role: "status" }));
  return { key, row, show: () => {
    field.show();
    const own = given(key.key) !== undefined;
    row.classList.toggle("given", own);
    reset.hidden = !own;
  }, words: [key.key, key.meaning, said.textContent, ALSO[key.key], ...key.names, ...key.names.map(word)].join(" ").toLowerCase() };
}

/** Make the form, once in a language. */
function makeForm() {
  madeFor = state.language;
  fields = [];
  byId("own-sections").replaceChildren(...draft.form.sections.map(({ heading, keys }) => {
    const rows = keys.filter(key => FIELDS[key.kind] && !ELSEWHERE.includes(key.key)).map(rowOf);
    fields.push(...rows);
    return element("details", {}, element("summary", {}, element("span", {}, word(heading)), element("b", {})),
      ...rows.map(row => row.row));
  }));
  filter();
}

/** Show what the rules are now. */
export function showForm() {
  if (!draft.form || !draft.shown) return;
  const anew = madeFor !== state.language || !fields.length;
  if (anew) makeForm();
  for (const field of fields) field.show();
  for (const part of byId("own-sections").querySelectorAll("details")) {
    const used = part.querySelectorAll(".given").length;
    part.querySelector("summary b").textContent = used ? `${used}` : "";
    if (anew) part.open = used > 0;
  }
  const { sentences } = draft.shown;
  byId("own-words").hidden = !sentences.length;
  byId("own-sentences").replaceChildren(...sentences.map(text => text.startsWith("## ")
    ? element("h3", {}, word(text.slice(3))) : element("p", {}, word(text))));
}

/** Show the rules whose sentence or key has all words of the field. */
function filter() {
  const words = byId("own-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const { row, words: all } of fields) row.hidden = !words.every(one => all.includes(one));
  byId("own-no-rule").hidden = fields.some(({ row }) => !row.hidden);
  for (const part of byId("own-sections").querySelectorAll("details")) {
    const found = part.querySelectorAll(".rule:not([hidden])").length;
    part.hidden = !found;
    if (words.length) part.open = true;
  }
}
byId("own-search").addEventListener("input", filter);
