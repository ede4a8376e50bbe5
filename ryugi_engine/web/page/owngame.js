// A user's own game, and how pieces move.

import { byId, element } from "records/dom.js";
import { listGames } from "web/chooser.js";
import { ask } from "web/connection.js";
import { openNew } from "web/newgame.js";
import { pieceName } from "web/pieces.js";
import { translateTexts } from "web/rules.js";

byId("own-try").addEventListener("click", () => {
  byId("own-fault").textContent = "";
  ask("define", { text: byId("own-text").value });
});

/** A user's game has been read, or not. @param {Messages['defined']} message */
export function defined(message) {
  const fault = byId("own-fault");
  fault.textContent = message.fault;
  if (message.fault) return;
  listGames(message.games);
  byId("setup-dialog").close();
  openNew(message.name);
}

/** Every piece's moves as a diagram. @param {Messages['diagrams']} message */
export function drawDiagrams(message) {
  byId("moves-of").hidden = !message.pieces.length;
  byId("diagrams").replaceChildren(...message.pieces.map(piece => {
    const figure = element("figure", {});
    figure.innerHTML = piece.svg;
    translateTexts(figure);
    figure.append(element("figcaption", {}, `${pieceName(piece.letter)} (${piece.letter})`));
    return figure;
  }));
}
