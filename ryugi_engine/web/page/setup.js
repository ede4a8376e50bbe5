// A position set up by hand, a user's own game, and how pieces move.

/** @type {{ letters: Record<string, string>, brush: string | null, simple?: boolean } | null} */
let setup = null; // letters by place, the chosen piece, and whether it can be set by hand

byId("setup").addEventListener("click", () => {
  byId("setup-dialog").showModal();
  const state = here() ?? table;
  setup = { letters: { ...state.letters }, brush: null };
  byId("own-fault").textContent = "";
  ask("setup", { text: "", ...placeOf(current) });
  ask("diagrams");
});

/** What the server says of a text: the board, or what is wrong with it.
 *  @param {Messages['setup']} message */
function setupAnswered(message) {
  const fault = byId("setup-fault");
  fault.textContent = word(message.fault) || t("legal");
  fault.classList.toggle("fault", Boolean(message.fault));
  byId("setup-play").disabled = Boolean(message.fault);
  if (message.given !== undefined && byId("setup-text").value !== message.given) return;
  if (message.text && !message.given) byId("setup-text").value = message.text;
  if (!message.fault) {
    setup.letters = message.letters;
    byId("setup-board").innerHTML = message.svg;
    translateTexts(byId("setup-board"));
  }
  setup.simple = message.simple;
  byId("setup-clear").hidden = !setup.simple;
  showPalette();
}

/** Put what a drawing says into the reader's language. @param {HTMLElement} host */
function translateTexts(host) {
  for (const text of host.querySelectorAll("text")) text.textContent = word(text.textContent);
}

function showPalette() {
  const host = byId("palette");
  host.hidden = !setup.simple;
  if (host.hidden || host.dataset.shows === current.game.view) return;
  host.dataset.shows = current.game.view;
  const letters = Object.keys(board.view.names);
  const all = [...letters, ...letters.map(letter => letter.toLowerCase())];
  /** @param {string} letter @param {string} name @param {string} inside */
  const button = (letter, name, inside) => {
    const made = element("button", { "aria-label": name, title: name, "aria-pressed": "false" });
    made.innerHTML = inside;
    made.addEventListener("click", () => {
      setup.brush = letter;
      for (const other of host.children) other.setAttribute("aria-pressed", other === made);
    });
    return made;
  };
  host.replaceChildren(...all.map(letter => button(letter, pieceName(letter),
    `<svg viewBox="2 2 44 44" font-family="sans-serif" stroke="none">${board.view.icons[letter] ?? ""}</svg>`)),
  button("", t("erase"), "\u2715"));
}

/** The board field of a position text by letters. */
function boardField() {
  const squares = [...cellsOf.keys()].map(squareOf);
  const files = 1 + Math.max(...squares.map(at => at[0])), ranks = 1 + Math.max(...squares.map(at => at[1]));
  const rows = [];
  for (let rank = ranks - 1; rank >= 0; rank -= 1) {
    let row = "", empty = 0;
    for (let file = 0; file < files; file += 1) {
      const cell = cellName(file, rank);
      const sign = cellsOf.has(cell) ? setup.letters[cell] : "*";
      if (!sign) empty += 1;
      else {
        row += (empty || "") + sign;
        empty = 0;
      }
    }
    rows.push(row + (empty || ""));
  }
  return rows.join("/");
}

function composed() {
  const words = byId("setup-text").value.split(" ");
  const hand = /\[.*\]/.exec(words[0])?.[0] ?? "";
  words[0] = boardField() + hand;
  byId("setup-text").value = words.join(" ");
  tryText();
}

let trying = 0;
function tryText() {
  clearTimeout(trying);
  trying = setTimeout(() => ask("setup", { text: byId("setup-text").value, ...placeOf(current) }), 200);
}
byId("setup-text").addEventListener("input", tryText);
byId("setup-clear").addEventListener("click", () => {
  setup.letters = {};
  composed();
});

byId("setup-board").addEventListener("click", event => {
  if (!setup.simple || setup.brush === null) return;
  const svg = byId("setup-board").querySelector("svg");
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  let best = null, least = board.view.unit ** 2 / 2;
  for (const [cell, x, y] of board.view.cells) {
    const far = (x - point.x) ** 2 + (y - point.y) ** 2;
    if (far < least) [best, least] = [cell, far];
  }
  if (!best) return;
  if (setup.brush) setup.letters[best] = setup.brush;
  else delete setup.letters[best];
  composed();
});

byId("setup-play").addEventListener("click", () => {
  byId("setup-dialog").close();
  openNew();
  byId("new-fen").value = byId("setup-text").value;
});

byId("own-try").addEventListener("click", () => {
  byId("own-fault").textContent = "";
  ask("define", { text: byId("own-text").value });
});

/** A user's game has been read, or not. @param {Messages['defined']} message */
function defined(message) {
  const fault = byId("own-fault");
  fault.textContent = message.fault;
  if (message.fault) return;
  listGames(message.games);
  byId("setup-dialog").close();
  openNew();
  byId("new-variant").value = message.name;
  showFavourite();
}

/** Every piece's moves as a diagram. @param {Messages['diagrams']} message */
function drawDiagrams(message) {
  byId("moves-of").hidden = !message.pieces.length;
  byId("diagrams").replaceChildren(...message.pieces.map(piece => {
    const figure = element("figure", {});
    figure.innerHTML = piece.svg;
    translateTexts(figure);
    figure.append(element("figcaption", {}, `${pieceName(piece.letter)} (${piece.letter})`));
    return figure;
  }));
}
