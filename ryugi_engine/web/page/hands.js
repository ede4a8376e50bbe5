// Pieces in hand, beside the board: buttons to pick one, shapes for Goryujin's trays.

const trays = [element("div", { class: "hand", id: "hand-white", role: "group" }),
  element("div", { class: "hand", id: "hand-black", role: "group" })];

/** A piece of a hand as a picture. @param {string} letter @param {number} side */
function handPicture(letter, side) {
  return iconPicture(side ? letter.toLowerCase() : letter) || shapePicture(letter, side);
}

function showHands() {
  const state = here() ?? table;
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
    const hand = Object.entries(state.hands[side]).filter(([, count]) => count >= 0);
    tray.hidden = !table.pocket;
    tray.classList.toggle("upper", side === 1 !== board.turned);
    tray.setAttribute("aria-label", t("hand", coloured(side)));
    const usable = mayMove() && state.turn === side, later = mayPremove() && ownSide() === side;
    const can = new Set(usable ? parsed(state).map(move => move.hand) : later ? hand.map(([letter]) => letter) : []);
    const wanted = hand.map(([letter, count]) => `${letter}${count}`).join(" ")
      + `/${side}/${current.game.view}/${language}/${board.western}`;
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
      button.setAttribute("aria-pressed", (usable || later) && picked.hand === letter);
    }
  }
}

for (const tray of trays) {
  tray.addEventListener("click", event => {
    const button = targetOf(event).closest("button");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    if (handled(event)) return;
    pickHand(button.dataset.piece);
  });
  tray.addEventListener("pointerdown", event => {
    const button = targetOf(event).closest("button");
    if (!button || event.button || button.getAttribute("aria-disabled") === "true") return;
    beginDrag(event, { hand: button.dataset.piece });
  });
}
