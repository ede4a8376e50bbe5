// The state of the page on which one plays: the object of the replay page, with more in it.

import { state as replay } from "records/state.js";
import "records/viewer.js"; // it makes the board

export const state = Object.assign(replay, {
  /** The state of the game at its end. @type {TableState | null} */
  table: null,
  /** Moves and board of another position that is shown, once they have come.
   *  @type {Messages["legal"] | null} */
  looked: null,
  askedFor: "", // the position that has been asked for
  /** Best lines by position. @type {Map<string, Messages["lines"]>} */
  seenLines: new Map(),
  noticed: 0, // the timer after which a notice goes
  annotating: false, // whether the whole game is being analysed

  // what a person does on the board
  /** @type {Picked} */
  picked: { hand: null, cells: [] },
  /** @type {Picked | null} */
  premove: null,
  /** What the pointer has pressed. @type {Drag | null} */
  drag: null,
  lastHandled: 0, // when a pointer has last done something
  /** A shape, and the lower left corner of its box. @type {Held | null} */
  held: null,
  choicesBeside: "", // the place that a choice is offered for

  // the places of the board
  /** Centres by name, of the board that the places are of. @type {Map<string, number[]>} */
  cellsOf: new Map(),
  /** Elements by name. @type {Map<string, SVGRectElement>} */
  cellNodes: new Map(),
  placesFor: "", // the view and the side that the places have been made for
  /** @type {Map<string, string>} */
  labelled: new Map(),
  /** @type {string[]} */
  pointedCells: [],

  // another game
  /** @type {GameTitle[]} */
  knownGames: [],
  chosenGame: "", // the game that has been chosen; "" while none is
  compiling: "", // the game whose kernels are compiled; "" for none
  /** The request for another game, the dialog that has made it, if one has, and how the board will
   *  be turned then.
   *  @type {{ request: string, game: string, dialog: HTMLDialogElement | null, turned: boolean } | null} */
  asking: null,
  /** What is being set up: pieces by place, the piece that a click puts ("" erases), for a shape the
   *  place that it is held over, changes that the server has not been asked for yet (each needs the
   *  text before it), and whether it has been asked for one.
   *  @type {{ letters: Record<string, string>, brush: string | null, over: string | null,
   *    edits: object[], editing: boolean } | null} */
  setup: null,
});
