import type { Bundle, Encoding, FaultSpec, ReadFrom, Replies, Settings } from '../options/types.js';
import type { BackgroundPart, Cell, CellPoint, FaultPlan } from '../plan/types.js';
import type { Distance } from '../relay/types.js';
import type { Report } from '../results/types.js';

/** What `asked` of the axes makes points of: the settings of their options. */
export interface AxisSettings {
  tasks: number[];
  /** What the application computes after each operation, in µs. */
  appWork: number[];
  beside: BackgroundPart[][];
  /** Round trips in milliseconds that a relay adds; 0 for no relay, `relay` for one without delay. */
  rtt: (number | 'relay')[];
  /** In percent of each delay of the relay, up or down. */
  jitter: number | undefined;
  fault: FaultSpec[] | undefined;
  faultAtMs: number | undefined;
  /** How long nothing is sent in the middle of a run with a fault, in milliseconds; 0 for no pause. */
  idle: number[] | undefined;
  machines: number[] | undefined;
  /** Which servers clients read from, side by side; as they like where that was not asked for. */
  readFrom: ReadFrom[] | undefined;
  /** What clients make of texts in replies, side by side. */
  replies: Replies[] | undefined;
  /** How values are encoded, side by side. */
  encode: Encoding[] | undefined;
  /** Whether a fresh process loads the client's library from one file, side by side. */
  bundle: Bundle[] | undefined;
}

/** Those points, and what is stored of them. */
export interface AxisPoint {
  tasks: number;
  /** What the application computes after each operation, in µs of CPU time. */
  appWorkUs: number;
  /** Background load: other traffic on the same connections. */
  beside: BackgroundPart[];
  /** How far away the relay keeps the server; missing where it is reached without one. */
  distance?: Distance;
  /** What breaks in its runs; missing where nothing is meant to, and its client does not reconnect then. */
  fault?: FaultPlan;
  /** The pause in its runs, in which nothing is sent and the fault strikes; missing where there is none. */
  idleMs?: number;
  /** Machines that share the tasks; missing where the load comes from this one. */
  machines?: number;
  /** Where its client sends its reads; missing where that was not asked for. */
  readFrom?: ReadFrom;
  /** What its client makes of texts in replies; missing where that was not asked for, which is strings. */
  replies?: Replies;
  /** How its values are encoded; missing where that was not asked for. */
  encode?: Encoding;
  /** What made one file of the library that it loads; missing where that was not asked for. */
  bundle?: Bundle;
}

/** Anything that has the coordinates of a cell: a point of the plan, a planned cell, a result. */
export type AxisCell = CellPoint & Partial<Pick<Cell, 'release' | 'runtime' | 'chosen' | 'words'>>;

/** Cells with the same value are at the same place on the axis. */
export type AxisValue = string | number | null | undefined;

/**
 * - `choice`: the user decides it, and advice recommends one of its values.
 * - `condition`: it describes the user's situation. Cells are compared under the same conditions only:
 *   the conditions make up the group.
 * - `placement`: how it was measured. Cells of several placements stand in one group, so that the effect of
 *   the placement is seen; conclusions about other axes are drawn within one placement.
 * - `repetition`: makes no difference to what is measured; cells that differ in it alone are the same.
 */
export type AxisRole = 'choice' | 'condition' | 'placement' | 'repetition';

export interface Axis {
  id: string;
  role: AxisRole;
  of(cell: AxisCell): AxisValue;
  /** What the settings ask for of it, each as its part of a point; missing where the plan makes that with other axes. */
  asked?(settings: Settings): Partial<AxisPoint>[];
  /** Its fields in a saved cell, as JSON schema. What came with a later release has a default, or may be missing. */
  stored?: Record<string, object>;
  /** Of a condition: its values are measured in the same rounds, because they are compared with each other. */
  sharesRounds?: boolean;
  /** What of it a worker process is bound to, where that is not its value: a process can go on to cells that agree in this. */
  ofProcess?(cell: AxisCell): AxisValue | boolean;
  /** Its part of an id; empty for the usual value. */
  idPart(cell: AxisCell): string;
  /** What stands before that part; '/' by default. */
  idGlue?: string;
  /** How it is named in a row where it varies; empty for the usual value. */
  row(cell: AxisCell): string;
  /** What stands before that name; ', ' by default. */
  rowGlue?: string;
  /** For a condition: its value as it is said of where something holds, if not `at` or `with` and its name in a row. */
  place?(cell: AxisCell): string;
  /** Whether it is named in rows even where it does not vary. */
  always?(cell: AxisCell): boolean;
  /** It is named if it varies among the cells for which this holds; among all of them by default. */
  among?(cell: AxisCell, other: AxisCell): boolean;
  /** The axis that it belongs to, as a release belongs to its client: each client has its own releases. */
  partOf?: string;
  /** For a condition: its part of a group's title; empty for the usual value. */
  title?(cell: AxisCell, settings: Report['settings']): string;
  /** Whether it comes after the others in titles. */
  titledLast?: boolean;
  /** What an assertion may call it, besides its part of the id; its name in a row by default. */
  aliases?(cell: AxisCell): string[];
  advice?: AxisAdvice;
  /** Its columns in tables for programs; by default one, named by its id. */
  columns?: Record<string, (cell: AxisCell) => AxisValue>;
  notMeasured?: NotMeasured;
}

/** An axis as it is written down: one phrase, empty for the usual value, and what is said otherwise somewhere. */
export interface AxisInShort
  extends Pick<Axis, 'id' | 'role'>,
    Partial<Omit<Axis, 'id' | 'role' | 'advice' | 'notMeasured'>> {
  phrase(cell: AxisCell): string;
  /** Its name in a row where the phrase is empty. */
  usual?: string;
  advice?: Omit<AxisAdvice, 'value'> & Partial<Pick<AxisAdvice, 'value'>>;
  notMeasured?: Pick<NotMeasured, 'what'> & Partial<NotMeasured>;
}

/** What a report says was not measured, if all cells have one value. */
export interface NotMeasured {
  /** In the plural: `numbers of tasks`. */
  what: string;
  /** Empty where that means nothing; the same for the next. */
  other(cell: AxisCell, settings: Pick<Report['settings'], 'value'>): string;
  /** The one value that was measured, as it stands in a list of conditions: `8 tasks`. */
  constant(cell: AxisCell, settings: Report['settings']): string;
}

/** How advice decides between the values of a choice, and recommends one. */
export interface AxisAdvice {
  /** The order in which choices are decided: what is best in one may depend on another. */
  order: number;
  /** As in "which … is fastest". */
  noun: string;
  /** What it is called next to the values of the other cells. */
  value(cell: AxisCell, cells: AxisCell[]): string;
  /** What to do: `use a unix socket`. */
  imperative(cell: AxisCell, cells: AxisCell[]): string;
  /** Whether it is decided for each client separately. */
  ofClient?: boolean;
}

/** How a cell's plugins put it in words. It is saved with the cell, so that a report needs no plugin. */
export interface CellWords {
  scenario: ScenarioWords | null;
  /** What to do to get its variant: `turn the per-command timeout off`. */
  variant: string | null;
  /** How its requests are coded; missing for other workloads. */
  way?: { row: string; imperative: string };
  /** The same in a program: `createClient({ RESP: 3 })`; missing in older results, and where it takes more than a call. */
  code?: string;
}

export interface ScenarioWords {
  /** What to do: `use a pool of 3 connections`. */
  imperative?: string;
  /** The words for its options, by name. */
  options?: Record<string, OptionWords>;
}

export interface OptionWords {
  /** Behind the scenario's name: `of 3`. */
  row: string;
  /** Whether it is named even where all cells of the scenario have the same. */
  always?: boolean;
}
