/** What a command has to say. Each format writes any report, and knows no command. */
export interface Report {
  title: string;
  /** What it came to, in one line: above a page, whose title then is small. */
  headline?: string;
  /** The same below the title, where no sentence says it. */
  summary?: string;
  /** Where the figures come from: `Node 24.1.0`. */
  facts: string[];
  sections: Section[];
  remarks: Remark[];
  verdicts: Verdict[];
}

/** What the reports of all commands have alike. */
export interface CommonReport extends Pick<Report, 'facts' | 'remarks'> {
  environment: Grid;
  /** Why it ended early; empty if it did not. */
  ended: string;
}

export interface Section {
  /** `room`: on the first screen if there is room for it, else with the details. */
  place: 'first' | 'room' | 'details';
  heading?: string;
  grid?: Grid;
  chart?: Ranges | Curves;
  /** Sentences below the grid. */
  notes?: string[];
  /** Those of them that a first screen without room leaves out, the first one first; details have them. */
  yields?: string[];
}

/** What failed, was skipped, or makes a figure doubtful: what a reader must know first comes first. */
export interface Remark {
  text: string;
  /** About what a client emitted. */
  isEmitted?: true;
  /** What stands above all figures: why cells failed, each once, and what spoils the figures of all. */
  above?: 'failed' | 'spoils';
  /** How many cells it is about. */
  cells?: number;
  /** Whom it is about. */
  who?: string;
  /** The same for the first screen; missing if it can wait. */
  inShort?: string;
}

/** Whether an assertion holds. */
export interface Verdict {
  text: string;
  strict: boolean;
  outcome: Outcome;
  /** The value of each side of its comparisons, or why it is unknown. */
  figures: string[];
}

/** What a row or a text came to; each format has its own look for it. */
export type State =
  | 'fastest'
  | 'close'
  | 'slower'
  | 'floor'
  | 'failed'
  | 'too short'
  | 'not warm'
  | 'skipped'
  | 'not run'
  | 'not held'
  | 'unsure';

export interface Column {
  title: string;
  /** To the right by default, as figures stand. */
  align?: 'left' | 'right';
  /** Where there is no room for all, the highest rank moves to a further table first; 0 by default. */
  rank?: number;
  /** Whether it is left out where there is no room, because a later section shows the same. */
  spare?: boolean;
  /** Whether its title may take as many lines as it has words, because its texts are short. */
  narrow?: boolean;
  /** What its signs mean: below the table that has it. */
  legend?: string;
}

/** One that says what it shows of a row. */
export interface ColumnOf<Row, T = string> extends Column {
  text(row: Row): T;
  /** What it says where there is nothing to say, if not nothing at all. */
  none?: string;
}

/** A figure that is drawn where there is room, with the range of what it is made of: the longest bar is `most` long. */
export interface Bar {
  value: number;
  low: number;
  high: number;
  most: number;
  /** What it consists of, each in its own shade. */
  parts?: number[];
}

export interface GridRow<T = string | Bar> {
  name: string;
  /** One for each column; empty where there is nothing to say. */
  texts: T[];
  /** One for the row, or for each of its texts. */
  state?: State | State[];
  /** A line above it: what the rows from here on have in common. Names are then indented. */
  heading?: string;
  /** Where there is no room for all, the highest rank is left out first; 0 by default. */
  rank?: number;
}

/** A table, before any format writes it. */
export interface Grid<T = string | Bar> {
  /** What its columns mean. */
  note?: string;
  /** The column of the names: at the left, and without a title by default. */
  names?: Partial<Column>;
  columns: Column[];
  rows: GridRow<T>[];
  /** So many rows stay on a first screen that has no room for all; all by default. */
  most?: number;
}

/** Values and their interval, a row for each name, on a logarithmic axis. */
export interface Ranges {
  kind: 'ranges';
  label: string;
  rows: {
    name: string;
    /** The first run first; null where it failed. */
    values: (number | null)[];
    median?: number;
    interval?: { low: number; high: number };
    strong: boolean;
    /** At its end. */
    notes: string[];
  }[];
}

/** Latencies by percentile. */
export interface Curves {
  kind: 'curves';
  label: string;
  lines: {
    name: string;
    /** Lines of one family share a chart where all do not fit into one; the name without it. */
    family: string;
    label: string;
    points: { nines: number; us: number }[];
  }[];
}

/** Whether an assertion holds for all values of its intervals, for none, or for some. */
export type Outcome = 'holds' | 'failed' | 'not decided';
