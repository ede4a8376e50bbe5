// The board: a picture that can be turned, enlarged and moved, with arrows on it.

import { SVG, drawn, pointed, renumber } from "records/drawing.js";
import { captionsOf } from "records/node.js";
import { state } from "records/state.js";
import { pictureOf } from "records/tree.js";

/** A view onto a game's board; `swiped(1)` is called for a swipe to the next move. */
export class Board {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    /** @type {(by: number) => void} */
    this.swiped = () => {};
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
      this.view = state.data.views[node.game.view];
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
    this.picture.innerHTML = drawn(pictureOf(node), view, turned, this.lifted,
      figure => this.inScript(figure));
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
