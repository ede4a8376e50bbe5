// What the engine thinks: the bar, the graph, the best lines as arrows and in words.

/** Take the lines of a search in. @param {Messages['lines']} message */
function takeLines(message) {
  const key = keyOf(message);
  if (!message.lines.length) return;
  seenLines.set(key, message);
  const node = nodeAt(message);
  if (node && keyOf(node) === key && message.lines[0]) {
    const best = message.lines[0];
    delete node.e;
    delete node.M;
    if (best.mate !== null) node.M = best.mate;
    else node.e = best.cp;
  }
  showLines();
}

/** @param {BestLine} one */
function lineScore(one) {
  if (one.mate !== null) return `#${one.mate}`;
  return (one.cp > 0 ? "+" : one.cp < 0 ? "\u2212" : "") + (Math.abs(one.cp) / 100).toFixed(2);
}

/** The lines of the position that is shown; arrows for the first moves. */
function showLines() {
  if (!table || !current) return;
  const message = seenLines.get(keyOf(current));
  const list = byId("best-lines");
  const shows = message && (table.analysis || message.kind === "hint");
  const analysed = table.analysis && keyOf({ line: table.analysis[0], ply: table.analysis[1] });
  if (table.analysis && analysed !== keyOf(current) && asked !== keyOf(current)) {
    asked = keyOf(current);
    ask("analyse", { on: true, lines: table.analysis[2], ...placeOf(current) });
  }
  list.hidden = !shows && !table.analysis;
  board.extra = "";
  if (shows) {
    list.replaceChildren(...message.lines.map(one => {
      const button = element("button", { "data-move": one.moves[0] ?? "" },
        element("b", {}, lineScore(one)), element("span", {}, one.sans.join(" ")),
        element("small", {}, t("depth", one.depth)));
      button.addEventListener("click", () => mayMove() && one.moves[0] && playMove(one.moves[0]));
      return element("li", {}, button);
    }));
    const count = message.kind === "hint" ? 1 : message.lines.length;
    board.extra = message.lines.slice(0, count).reverse()
      .map((one, at) => pointTo(one.moves[0], count - 1 - at)).join("");
  } else if (table.analysis) list.replaceChildren(element("li", {}, t("analysing")));
  board.pointers.innerHTML = (board.arrows
    ? (current.a ?? []).map(one => pointed(one, board.view, board.turned)).join("") : "") + board.extra;
  const judged = [...seenLines.values()].length > 0 && Boolean(table.analysis || table.players.some(p => p.engine));
  if (judged) document.body.classList.add("judged");
  drawGauge(current, board.turned);
  drawCurve();
}
let asked = "";

/** A move as an arrow, a ring or the outline of a piece; `rank` 0 is the best.
 *  @param {string} move @param {number} rank */
function pointTo(move, rank) {
  if (!move) return "";
  const state = here();
  const one = state && parsed(state).find(each => each.text === move);
  if (!one) return "";
  const opacity = [0.95, 0.6, 0.4][rank] ?? 0.3, unit = board.view.unit;
  const shape = one.shape && board.view.shapes?.[one.shape];
  if (shape) {
    const [file, rank0] = squareOf(one.cells[0]);
    const path = shape.cells.map(([x, y]) => {
      const at = cellsOf.get(cellName(file + x, rank0 + y));
      return `M${at[0] - unit / 2} ${at[1] - unit / 2}h${unit}v${unit}h${-unit}z`;
    }).join("");
    return `<path class="ghost-move" opacity="${opacity}" d="${path}"/>`;
  }
  const ends = one.cells.slice(0, 2).map(cell => cellsOf.get(cell)).filter(Boolean);
  if (ends.length === 2)
    return `<g opacity="${opacity}">${pointed(["B>", ...ends.flat()], board.view, false)}</g>`;
  const [x, y] = ends[0] ?? [0, 0];
  return `<circle class="ghost-move" opacity="${opacity}" cx="${x}" cy="${y}" r="${unit * 0.36}"/>`;
}
