// The state of the page: all that changes and that more than one module reads. The page on which
// one plays adds to it (web/state.js). Elements, timers and caches of one module stay in it.

export const state = {
  /** What the page was given (pagedata.py); one that is served gets it later (connection.js).
   *  @type {PageData} */
  data: JSON.parse(document.getElementById("data").textContent),
  language: "en",
  /** @type {import("records/board.js").Board} */
  board: null,
  /** The node that is shown. @type {PageNode | null} */
  current: null,
  /** The nodes that forward and last go along. @type {PageNode[]} */
  line: [],
  playing: 0, // the timer of the next move
  settling: 0, // the timer after which the address says where the board stands
  /** Whether evaluations are shown; on a page on which one plays they are not while a game is on. */
  judging: true,
  /** What else is to follow the position; on a page on which one plays there is something.
   *  @type {Choose} */
  shown: () => {},
  /** A player's name as it is written. @type {(name: string) => string} */
  spelled: name => name,
};
