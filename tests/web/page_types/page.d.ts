// Types of the page scripts' data, for `tsc --checkJs` (tests/web/test_page_types.py). What Python
// writes: ryugi_engine/records/pagedata.py, ryugi_engine/web/live_page.py and live_game.py.

/** A position with the move that led to it; keys of one letter as `PageData` writes them. */
interface PageNode {
  game: Game;
  ply: number;
  line: number;
  parent: PageNode | null;
  children: PageNode[];
  side: number | null;
  second?: number;
  count?: number;
  picture?: number[];
  /** The move. */
  m?: string;
  /** How the picture differs from the one before. */
  d: number[];
  /** Numbers of the captions below the board. */
  h?: number[];
  /** Glyphs, the comment, what the engine says, and the comment before the move. */
  g?: number[];
  s?: string;
  c?: string;
  b?: string;
  /** Evaluation in centipawns, or moves to a mate. */
  e?: number;
  M?: number;
  /** Seconds left on the mover's clock, and seconds that the move took. */
  k?: number;
  t?: number;
  /** The side that has moved, where sides do not alternate. */
  o?: number;
  /** The place of the move, arrows and marks, letters of what was taken. */
  q?: number[];
  a?: Arrow[];
  x?: string;
  /** Variations: their numbers and nodes. */
  v?: { k: number; l: GivenNode[] }[];
}
type GivenNode = Omit<PageNode, "game" | "parent" | "children">;
type Arrow = [string, ...number[]];
/** An element of a picture: its text, or the number of a figure with what places it. */
type Part = [string | number, number?, number?, string?, string?];
type Point = number[];
type Choose = (node: PageNode) => void;

interface Game {
  root?: PageNode;
  tags: Record<string, string>;
  view: string;
  number: number;
  black: number;
  end: string;
  over: number;
  start: GivenNode;
  line: GivenNode[];
  pgn: string;
  words?: string;
  decided?: boolean;
}

interface Shape {
  cells: Point[];
  ends: [Point, number][];
}

interface View {
  title: string;
  size: Point;
  middle: Point;
  unit: number;
  /** Whether forced wins are proofs of an exact solver. */
  proves: number;
  /** Whether pieces point somewhere, as in shogi. */
  turning: number;
  pieces: Record<string, string>;
  /** What the sides are called; pictures with letters by those with characters. */
  sides: [string, string];
  western: Record<string, string>;
  /** Of a page on which one plays. */
  cells?: [string, number, number][];
  shapes?: Record<string, Shape>;
  names?: Record<string, string>;
  icons?: Record<string, string>;
}

interface PageData {
  parts: Part[];
  figures: string[];
  texts: string[];
  views: Record<string, View>;
  games: Game[];
  start: Record<string, string>;
  token?: string;
  levels?: string[];
  first_level?: number;
}

// ---- the page on which one plays ---------------------------------------------------------------

/** What can be seen of any position. */
interface Shown {
  turn: number;
  moves: string[];
  letters: Record<string, string>;
  hands: Record<string, number>[];
  last: string;
}

/** The game at its end. */
interface TableState extends Shown {
  game: string;
  title: string;
  placed: boolean;
  draws: boolean;
  neutral: string;
  wide: boolean;
  players: { engine: boolean; level: number }[];
  names: string[];
  control: string;
  /** Whether the game is looked at, waits, or is to be chosen; kinds of pieces in hand. */
  study: boolean;
  paused: boolean;
  choosing: boolean;
  pocket: number;
  ply: number;
  result: string;
  reason: string;
  ended_by_player: boolean;
  claim: string | null;
  clocks: [number, number] | null;
  running: number | null;
  thinking: boolean;
  /** Why what the engine or a clock has done is not in the file yet, and not shown. */
  unkept: string;
  file: string;
  folder: string;
  analysis: [number, number, number] | null;
  compiling: Compiling;
  /** When it came, by this page's clock. */
  at?: number;
}

/** The game whose kernels are compiled, "" for none, and the share that is done. */
interface Compiling {
  game: string;
  title: string;
  done: number;
}
/** A move as a way over places. */
interface Way {
  text: string;
  hand: string | null;
  shape: string;
  cells: string[];
  removed: string[];
  tail: string;
}
interface Picked {
  hand: string | null;
  cells: string[];
}
/** What a pointer has pressed. */
interface Drag {
  hand?: string;
  cell?: string;
  id: number;
  x: number;
  y: number;
  moved: boolean;
  able?: boolean;
  icon?: string | null;
}
/** A shape over the board, by the lower left corner of its box. */
interface Held {
  name: string;
  file: number;
  rank: number;
}

interface Place {
  line: number;
  ply: number;
}
interface BestLine {
  cp: number;
  mate: number | null;
  depth: number;
  nodes: number;
  moves: string[];
  sans: string[];
}
/** A game that can be chosen; `well`: a net or an exact solver plays it. */
interface GameTitle {
  name: string;
  aliases: string[];
  title: string;
  group: string;
  about: string;
  size: string;
  sides: [string, string];
  well: boolean;
  /** Whether it has a definition, of which another game can be a copy. */
  copies: boolean;
}

// ---- a game of one's own -----------------------------------------------------------------------

/** A key of definitions: a form's field. */
interface OwnKey {
  key: string;
  kind: string;
  value: string;
  default: string;
  meaning: string;
  example: string;
  low: number;
  high: number;
  names: string[];
}
interface OwnPiece {
  letter: string;
  name: string;
  moves: string;
  value: number | null;
  figure: string;
}
interface OwnBoard {
  files: number;
  ranks: number;
  letters: Record<string, string>;
  walls: string[];
  hands: Record<string, number>[];
  side: number;
  sides: [string, string];
  figures: Record<string, string>;
  /** Whether it is the definition's start: a faulty one is shown as an empty board. */
  whole: boolean;
}
/** A definition as the server sees it. The last ones are missing where nothing can be read. */
interface OwnGame {
  text: string;
  name: string;
  others: string[];
  table: Record<string, any>;
  rules: Record<string, any>;
  faults: { key: string; text: string; warning: boolean }[];
  pieces: OwnPiece[];
  board: OwnBoard | null;
  kept: boolean;
  royal?: string;
  pawn?: string;
  castling?: number;
  family?: string;
  sentences?: string[];
  ini?: boolean;
  diagram?: boolean;
}
interface Messages {
  form: {
    sections: { heading: string; keys: OwnKey[] }[];
    known: { name: string; others: string[]; moves: string; letter: string; figure: string }[];
    steps: number[];
  };
  own: OwnGame & { number: number; refused: string; line: number };
  owned: { games: { name: string; title: string }[]; path: string; fault: string; name: string; removed: string };
  piece: { key: string; svg: string; fault: string };
  exported: { format: "ini" | "diagram"; name: string; text: string; fault: string };
  games: { games: GameTitle[] };
  start: { variant: string; fault: string; svg?: string; game?: GameTitle };
  rules: { title: string; html: string };
  all: { page: PageData; state: TableState };
  step: { step: Pick<PageData, "parts" | "figures" | "texts"> & { node: GivenNode }; state: TableState };
  state: { state: TableState };
  legal: Place & { state: Shown };
  go: Place;
  lines: Place & { kind: string; lines: BestLine[] };
  objection: { move: string; text: string };
  error: { text: string };
  fault: { text: string };
  note: { text: string };
  files: { files: Record<"name" | "White" | "Black" | "Variant" | "Result" | "Date", string>[] };
  setup: {
    given: string;
    edited: boolean;
    fault: string;
    text?: string;
    letters?: Record<string, string>;
    hands?: Record<string, number>[];
    side?: number;
    palette?: string[];
    svg?: string;
  };
  diagrams: { pieces: { letter: string; svg: string }[] };
  progress: { text: string; done?: number; all?: number };
  compiling: Compiling;
  /** What there is of a game's study, and the one that is running: its title, and what it has printed. */
  study: {
    game: string;
    title: string;
    fault: string;
    address: string;
    spent: number;
    running: { game: string; title: string } | null;
    line: string;
  };
  studied: {};
}
type Receivers = { [Kind in keyof Messages]: (message: Messages[Kind]) => void };

/** Elements by their ids, where it matters what they are. */
interface Elements {
  [id: `${string}dialog`]: HTMLDialogElement;
  list: HTMLDialogElement;
  keys: HTMLDialogElement;
  "filter-text": HTMLInputElement;
  "filter-player": HTMLSelectElement;
  "filter-result": HTMLSelectElement;
  speed: HTMLSelectElement;
  typed: HTMLInputElement;
  "new-variant": HTMLInputElement;
  "new-who": HTMLSelectElement;
  "new-level": HTMLSelectElement;
  "new-control": HTMLSelectElement;
  "new-time": HTMLInputElement;
  "new-fen": HTMLInputElement;
  "note-text": HTMLInputElement;
  glyph: HTMLSelectElement;
  "file-chosen": HTMLInputElement;
  "setup-text": HTMLTextAreaElement;
  "setup-play": HTMLButtonElement;
  "new-start": HTMLButtonElement;
  "own-text": HTMLTextAreaElement;
  "own-open": HTMLInputElement;
  "own-new-letter": HTMLInputElement;
  "own-new-moves": HTMLInputElement;
  "own-find-piece": HTMLInputElement;
  "own-search": HTMLInputElement;
  "own-start": HTMLInputElement;
  "own-ranks": HTMLInputElement;
  "own-files": HTMLInputElement;
  "own-name": HTMLInputElement;
  "own-about": HTMLInputElement;
  "own-title": HTMLInputElement;
  "own-mirror": HTMLInputElement;
  "own-model": HTMLSelectElement;
  "own-castling": HTMLSelectElement;
  "own-save": HTMLButtonElement;
  "own-play": HTMLButtonElement;
  "own-ini": HTMLButtonElement;
  "own-diagram": HTMLButtonElement;
  "study-time": HTMLSelectElement;
  "study-start": HTMLButtonElement;
  "study-stop": HTMLButtonElement;
}
type ElementOf<Id extends string> = Id extends keyof Elements ? Elements[Id] : HTMLElement;

// ---- what these scripts may count on -----------------------------------------------------------

/** The DOM makes texts of numbers and truth values. */
interface Element {
  setAttribute(name: string, value: number | boolean): void;
}
/** All that is looked for by selectors is HTML, or has of it what is used. */
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
