// How the sides have played, by the record's own glyphs and evaluations.

const KINDS = [[6, "inaccuracy", "inaccuracies"], [2, "mistake", "mistakes"],
  [4, "blunder", "blunders"]];

/** Centipawns for White, a forced win being 1000, as nothing is more; undefined if unknown. */
function centipawns(node) {
  if (node.M !== undefined) return 1000 * chance(node);
  return node.e === undefined ? undefined : Math.min(Math.max(node.e, -1000), 1000);
}

/** What a side's moves have lost on average, where it is known before and behind them. */
function averageLoss(line, side) {
  const lost = [];
  for (const node of line.slice(1)) {
    const [before, after] = [centipawns(node.parent), centipawns(node)];
    if (node.side === side && before !== undefined && after !== undefined)
      lost.push(Math.max(side ? after - before : before - after, 0));
  }
  return lost.length ? lost.reduce((sum, one) => sum + one, 0) / lost.length : undefined;
}

/** A line for each side; a click on "2 blunders" leads to the next one. */
function drawSummary(host, game, chosen) {
  const line = lineOf(treeOf(game));
  host.hidden = !line.some(node => KINDS.some(([nag]) => node.g?.includes(nag)));
  host.replaceChildren();
  if (host.hidden) return;
  for (const side of [0, 1]) {
    const colour = ["White", "Black"][side];
    const row = element("div", { role: "group", "aria-label": `${colour}'s moves` },
      element("i", { class: side ? "disc black" : "disc" }));
    for (const [nag, one, many] of KINDS) {
      const nodes = line.filter(node => node.side === side && node.g?.includes(nag));
      const made = element("button", { class: nodes.length ? `nag${nag}` : "",
        "aria-disabled": !nodes.length }, `${nodes.length} ${nodes.length === 1 ? one : many}`);
      made.addEventListener("click", () =>
        chosen(nodes.find(node => node.ply > current.ply) ?? nodes[0]));
      row.append(made);
    }
    const loss = averageLoss(line, side);
    if (loss !== undefined)
      row.append(element("span", { title: "Centipawns lost a move" }, `loss ${loss.toFixed(0)}`));
    host.append(row);
  }
}
