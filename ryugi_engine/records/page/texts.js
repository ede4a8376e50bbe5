// What the pages say. A page that is saved says it in English; the one on which one plays has more
// messages, and tables of other languages.

import { state } from "records/state.js";

/** Messages by language; {0} stands for what is put in. @type {Record<string, Record<string, string>>} */
export const MESSAGES = {
  en: {
    page: "Page", board: "Board", captions: "What the board says", game: "Game", moves: "Moves",
    replay: "Replay", view: "View", graph: "Evaluation, the first side's win above",
    save: "Save the game as PGN", "save-key": "Save as PGN (s)",
    link: "Copy a link to this position", "link-key": "Copy a link to this position (l)",
    dark: "Dark mode", "dark-key": "Dark or light (d)", help: "Help: the keys", "help-key": "Keys (?)",
    first: "First position", "first-key": "First (Home)", back: "Back", "back-key": "Back (left arrow)",
    play: "Play", "play-key": "Play (p)", pause: "Pause", forward: "Forward",
    "forward-key": "Forward (right arrow, Space)", last: "Last position", "last-key": "Last (End)",
    speed: "Speed", "speed-key": "Seconds a move", seconds: "{0} s", "as-played": "as played",
    "shogi-files": "Files 9 to 1", western: "Western pieces", flip: "Turn the board", "flip-key": "Turn the board (f)", arrows: "Arrows", "arrows-key": "Arrows (a)",
    out: "Smaller", "out-key": "Smaller (-)", fit: "Whole board", "fit-key": "Whole board (0)",
    in: "Larger", "in-key": "Larger (+)", close: "Close", "games-title": "Games",
    "filter-text": "Text", "filter-player": "Player", "filter-result": "Result", all: "all",
    "save-all": "Save all games as PGN", "keys-title": "Keys", "this-game": "This game",
    touch: "On a touch screen: swipe the board for the next or the previous move, spread two fingers"
      + " to enlarge it, tap twice for the same.",
    "games-of": "Games: {0} of {1}", "games-key": "All games (g), next and previous (] and [)",
    found: "{0} of {1} games", plies: "{0} plies", round: "round {0}",
    you: "You", "start-here": "Start",
    variation: "Variation {0}", "board-at": "Board: {0}, {1}", taken: "{0} has taken: {1}",
    nothing: "nothing", clock: "{0}'s clock {1}", spent: "{0}'s last move took {1}",
    "moves-of": "{0}'s moves", "link-copied": "Link copied", note: "note {0}",
    inaccuracy: "inaccuracy", inaccuracies: "inaccuracies", mistake: "mistake", mistakes: "mistakes",
    blunder: "blunder", blunders: "blunders", loss: "loss {0}", "loss-title": "Centipawns lost a move",
    accuracy: "Accuracy", "proven-end": "proven: {0} wins", "proven-in": "proven: {0} wins in {1} moves at most",
    "proven-in-one": "proven: {0} wins in a move",
    "key-steps": "back, forward (Space too)", "key-ends": "first, last position",
    "key-others": "other moves in this one's place: variations", "key-play": "play, pause",
    "key-flip": "turn the board", "key-arrows": "arrows", "key-size": "larger, smaller, whole board",
    "key-games": "all games", "key-next-game": "previous, next game", "key-save": "save the game as PGN",
    "key-link": "copy a link to this position", "key-dark": "dark or light", "key-help": "these keys",
    nag1: "good move", nag2: "mistake", nag3: "brilliant move", nag4: "blunder",
    nag5: "interesting move", nag6: "inaccuracy", nag7: "only move", nag10: "equal", nag13: "unclear",
    nag14: "{0} slightly better", nag15: "{1} slightly better", nag16: "{0} better",
    nag17: "{1} better", nag18: "{0} winning", nag19: "{1} winning", nag22: "zugzwang",
    nag23: "zugzwang", nag32: "development", nag36: "initiative", nag40: "attack",
    nag132: "counterplay", nag138: "time trouble", nag146: "novelty",
  },
};
/** What the rules say, by language: names and reasons, and patterns of whole sentences.
 *  @type {Record<string, Record<string, string>>} */
export const WORDS = {};
/** @type {Record<string, [RegExp, string][]>} */
export const SENTENCES = {};

/** A message, with what is to stand in it. @param {string} key @param {...(string | number)} given */
export function t(key, ...given) {
  const text = MESSAGES[state.language][key] ?? MESSAGES.en[key] ?? key;
  return text.replace(/\{(\d)\}/g, (_, number) => `${given[number] ?? ""}`);
}

/** What the rules say, in the reader's language where that is known. @param {string} english @returns {string} */
export function word(english) {
  const known = WORDS[state.language]?.[english];
  if (known !== undefined) return known;
  for (const [pattern, text] of SENTENCES[state.language] ?? []) {
    const match = pattern.exec(english);
    if (match) return text.replace(/\{(\d)\}/g, (_, number) => word(match[Number(number) + 1] ?? ""));
  }
  return english;
}

/** A choice that this browser has kept; "" where there is none, or it keeps nothing.
 *  @param {string} name */
export function kept(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

/** Keep a choice, or forget it for "". @param {string} name @param {string} choice */
export function keep(name, choice) {
  try {
    if (choice) localStorage.setItem(name, choice);
    else localStorage.removeItem(name);
  } catch {
    // a browser that keeps nothing still changes the page
  }
}

/** Put the messages into the page: text, title, label, placeholder. */
export function translate() {
  document.documentElement.lang = state.language;
  for (const one of document.querySelectorAll("[data-text]"))
    one.textContent = t(one.dataset.text, one.dataset.given ?? "");
  // a button's name is what its title begins with, without its key
  for (const one of document.querySelectorAll("[data-short]"))
    one.textContent = t(one.dataset.short).replace(/ ?[(（:：].*/, "");
  for (const one of document.querySelectorAll("[data-title]")) {
    one.title = t(one.dataset.title);
    if (!one.dataset.label) one.setAttribute("aria-label", one.title);
  }
  for (const one of document.querySelectorAll("[data-label]"))
    one.setAttribute("aria-label", t(one.dataset.label));
  for (const one of document.querySelectorAll("[data-placeholder]"))
    one.placeholder = t(one.dataset.placeholder);
}
