// Pieces in hand, beside the board: buttons to pick one, shapes for Goryujin's trays.

import { byId, element } from "records/dom.js";
import { coloured } from "records/node.js";
import { t } from "records/texts.js";
import { hoverName, iconPicture, pieceName } from "web/pieces.js";
import { SIDES, here, mayMove, mayPremove, ownSide } from "web/position.js";
import { shapePicture } from "web/shapes.js";
import { state } from "web/state.js";
import { parsed } from "web/ways.js";

const { board } = state;

export const trays = [element("div", { class: "hand", id: "hand-white", role: "group" }),
  element("div", { class: "hand", id: "hand-black", role: "group" })];

/** A piece of a hand as a picture. @param {string} letter @param {number} side */
function handPicture(letter, side) {
  return iconPicture(side ? letter.toLowerCase() : letter) || shapePicture(letter, side);
}

export function showHands() {
  const { table } = state;
  const position = here() ?? table;
  // a column beside the board, but for shapes and stones; there is room for it in any position
  const column = table.pocket > 0 && !table.placed;
  document.body.classList.toggle("stands", column);
  document.documentElement.style.setProperty("--hands", table.pocket && !column ? "5.6rem" : "0rem");
  for (const side of [0, 1]) {
    const tray = trays[side];
    const place = byId((side === 1) !== board.turned ? "top" : "bottom");
    if (side === 1 !== board.turned) {
      if (place.nextElementSibling !== tray) place.after(tray);
    } else if (place.previousElementSibling !== tray) place.before(tray);
    const hand = Object.entries(position.hands[side]).filter(([, count]) => count >= 0);
    tray.hidden = !table.pocket;
    tray.classList.toggle("upper", side === 1 !== board.turned);
    tray.setAttribute("aria-label", t("hand", coloured(side)));
    const usable = mayMove() && position.turn === side, later = mayPremove() && ownSide() === side;
    const can = new Set(usable ? parsed(position).map(move => move.hand) : later ? hand.map(([letter]) => letter) : []);
    const wanted = hand.map(([letter, count]) => `${letter}${count}`).join(" ")
      + `/${side}/${state.current.game.view}/${state.language}/${board.western}`;
    if (tray.dataset.shows !== wanted) {
      tray.dataset.shows = wanted;
      tray.replaceChildren(...hand.map(([letter, count]) => {
        const sign = side ? letter.toLowerCase() : letter;
        const button = element("button", { class: "piece", title: hoverName(sign), "data-piece": letter, "data-side": SIDES[side],
          "aria-label": t("in-hand", pieceName(sign), count) });
        button.innerHTML = handPicture(letter, side);
        button.append(element("span", { class: "count" }, `${count}`));
        return button;
      }));
    }
    for (const button of tray.querySelectorAll("button")) {
      const letter = button.dataset.piece;
      button.setAttribute("aria-disabled", !can.has(letter));
      button.setAttribute("aria-pressed", (usable || later) && state.picked.hand === letter);
    }
  }
}
