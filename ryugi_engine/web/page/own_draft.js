// The definition that is being made: its text, which the server changes, checks and shows.

import { keep, kept, t, word } from "records/texts.js";
import { ask } from "web/connection.js";

/** Where this browser keeps the text, so that a reload loses nothing. */
const KEY = "ryugi-own-game";

export const draft = {
  text: "",
  /** What the server shows of the text. @type {OwnGame | null} */
  shown: null,
  /** All keys of definitions, once they have come. @type {Messages["form"] | null} */
  form: null,
  /** Changes that the server has not been asked for: each needs the text before it.
   *  @type {{ wanted: object, field: string }[]} */
  edits: [],
  asked: false, // whether an answer is awaited
  number: 0, // of the last request
  field: "", // the field that it is about
  /** What was refused, and the field. @type {{ field: string, text: string } | null} */
  refused: null,
  mirror: true, // whether Black's pieces follow White's
  tab: "game",
};

/** Change the definition. @param {object} wanted @param {string} field where a refusal is told */
export function change(wanted, field) {
  draft.edits.push({ wanted, field });
  next();
}

/** Give a key a value; null takes it away. @param {string} key @param {unknown} value */
export const setKey = (key, value) => change({ do: "set", key, value }, key);

function next() {
  if (draft.asked || !draft.edits.length) return;
  const { wanted, field } = draft.edits.shift();
  send("own", field, { text: draft.text, edit: wanted });
}

/** @param {string} what @param {string} field @param {object} given */
function send(what, field, given) {
  draft.asked = true;
  draft.field = field;
  draft.number += 1;
  ask(what, { ...given, number: draft.number });
}

/** Ask for another definition: what was asked for before is forgotten.
 *  @param {string} what @param {string} field @param {object} given */
export function askAnew(what, field, given) {
  draft.edits = [];
  send(what, field, given);
}

/** Let a text be the definition. @param {string} text @param {string} field where a refusal is told */
export const takeText = (text, field = "text") => askAnew("own", field, { text });

/** Ask for all that a page needs when it begins. */
export function beginDraft() {
  draft.asked = false; // what a lost connection has left
  draft.edits = [];
  if (!draft.form) ask("form");
  ask("owned");
  const text = draft.text || kept(KEY);
  if (text) takeText(text);
}

/** Take an answer; return whether it is to be shown. @param {Messages["own"]} message */
export function answered(message) {
  if (message.number !== draft.number) return false;
  draft.asked = false;
  const ofText = ["open", "text"].includes(draft.field), why = word(message.refused);
  const text = message.line && ofText ? t("in-line", message.line, why) : why;
  draft.refused = message.refused ? { field: draft.field, text: draft.field === "open" ? t("no-game-in", text) : text } : null;
  if (message.refused) draft.edits = [];
  else {
    draft.text = message.text;
    draft.shown = message;
    keep(KEY, message.text);
  }
  next();
  return true;
}

/** A request has failed, and no answer comes: what waited for it is forgotten. */
export function draftFailed() {
  draft.asked = false;
  draft.edits = [];
}

/** Forget the definition. */
export function forgetDraft() {
  draft.text = "";
  draft.shown = draft.refused = null;
  keep(KEY, "");
}

/** The value of a key as the table has it, `promotion_limit.Q` too; undefined where it has none.
 *  @param {string} key @returns {any} */
export function given(key) {
  const [head, rest] = key.split(/\.(.*)/);
  const value = draft.shown?.table[head];
  return rest === undefined ? value : value?.[rest];
}

/** The value of a rule that holds. @param {string} key @returns {any} */
export function holds(key) {
  const [head, rest] = key.split(/\.(.*)/);
  const value = draft.shown?.rules[head];
  return rest === undefined ? value : value?.[rest];
}
