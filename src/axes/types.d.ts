import type { Cell, CellPoint } from '../plan/types.js';
import type { Report } from '../results/types.js';

/** Anything that has the coordinates of a cell: a point of the plan, a planned cell, a result. */
export type AxisCell = CellPoint & Partial<Pick<Cell, 'release' | 'runtime' | 'chosen' | 'words'>>;

/** Two cells with the same value stand at the same place of the axis. */
export type AxisValue = string | number | null | undefined;

/**
 * - `choice`: the user decides it, and advice recommends one of its values.
 * - `condition`: it describes the user's situation. Cells are compared under the same conditions only:
 *   the conditions make up the group.
 * - `placement`: how it was measured. Cells of several placements stand in one group, so that the effect of
 *   the placement is seen; all that is concluded of other axes is concluded within one placement.
 * - `repetition`: no difference in what is measured, so that cells that differ in it alone are the same.
 */
export type AxisRole = 'choice' | 'condition' | 'placement' | 'repetition';

export interface Axis {
  id: string;
  role: AxisRole;
  of(cell: AxisCell): AxisValue;
  /** Its part of an id; empty where the usual value goes without saying. */
  idPart(cell: AxisCell): string;
  /** What stands before that part: '/' unless it is told. */
  idGlue?: string;
  /** How it is named in a row where it varies; empty where a value goes without saying. */
  row(cell: AxisCell): string;
  /** What stands before that name: ', ' unless it is told. */
  rowGlue?: string;
  /** Whether it is named in rows even where it does not vary. */
  always?(cell: AxisCell): boolean;
  /** Among which cells it must vary to be named: those for which this holds; all of them where it is missing. */
  among?(cell: AxisCell, other: AxisCell): boolean;
  /** The axis that it belongs to, each value of which has others of this one: a release to its client. */
  partOf?: string;
  /** Of a condition: what stands in a group's title; empty where it goes without saying. */
  title?(cell: AxisCell, settings: Report['settings']): string;
  /** Whether it comes after the others in titles. */
  titledLast?: boolean;
  /** What an assertion may call it, besides its part of the id: its name in a row where this is missing. */
  aliases?(cell: AxisCell): string[];
  advice?: AxisAdvice;
  /** The columns of its values in tables for programs; one of its own id where it is missing. */
  columns?: Record<string, (cell: AxisCell) => AxisValue>;
  /** What a report says it did not measure, where all of its cells have one value. */
  notMeasured?: {
    /** In the plural: `numbers of tasks`. */
    what: string;
    other(cell: AxisCell, settings: Pick<Report['settings'], 'value'>): string;
  };
}

/** How advice decides between the values of a choice, and recommends one. */
export interface AxisAdvice {
  /** Choices are decided one after the other, because what is best in one may depend on another. */
  order: number;
  /** As in "which … is fastest". */
  noun: string;
  /** What it is called beside the values of the other cells. */
  value(cell: AxisCell, cells: AxisCell[]): string;
  /** What to do: `use a unix socket`. */
  imperative(cell: AxisCell, cells: AxisCell[]): string;
  /** Whether each client decides it for itself. */
  ofClient?: boolean;
}

/** How a cell's plugins put it in words. It is saved with the cell, so that a report needs no plugin. */
export interface CellWords {
  scenario: ScenarioWords | null;
  /** What to do to get its variant: `turn the per-command timeout off`. */
  variant: string | null;
}

export interface ScenarioWords {
  /** What to do: `use a pool of 3 connections`. */
  imperative?: string;
  /** Of its options, by name. */
  options?: Record<string, OptionWords>;
}

export interface OptionWords {
  /** Behind the scenario's name: `of 3`. */
  row: string;
  /** Whether it is named even where all cells of the scenario have the same. */
  always?: boolean;
}
