import type { Summary } from '../analysis/types.js';
import type { Batches } from '../plugins/types.js';
import type { Run } from '../results/types.js';
import type { MeasuredRun } from '../worker/types.js';

/** A figure of a run and of a cell. Whatever shows or compares figures asks the list of these. */
export interface Metric {
  /** Its name everywhere, with the unit in it. */
  id: string;
  /** Earlier names, which assertions and --metric still know. */
  aliases?: string[];
  /** Earlier names of its csv column, which stays at the end of the row. */
  formerColumns?: string[];
  /** One sentence without its full stop, for `list` and the schema. */
  meaning: string;
  /** The head of its column in a page, which has room. */
  title: string;
  /** The title of its chart. */
  heading?: string;
  unit: Unit;
  /** null if neither is better. */
  better: 'more' | 'less' | null;
  /** The part of a run and of a cell's summary that it belongs to; missing if it is in none. */
  in?: PartOfRun;
  /** Its name in that part, if not its id. */
  name?: string;
  /** How a run's figure is made from what its workers measured; of `batching` where there are batches. */
  from?: (measured: MadeFrom) => number | null;
  /** What the schema says of it, if not that it is a figure or null. */
  stored?: object;
  /** How it is read from a run, if it is not stored there under its name. */
  of?: (run: Figures) => number | null | undefined;
  /**
   * How a cell's figure is made from those of its runs. `histogram`: read from the runs' merged histogram.
   * null: it is concluded from the cell as a whole, and runs do not have it.
   */
  fromRuns: 'median' | 'sum' | 'max' | 'histogram' | null;
  /** Whether twice the iterations make it twice as large. */
  growsWithIterations?: boolean;
  /** How it is written for people, if not as its unit says. */
  text?: (value: number | null | undefined, digits?: number) => string;
  /** The tables that have a column of it, and its title there. */
  tables?: Partial<Record<TableName, string>>;
}

/**
 * A metric as the list has it, by its id: by default that is its title, neither direction is better, and a cell's
 * figure is the median.
 */
export type MetricInShort = Pick<Metric, 'meaning' | 'unit'> & Partial<Omit<Metric, 'id'>>;

/** What the workers of a run measured; processes and slices are merged. */
export interface MadeFrom extends Pick<MeasuredRun, 'client' | 'elapsedMs'> {
  operations: number;
  batches: Batches;
}

/** What `of` reads a metric from: runs and summaries have the same parts. */
export type Figures = Run | Summary;

export type PartOfRun =
  | 'latency'
  | 'batching'
  | 'openLoop'
  | 'fault'
  | 'cold'
  | 'counted'
  | 'client'
  | 'server'
  | 'bottleneck';

export type Unit =
  | 'ops/s'
  | 'commands/s'
  | 'ms'
  | 'µs'
  | 'bytes'
  | 'share'
  | 'operations'
  | 'commands'
  | 'batches'
  | 'connections'
  | 'times'
  | 'instructions';

/** `objects` has other columns besides these. */
export type TableName = 'versions' | 'cost' | 'latency' | 'open-loop' | 'fault' | 'cold' | 'objects';

/** The figure of one run, and the round that it was made in. */
export interface Figure {
  value: number;
  round: number;
  /** Absent where the file is from before cells were started more than once. */
  start?: number;
}
