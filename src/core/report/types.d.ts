import type { Comparison } from '../../benchmark/judge/types.js';
import type { CellResult } from '../store/types.js';

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

export interface GridColumn {
  title: string;
  /** To the right by default, as figures stand. */
  align?: 'left' | 'right';
  /** It says nothing without the one before it. */
  tied?: boolean;
}

/** One that says what it shows of a row. */
export interface ColumnOf<Row, T = string> extends GridColumn {
  text(row: Row): T;
  /** What it says where there is nothing to say, if not nothing at all. */
  none?: string;
}

export interface GridRow<T = string> {
  name: string;
  /** One for each column; empty where there is nothing to say. */
  texts: T[];
  /** Of the row, or of each of its texts. */
  state?: State | State[];
  /** A line above it in a terminal: what the rows from here on have in common. Names are then indented. */
  heading?: string;
}

/** A table, before any format writes it. */
export interface Grid<T = string> {
  title?: string;
  /** What its columns mean. */
  note?: string;
  /** The column of the names: at the left, and without a title by default. */
  names?: Partial<GridColumn>;
  columns: GridColumn[];
  rows: GridRow<T>[];
}

/** A cell in the tables of its group. */
export interface Row {
  cell: CellResult;
  name: string;
  columns: Record<'iterations' | 'ops/s' | '±' | 'slower' | 'of raw', string>;
  runs: string[];
  state: State;
  /** Missing where it is not compared. */
  ranked?: Comparison['ranking'][number];
}
