// How a position's picture is drawn: pieces, rulers, arrows.

import { state } from "records/state.js";

export const SVG = "http://www.w3.org/2000/svg";
/** @type {Record<string, string>} */
const COLOURS = { G: "#15781b", R: "#a3201d", Y: "#c98a00", B: "#1f5fae", "*": "#1f5fae" };

/** How a part is drawn where the board is turned: in which ruler it stands ("" on the board).
 *  @param {Part} part @param {View} view @param {boolean} turned @param {(figure: string) => string} inScript
 *  @returns {[string, string, boolean]} */
function placed(part, view, turned, inScript) {
  const [given, x, y, margin, transform] = part;
  const line = transform ? `<g transform="${transform}">${inScript(state.data.figures[Number(given)])}</g>`
    : `${given}`.replace(/^(<g transform="[^"]*">)(.*)(<\/g>)$/,
      (_, before, figure, after) => before + inScript(figure) + after);
  if (x === undefined) return ["", line, true];
  const dx = turned && margin !== "rank" ? 2 * (view.middle[0] - x) : 0;
  const dy = turned && margin !== "file" ? 2 * (view.middle[1] - y) : 0;
  const shifted = dx || dy ? `<g transform="translate(${dx} ${dy})">${line}</g>` : line;
  if (!margin) return ["", shifted, false];
  if (margin === "both") return ["both", shifted, false];
  if (margin === "file") return [y < view.middle[1] ? "above" : "below", shifted, false];
  return [x < view.middle[0] ? "left" : "right", shifted, false];
}

/** What a ruler lies on; seen where the board is enlarged.
 *  @param {string} name @param {number} edge @param {View} view */
function band(name, edge, view) {
  if (name === "both") return "";
  const [width, height] = view.size, far = 2 * (width + height);
  const room = (name === "left" || name === "right" ? 0.62 : 0.45) * view.unit;
  /** @type {Record<string, number[]>} */
  const bands = {
    left: [edge + room - far, -far, far, 2 * far], right: [edge - room, -far, far, 2 * far],
    above: [-far, edge + room - far, 2 * far, far], below: [-far, edge - room, 2 * far, far],
  };
  const [x, y, across, down] = bands[name];
  return `<rect x="${x}" y="${y}" width="${across}" height="${down}"/>`;
}

/** The inside of the SVG: the board, and rulers with the names of files and ranks; without the
 *  pieces on the places that are `lifted`.
 *  @param {number[]} numbers @param {View} view @param {boolean} turned @param {Point[]} lifted
 *  @param {(figure: string) => string} inScript */
export function drawn(numbers, view, turned, lifted, inScript) {
  /** @type {Record<string, string>} */
  const rulers = { left: "", right: "", above: "", below: "", both: "" };
  // where each ruler begins: on an enlarged board it lies on a band of paper
  /** @type {Record<string, number>} */
  const edges = { left: -1e4, right: 1e4, above: -1e4, below: 1e4 };
  let board = "", run = "";
  const flush = () => {
    if (run)
      board += turned ? `<g transform="rotate(180 ${view.middle.join(" ")})">${run}</g>` : run;
    run = "";
  };
  for (const number of numbers) {
    const part = state.data.parts[number];
    if (part[4] && lifted.some(([x, y]) => Math.hypot(x - part[1], y - part[2]) < 1)) continue;
    const [ruler, line, turns] = placed(part, view, turned, inScript);
    if (ruler) {
      rulers[ruler] += line;
      const farther = ruler === "left" || ruler === "above" ? Math.max : Math.min;
      if (ruler in edges)
        edges[ruler] = farther(edges[ruler], ruler === "left" || ruler === "right" ? part[1] : part[2]);
    }
    else if (turns) run += line;
    else {
      flush();
      board += line;
    }
  }
  flush();
  for (const [name, lines] of Object.entries(rulers))
    if (lines)
      board += `<g class="ruler" data-at="${name}">${band(name, edges[name], view)}${lines}</g>`;
  return board;
}

/** An arrow or marked squares, as pagedata.py has them.
 *  @param {Arrow} arrow @param {View} view @param {boolean} turned */
export function pointed(arrow, view, turned) {
  const [sign, ...numbers] = arrow;
  const points = [];
  for (let i = 0; i < numbers.length; i += 2)
    points.push(turned ? [2 * view.middle[0] - numbers[i], 2 * view.middle[1] - numbers[i + 1]]
      : [numbers[i], numbers[i + 1]]);
  const colour = COLOURS[sign[0]], unit = view.unit;
  if (sign[1] !== ">") {
    const size = 0.9 * unit;
    return points.map(([x, y]) => `<rect x="${x - size / 2}" y="${y - size / 2}" width="${size}"`
      + ` height="${size}" rx="${size / 4}" fill="${colour}" fill-opacity=".3" stroke="${colour}"`
      + ` stroke-width="${0.09 * unit}"/>`).join("");
  }
  const [[x1, y1], [x2, y2]] = points;
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  /** @param {number} along @param {number} aside */
  const at = (along, aside) => [x1 + dx * along - dy * aside, y1 + dy * along + dx * aside]
    .map(number => number.toFixed(1)).join(",");
  const head = 0.42 * unit, neck = length - head, wide = 0.11 * unit;
  const corners = [at(0.1 * unit, -wide), at(neck, -wide), at(neck, -0.3 * unit), at(length, 0),
    at(neck, 0.3 * unit), at(neck, wide), at(0.1 * unit, wide)];
  return `<polygon points="${corners.join(" ")}" fill="${colour}"/>`;
}

/** Write files as 9 to 1, and ranks as a to i from the top. @param {Element} picture */
export function renumber(picture) {
  for (const ruler of picture.querySelectorAll(".ruler")) {
    const names = [...ruler.querySelectorAll("text")], all = names.length;
    for (const name of names) {
      const text = `${name.textContent}`, rank = Number(text);
      name.textContent = rank ? String.fromCharCode(97 + all - rank) : `${all - text.charCodeAt(0) + 97}`;
    }
  }
}
