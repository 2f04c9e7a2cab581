import type { Settings } from '../options/types.js';
import type { Cell, CellPoint } from '../run/plan/types.js';
import type { Report } from '../store/types.js';

/** Anything with the coordinates of a cell: a point of the plan, a planned cell, a result. */
export type AxisCell = CellPoint & Partial<Pick<Cell, 'release' | 'runtime' | 'chosen' | 'words'>>;

export type AxisValue = string | number | boolean | null | undefined;

/**
 * - `choice`: the user decides it, and advice recommends one of its values.
 * - `condition`: describes the user's situation. Cells of a group have the same conditions.
 * - `placement`: how it was measured. A group may have several; other axes are judged within one of them.
 * - `repetition`: cells that differ in it alone are the same.
 */
export type AxisRole = 'choice' | 'condition' | 'placement' | 'repetition';

export interface Axis {
  id: string;
  role: AxisRole;
  /** The id of the axis that a command's own one stands behind. */
  after?: string;
  of(cell: AxisCell): AxisValue;
  /** Each value that the settings ask for, as its part of a point; missing where plan/cells.js makes it. */
  asked?(settings: Settings): Partial<CellPoint>[];
  /** Empty for the usual value. */
  idPart(cell: AxisCell): string;
  /** '/' by default. */
  idGlue?: string;
  /** Its name in a row where it varies; empty for the usual value. */
  row(cell: AxisCell): string;
  /** ', ' by default. */
  rowGlue?: string;
  /** It is named in rows even where it does not vary. */
  always?(cell: AxisCell): boolean;
  /** It is named if it varies among the cells for which this holds; among all of them by default. */
  among?(cell: AxisCell, other: AxisCell): boolean;
  /** The axis that it belongs to, as a release belongs to its client. */
  partOf?: string;
  /** What the title of a group says of a condition; empty for the usual value. */
  title?(cell: AxisCell, settings: Partial<Pick<Report['settings'], 'oneSlot'>>): string;
  titledLast?: boolean;
  /** What assertions may also call it; its name in a row by default. */
  aliases?(cell: AxisCell): string[];
  advice?: AxisAdvice;
  /** Its name in "which … is fastest", where --compare makes it a choice; its id by default. */
  noun?: string;
  /** Its columns in tables for programs; by default one, named by its id. */
  columns?: Record<string, (cell: AxisCell) => AxisValue>;
  /** What a report calls other values, if all cells have one: `numbers of tasks`. */
  notMeasured?: string;
  /** The value that all cells have; empty where it means nothing. */
  otherThan(cell: AxisCell, settings: Pick<Report['settings'], 'value'>): string;
}

/** An axis as written: one phrase, empty for the usual value, and where something else is said. */
export interface AxisInShort
  extends Pick<Axis, 'id' | 'role'>,
    Partial<Omit<Axis, 'id' | 'role' | 'advice'>> {
  phrase(cell: AxisCell): string;
  /** Its name in a row if the phrase is empty. */
  usual?: string;
  advice?: Omit<AxisAdvice, 'value'> & Partial<Pick<AxisAdvice, 'value'>>;
}

export interface AxisAdvice {
  /** Choices are decided in this order, as the best of one may depend on another. */
  order: number;
  /** Its name in "which … is fastest". */
  noun: string;
  /** Cells of one value are not compared. */
  value(cell: AxisCell, cells: AxisCell[]): string;
  /** What is recommended; its value by default. Cells of one value may have several. */
  label?(cell: AxisCell, cells: AxisCell[]): string;
  /** Decided for each client separately. */
  ofClient?: boolean;
}

/** The words of a cell's plugins. Saved with the cell, so that a report needs no plugin. */
export interface CellWords {
  scenario: ScenarioWords | null;
  variant: string | null;
  way?: { row: string };
  code?: string;
}
export interface ScenarioWords {
  options?: Record<string, OptionWords>;
}

interface OptionWords {
  /** Behind the scenario's name: `of 3`. */
  row: string;
  /** It is named even where it does not vary. */
  always?: boolean;
}
