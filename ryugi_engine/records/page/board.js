// The board: a picture that can be turned, enlarged and moved, with arrows on it.

const SVG = "http://www.w3.org/2000/svg";
/** @type {Record<string, string>} */
const COLOURS = { G: "#15781b", R: "#a3201d", Y: "#c98a00", B: "#1f5fae", "*": "#1f5fae" };

/** How a part is drawn where the board is turned: in which ruler it stands ("" on the board).
 *  @param {Part} part @param {View} view @param {boolean} turned
 *  @returns {[string, string, boolean]} */
function placed(part, view, turned) {
  const [given, x, y, margin, transform] = part;
  const line = transform ? `<g transform="${transform}">${board.inScript(data.figures[Number(given)])}</g>`
    : `${given}`.replace(/^(<g transform="[^"]*">)(.*)(<\/g>)$/,
      (_, before, figure, after) => before + board.inScript(figure) + after);
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
 *  @param {number[]} numbers @param {View} view @param {boolean} turned @param {Point[]} lifted */
function drawn(numbers, view, turned, lifted) {
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
    const part = data.parts[number];
    if (part[4] && lifted.some(([x, y]) => Math.hypot(x - part[1], y - part[2]) < 1)) continue;
    const [ruler, line, turns] = placed(part, view, turned);
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
function pointed(arrow, view, turned) {
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
function renumber(picture) {
  for (const ruler of picture.querySelectorAll(".ruler")) {
    const names = [...ruler.querySelectorAll("text")], all = names.length;
    for (const name of names) {
      const text = `${name.textContent}`, rank = Number(text);
      name.textContent = rank ? String.fromCharCode(97 + all - rank) : `${all - text.charCodeAt(0) + 97}`;
    }
  }
}

/** A view onto a game's board; `swiped(1)` is called for a swipe to the next move. */
class Board {
  /** @param {HTMLElement} host @param {(by: number) => void} swiped */
  constructor(host, swiped) {
    this.host = host;
    this.swiped = swiped;
    this.turned = false;
    this.arrows = true;
    this.shogiFiles = false; // files 9 to 1 and ranks a to i, in games like shogi
    this.western = false; // letters instead of characters on pieces
    // on a page on which one plays: whether squares can be pressed, and a piece is being dragged
    this.pressable = false;
    this.held = false;
    this.extra = ""; // what else points at places
    /** @type {Point[]} */
    this.lifted = []; // the centres of places whose pieces are not drawn
    this.zoom = 1;
    this.corner = [0, 0];
    /** @type {PageNode | null} */
    this.node = null;
    /** @type {View | null} */
    this.view = null;
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("role", "img");
    this.svg.setAttribute("font-family", "sans-serif");
    this.svg.setAttribute("stroke", "none");
    // the picture is drawn anew for each position; what points at it, and places to press, stay
    this.picture = document.createElementNS(SVG, "g");
    this.pointers = document.createElementNS(SVG, "g");
    this.pointers.id = "pointers";
    this.pointers.setAttribute("opacity", ".72");
    this.pointers.setAttribute("pointer-events", "none");
    this.svg.append(this.picture, this.pointers);
    host.append(this.svg);
    new ResizeObserver(() => this.look()).observe(host);
    this.listen();
  }

  /** A piece's picture as it is wanted: by characters or by letters. @param {string} figure */
  inScript(figure) {
    return this.western ? this.view.western[figure] ?? figure : figure;
  }

  /** Show a position. @param {PageNode} node @param {string} words */
  show(node, words) {
    if (node.game !== this.node?.game) {
      this.view = data.views[node.game.view];
      this.zoom = 1;
      const root = document.documentElement.style;
      root.setProperty("--aspect", `${this.view.size[0] / this.view.size[1]}`);
      root.setProperty("--lines", `${captionsOf(node).length}`);
    }
    this.node = node;
    this.svg.setAttribute("aria-label", words);
    this.draw();
    if (this.zoom > 1 && node.q?.length) this.follow(node.q);
  }

  draw() {
    const { node, view, turned } = this;
    if (!node) return;
    const arrows = this.arrows ? (node.a ?? []).map(one => pointed(one, view, turned)) : [];
    this.picture.innerHTML = drawn(pictureOf(node), view, turned, this.lifted);
    if (view.turning && this.shogiFiles) renumber(this.picture);
    document.body.classList.toggle("turned-pieces", Boolean(view.turning) && turned);
    this.pointers.innerHTML = arrows.join("");
    this.look();
  }

  /** A point of the picture as it is shown, or of the shown one in the picture.
   *  @param {number} x @param {number} y */
  turnedPoint(x, y) {
    const { middle } = this.view;
    return this.turned ? [2 * middle[0] - x, 2 * middle[1] - y] : [x, y];
  }

  /** Units of the picture that a pixel has, and what is seen at the present zoom. */
  measure() {
    const box = this.host.getBoundingClientRect();
    const [width, height] = this.view.size;
    const whole = Math.max(width / box.width, height / box.height);
    const unit = whole / this.zoom;
    return { box, unit, whole, seen: [box.width * unit, box.height * unit] };
  }

  /** Put the view where it is to be, and the rulers to its edges. */
  look() {
    if (!this.node) return;
    // first, since a wide board gets a higher window on a phone
    this.host.classList.toggle("zoomed", this.zoom > 1);
    const { seen, box } = this.measure();
    if (!box.width || !box.height) return;
    for (const axis of [0, 1]) {
      const size = this.view.size[axis];
      this.corner[axis] = seen[axis] >= size ? (size - seen[axis]) / 2
        : Math.min(Math.max(this.corner[axis], 0), size - seen[axis]);
    }
    const [x, y] = this.corner;
    this.svg.setAttribute("viewBox", `${x} ${y} ${seen[0]} ${seen[1]}`);
    // names that nobody can read are left out
    const name = this.svg.querySelector(".ruler text");
    const letters = name ? Number(name.getAttribute("font-size")) * (box.width / seen[0]) : 0;
    this.host.classList.toggle("tiny", letters < 7);
    const [width, height] = this.view.size;
    /** @type {Record<string, number[]>} */
    const shift = { left: [Math.max(x, 0), 0], right: [Math.min(x + seen[0] - width, 0), 0],
      above: [0, Math.max(y, 0)], below: [0, Math.min(y + seen[1] - height, 0)], both: [0, 0] };
    for (const ruler of this.svg.querySelectorAll(".ruler"))
      ruler.setAttribute("transform", `translate(${shift[ruler.dataset.at].join(" ")})`);
    document.body.dataset.zoom = this.zoom.toFixed(2);
  }

  /** Enlarge by a factor, a point of the window (the middle if none) staying where it is.
   *  @param {number} factor @param {number} [clientX] @param {number} [clientY] */
  enlarge(factor, clientX, clientY) {
    const { box, unit, whole } = this.measure();
    const px = (clientX ?? box.left + box.width / 2) - box.left;
    const py = (clientY ?? box.top + box.height / 2) - box.top;
    // a square may become some eighty pixels wide
    const most = Math.max(3, 80 / (this.view.unit / whole));
    const zoom = Math.min(Math.max(this.zoom * factor, 1), most);
    const point = [this.corner[0] + px * unit, this.corner[1] + py * unit];
    this.zoom = zoom < 1.01 ? 1 : zoom;
    const after = whole / this.zoom;
    this.corner = [point[0] - px * after, point[1] - py * after];
    this.look();
  }

  /** Have a point in sight that may have gone out of it. @param {Point} point */
  follow(point) {
    const { seen } = this.measure();
    const at = this.turned ? point.map((number, axis) => 2 * this.view.middle[axis] - number) : point;
    const room = 3 * this.view.unit;
    for (const axis of [0, 1]) {
      const inside = at[axis] - this.corner[axis];
      if (inside < room || inside > seen[axis] - room) this.corner[axis] = at[axis] - seen[axis] / 2;
    }
    this.look();
  }

  /** Move the view by pixels. @param {number} dx @param {number} dy */
  pan(dx, dy) {
    const { unit } = this.measure();
    this.corner = [this.corner[0] - dx * unit, this.corner[1] - dy * unit];
    this.look();
  }

  fit() {
    this.zoom = 1;
    this.look();
  }

  listen() {
    const { host } = this;
    const fingers = new Map();
    /** @type {{ x: number, y: number } | null} */
    let begun = null;
    let spread = 0;
    const middle = () => {
      const [one, two] = [...fingers.values()];
      return [(one.x + two.x) / 2, (one.y + two.y) / 2, Math.hypot(one.x - two.x, one.y - two.y)];
    };
    host.addEventListener("pointerdown", event => {
      if (event.pointerType === "mouse" && event.button !== 0) return;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      host.setPointerCapture(event.pointerId);
      begun = fingers.size === 1 && this.zoom === 1 && event.pointerType !== "mouse"
        ? { x: event.clientX, y: event.clientY } : null;
      if (fingers.size === 2) spread = middle()[2];
    });
    host.addEventListener("pointermove", event => {
      const finger = fingers.get(event.pointerId);
      if (!finger) return;
      const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
      finger.x = event.clientX;
      finger.y = event.clientY;
      if (fingers.size === 2) {
        const [x, y, now] = middle();
        this.pan(dx / 2, dy / 2);
        if (spread > 0) this.enlarge(now / spread, x, y);
        spread = now;
      } else if (this.zoom > 1 && !this.held) this.pan(dx, dy);
    });
    /** @param {PointerEvent} event */
    const ended = event => {
      const finger = fingers.get(event.pointerId);
      fingers.delete(event.pointerId);
      if (!finger || !begun || this.pressable || event.type === "pointercancel") return;
      const [dx, dy] = [finger.x - begun.x, finger.y - begun.y];
      begun = null;
      if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) this.swiped(dx < 0 ? 1 : -1);
    };
    host.addEventListener("pointerup", ended);
    host.addEventListener("pointercancel", ended);
    host.addEventListener("wheel", event => {
      // at its smallest the page may scroll
      if (event.deltaY > 0 && this.zoom === 1) return;
      event.preventDefault();
      this.enlarge(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)),
        event.clientX, event.clientY);
    }, { passive: false });
    host.addEventListener("dblclick", event => {
      if (this.pressable) return;
      if (this.zoom > 1) this.fit();
      else this.enlarge(2.5, event.clientX, event.clientY);
    });
  }
}
