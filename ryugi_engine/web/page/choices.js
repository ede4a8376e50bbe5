// A choice beside the square, where a move has several readings.

import { byId, element, targetOf } from "records/dom.js";
import { t } from "records/texts.js";
import { forget, playMove, repaint } from "web/picking.js";
import { iconPicture, pieceName } from "web/pieces.js";
import { showMarks } from "web/places.js";
import { here } from "web/position.js";
import { state } from "web/state.js";

/** What a move of several is called, and how it is drawn.
 *  @param {Way} move @param {number} side @param {string} letter @param {boolean} promotes */
function choiceOf(move, side, letter, promotes) {
  /** @param {string} name */
  const icon = name => iconPicture(side ? name.toLowerCase() : name.toUpperCase());
  if (move.removed.length) return { text: t("removes", move.removed.join(" ")), icon: "" };
  if (move.hand !== null && !move.tail)
    return { text: pieceName(side ? move.hand.toLowerCase() : move.hand), icon: icon(move.hand) };
  if (/^[a-z]$/.test(move.tail))
    return { text: pieceName(side ? move.tail : move.tail.toUpperCase()), icon: icon(move.tail) };
  if (move.tail === "+") return { text: t("promote"), icon: letter ? icon(`+${letter}`) : "" };
  if (move.tail === "" && move.hand === null) return { text: t(promotes ? "stay" : "move"), icon: letter ? icon(letter) : "" };
  return { text: move.text, icon: "" };
}

/** Offer moves that end on a square, and to go on from it where a longer way leads over it.
 *  @param {Way[]} moves @param {string} cell @param {string[]} [onward] */
export function offerChoices(moves, cell, onward) {
  const box = byId("choices"), position = here();
  const letter = position.letters[moves[0].cells[0]] ?? null;
  const bare = letter && moves.every(move => move.hand === null) ? letter.toUpperCase() : null;
  box.replaceChildren(...moves.map(move => {
    const { text, icon } = choiceOf(move, position.turn, bare, moves.some(one => one.tail === "+"));
    const button = element("button", { role: "menuitem", "data-choice": move.text, "aria-label": text,
      title: text });
    button.innerHTML = icon;
    if (!icon || move.tail === "+" || (move.tail === "" && bare)) button.append(text);
    button.addEventListener("click", () => playMove(move.text));
    for (const type of ["pointerenter", "focus"])
      button.addEventListener(type, () => {
        state.pointedCells = move.removed;
        showMarks();
      });
    return button;
  }));
  if (onward) box.append(onwardButton(onward));
  box.hidden = false;
  state.choicesBeside = cell;
  placeChoices();
  box.querySelector("button").focus({ preventScroll: true });
}

/** The button that goes on with what is picked. @param {string[]} cells */
function onwardButton(cells) {
  const text = t("go-on");
  const button = element("button", { role: "menuitem", "data-choice": "go-on", "aria-label": text, title: text });
  button.append(text);
  button.addEventListener("click", () => {
    forget();
    state.picked = { hand: null, cells };
    repaint();
  });
  return button;
}

/** Put the choice beside its square, inside the window. */
function placeChoices() {
  const box = byId("choices");
  if (box.hidden) return;
  box.style.left = "0px";
  const at = state.cellNodes.get(state.choicesBeside).getBoundingClientRect(), own = box.getBoundingClientRect();
  const left = Math.min(Math.max(at.left + at.width / 2 - own.width / 2, 4),
    innerWidth - own.width - 4);
  const below = at.bottom + own.height + 6 < innerHeight;
  box.style.left = `${left + scrollX}px`;
  box.style.top = `${(below ? at.bottom + 4 : Math.max(at.top - own.height - 4, 4)) + scrollY}px`;
}
addEventListener("resize", placeChoices);

// a press beside the choice closes it; on the board or a hand nothing else follows from it
let leaving = false;
addEventListener("pointerdown", event => {
  const target = targetOf(event);
  leaving = false;
  if (byId("choices").hidden || target.closest("#choices")) return;
  leaving = target.closest("#table") !== null;
  if (leaving) event.stopPropagation();
  forget();
  repaint();
}, true);
addEventListener("click", event => {
  if (!leaving || !event.detail) return;
  leaving = false;
  event.stopPropagation();
  event.preventDefault();
}, true);

byId("choices").addEventListener("keydown", event => {
  const all = [...byId("choices").querySelectorAll("button")];
  const at = all.findIndex(one => one === document.activeElement);
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (by) {
    event.preventDefault();
    event.stopPropagation();
    all[(at + by + all.length) % all.length].focus();
  } else if (event.key === "Escape") {
    event.preventDefault();
    forget();
    repaint();
  }
});
