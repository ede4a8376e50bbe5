// How the pieces move.

import { byId, element } from "records/dom.js";
import { pieceName } from "web/pieces.js";
import { translateTexts } from "web/rules.js";

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
