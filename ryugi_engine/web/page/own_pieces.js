// The pieces of one's own game: their letters, names, moves with a diagram, and known ones to add.

import { byId, element } from "records/dom.js";
import { t, word } from "records/texts.js";
import { ask } from "web/connection.js";
import { draft, change, given, setKey } from "web/own_draft.js";
import { isTyped, pictureOf } from "web/own_fields.js";
import { translateTexts } from "web/rules.js";
import { state } from "web/state.js";

/** Diagrams by moves, once they have come. @type {Map<string, { svg: string, fault: string }>} */
const diagrams = new Map();
let opened = ""; // the piece whose diagram is shown
let timer = 0;

export function showPieces() {
  const { shown } = draft;
  if (!shown || !draft.form) return;
  const host = byId("own-piece-list"), shows = `${state.language} ${shown.pieces.map(piece => piece.letter)}`;
  if (host.dataset.shows !== shows) {
    host.dataset.shows = shows;
    host.replaceChildren(...shown.pieces.map(rowOf));
  }
  for (const piece of shown.pieces) showPiece(piece);
  showDiagram();
  if (byId("own-known").dataset.shows !== state.language) showKnown();
}

/** A field of a piece. @param {OwnPiece} piece @param {string} name @param {object} [more] */
function box(piece, name, more = {}) {
  return element("input", { class: name, autocomplete: "off", spellcheck: "false", autocapitalize: "off",
    "aria-label": `${t(`piece-${name}`)}, ${piece.letter}`, ...more });
}

/** @param {OwnPiece} piece */
function rowOf(piece) {
  const { letter } = piece;
  const picture = element("button", { type: "button", class: "piece", "aria-expanded": "false", title: t("piece-diagram"),
    "aria-label": `${t("piece-diagram")}, ${letter}` });
  const sign = box(piece, "letter", { maxlength: 1 }), name = box(piece, "name", { maxlength: 40 });
  const moves = box(piece, "moves", { maxlength: 200 }), value = box(piece, "value", { type: "number", min: 0, max: 5000 });
  const remove = element("button", { type: "button", class: "small", title: t("remove"), "aria-label": `${t("remove")}, ${letter}` }, "\u2715");
  picture.addEventListener("click", () => {
    opened = opened === letter ? "" : letter;
    showDiagram();
  });
  sign.addEventListener("change", () => change({ do: "letter", letter, to: sign.value.toUpperCase() }, `pieces.${letter}`));
  name.addEventListener("change", () => setKey(`names.${letter}`, name.value.trim() || null));
  moves.addEventListener("change", () => setKey(`pieces.${letter}`, moves.value.trim()));
  value.addEventListener("change", () => setKey(`values.${letter}`, value.value === "" ? null : Number(value.value)));
  moves.addEventListener("focus", () => {
    opened = letter;
    showDiagram();
  });
  moves.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(showDiagram, 120);
  });
  remove.addEventListener("click", () => change({ do: "unpiece", letter }, `pieces.${letter}`));
  /** @param {string} text @param {HTMLElement} field */
  const named = (text, field) => element("label", {}, element("small", {}, t(text)), field);
  return element("li", { "data-field": `pieces.${letter}`, "data-letter": letter },
    element("div", { class: "row" }, picture, named("piece-letter", sign), named("piece-name", name),
      named("piece-moves-field", moves), named("piece-value", value), remove),
    element("p", { class: "fault", role: "status" }),
    ...["names", "values"].map(key => element("p", { class: "fault", role: "status", "data-field": `${key}.${letter}` })),
    element("figure", { class: "diagram" }));
}

/** @param {OwnPiece} piece */
function showPiece(piece) {
  const row = byId("own-piece-list").querySelector(`[data-letter="${piece.letter}"]`);
  const picture = row.querySelector("button.piece");
  if (picture.dataset.shows !== piece.figure) {
    picture.dataset.shows = piece.figure;
    picture.innerHTML = pictureOf(piece.figure);
  }
  const values = { letter: piece.letter, name: given(`names.${piece.letter}`) ?? "", moves: piece.moves, value: piece.value ?? "" };
  for (const [name, value] of Object.entries(values)) {
    const field = row.querySelector(`.${name}`);
    if (!isTyped(field) || name === "letter") field.value = value;
  }
  row.querySelector(".name").placeholder = word(piece.name);
}

/** The diagram of the opened piece: of the moves that are being typed. */
function showDiagram() {
  for (const row of byId("own-piece-list").children) {
    const { letter } = /** @type {HTMLElement} */ (row).dataset, open = letter === opened;
    const moves = row.querySelector(".moves").value.trim(), host = row.querySelector(".diagram");
    row.querySelector("button.piece").setAttribute("aria-expanded", open);
    host.hidden = !open;
    if (!open) continue;
    const key = `${given("betza") ?? ""} ${letter} ${moves}`, known = diagrams.get(key);
    if (!known) {
      ask("piece", { moves, letter, dialect: `${given("betza") ?? ""}`, key });
      continue;
    }
    if (host.dataset.shows === key + state.language) continue;
    host.dataset.shows = key + state.language;
    host.innerHTML = known.svg;
    translateTexts(host);
    if (known.fault) host.replaceChildren(element("p", { class: "fault" }, word(known.fault)));
  }
}

/** @param {Messages["piece"]} message */
export function diagramHasCome(message) {
  diagrams.set(message.key, message);
  showDiagram();
  showOwnDiagram();
}

// ---- pieces to add -----------------------------------------------------------------------------

/** A letter that no piece has: of the name, or else any. @param {string} wanted @param {string} name */
function freeLetter(wanted, name) {
  const taken = draft.shown.pieces.map(piece => piece.letter);
  return [wanted, ...name.toUpperCase(), ..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    .find(letter => /[A-Z]/.test(letter) && !taken.includes(letter)) ?? wanted;
}

function showKnown() {
  const host = byId("own-known");
  host.dataset.shows = state.language;
  host.replaceChildren(...draft.form.known.map(piece => {
    const card = element("button", { type: "button", class: "known", "data-name": piece.name });
    card.innerHTML = pictureOf(piece.figure);
    card.append(element("span", {}, word(piece.name)), element("code", {}, piece.moves));
    card.title = [piece.name, ...piece.others].map(word).join(", ");
    card.dataset.words = [piece.name, ...piece.others, ...[piece.name, ...piece.others].map(word)].join(" ").toLowerCase();
    card.addEventListener("click", () => {
      opened = freeLetter(piece.letter, piece.name);
      change({ do: "piece", letter: opened, moves: piece.moves, name: piece.name }, "add-piece");
    });
    return card;
  }));
  filterKnown();
}

function filterKnown() {
  const words = byId("own-find-piece").value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const card of byId("own-known").querySelectorAll("button"))
    card.hidden = !words.every(one => `${card.dataset.words} ${card.querySelector("code").textContent.toLowerCase()}`.includes(one));
  byId("own-no-piece").hidden = Boolean(byId("own-known").querySelector("button:not([hidden])"));
}
byId("own-find-piece").addEventListener("input", filterKnown);

const ownMoves = byId("own-new-moves"), ownLetter = byId("own-new-letter");
/** The diagram of the piece that is to be added. */
function showOwnDiagram() {
  const moves = ownMoves.value.trim(), letter = ownLetter.value.toUpperCase() || "?", host = byId("own-new-diagram");
  const key = `${given("betza") ?? ""} ${letter} ${moves}`, known = diagrams.get(key);
  host.hidden = !moves;
  if (moves && !known) ask("piece", { moves, letter, dialect: `${given("betza") ?? ""}`, key });
  host.innerHTML = moves && known ? known.svg : "";
  translateTexts(host);
  byId("own-new-fault").textContent = moves && known ? word(known.fault) : "";
}
for (const field of [ownMoves, ownLetter]) {
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(showOwnDiagram, 120);
  });
}
byId("own-new-add").addEventListener("click", () => {
  const letter = ownLetter.value.toUpperCase() || freeLetter("", ""), moves = ownMoves.value.trim();
  if (moves) change({ do: "piece", letter, moves, name: "" }, "own-piece");
  else byId("own-new-fault").textContent = t("moves-first");
});
