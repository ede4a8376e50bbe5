// A board of buttons: for the start position, and for the squares of a region.

import { element } from "records/dom.js";

const FILES = "abcdefghijklmnop";

/** @param {number} file @param {number} rank from 0 */
export const squareName = (file, rank) => `${FILES[file]}${rank + 1}`;

/** Make a board, or keep the one that is there with the same size. A press says the square, or
 *  `a*`, `*8` beside the board where `edges` are wanted.
 *  @param {HTMLElement} host @param {number} files @param {number} ranks
 *  @param {(word: string) => void} pressed @param {boolean} [edges] */
export function showGrid(host, files, ranks, pressed, edges = false) {
  const shows = `${files} ${ranks} ${edges}`;
  if (host.dataset.shows === shows) return;
  host.dataset.shows = shows;
  host.classList.add("grid");
  host.style.setProperty("--files", `${files}`);
  host.style.setProperty("--ranks", `${ranks}`);
  /** @param {string} word @param {string} kind @param {string} [text] */
  const button = (word, kind, text = "") => {
    const made = element("button", { type: "button", class: kind, "data-square": word, "aria-label": word,
      title: word, tabindex: "-1" }, text);
    made.addEventListener("click", () => pressed(word));
    return made;
  };
  /** @param {string} word @param {string} text */
  const edge = (word, text) => edges ? button(word, "edge", text) : element("span", { class: "edge" }, text);
  const made = [];
  for (let rank = ranks - 1; rank >= 0; rank--) {
    made.push(edge(`*${rank + 1}`, `${rank + 1}`));
    for (let file = 0; file < files; file++)
      made.push(button(squareName(file, rank), (file + rank) % 2 ? "light" : "dark"));
  }
  made.push(element("span", { class: "edge" }));
  for (let file = 0; file < files; file++) made.push(edge(`${FILES[file]}*`, FILES[file]));
  host.replaceChildren(...made);
  host.querySelector("button")?.setAttribute("tabindex", "0");
}

/** The buttons of a board by their squares. @param {HTMLElement} host
 *  @returns {HTMLElement[]} */
export const squaresOf = host => [...host.querySelectorAll("[data-square]")];

/** The squares of a region's text. @param {string} text @param {number} files @param {number} ranks */
export function regionOf(text, files, ranks) {
  const found = new Set();
  for (const word of `${text ?? ""}`.toLowerCase().split(/\s+/)) {
    const match = /^([a-z]|\*)(\d{1,2}|\*)$/.exec(word);
    if (!match) continue;
    for (let file = 0; file < files; file++)
      for (let rank = 0; rank < ranks; rank++)
        if ([FILES[file], "*"].includes(match[1]) && [`${rank + 1}`, "*"].includes(match[2]))
          found.add(squareName(file, rank));
  }
  return found;
}

/** @type {Record<string, number[]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// arrows move among the buttons of a board; Tab leaves it
document.addEventListener("keydown", event => {
  const target = /** @type {HTMLElement} */ (event.target), host = /** @type {HTMLElement | null} */ (target.closest?.(".grid"));
  const step = ARROWS[event.key];
  if (!host || !step || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const at = [...host.children].indexOf(target), width = Number(host.style.getPropertyValue("--files")) + 1;
  const x = at % width + step[0], to = host.children[at + step[0] + step[1] * width];
  if (x < 0 || x >= width || !(to instanceof HTMLButtonElement)) return;
  target.setAttribute("tabindex", "-1");
  to.setAttribute("tabindex", "0");
  to.focus();
});
