import type { Summary } from '../../../benchmark/judge/types.js';
import type { Batches } from '../../plugins/types.js';
import type { MeasuredRun } from '../../worker/types.js';
import type { Run } from '../types.js';

/** A figure of a run and of a cell. */
export interface Metric {
  id: string;
  /** Earlier names, still accepted by assertions and --metric. */
  aliases?: readonly string[];
  /** Earlier csv columns, kept at the end of the row. */
  formerColumns?: readonly string[];
  /** One sentence without its full stop, for `list`. */
  meaning: string;
  /** The head of its column in a page. */
  title: string;
  /** Spelled out, in sentences. */
  heading?: string;
  unit: Unit;
  /** null if neither direction is better. */
  better: 'more' | 'less' | null;
  /** The part of a run and of a summary that holds it. */
  in?: PartOfRun;
  /** Its name in that part, if not its id. */
  name?: string;
  /** How a run's figure is computed from what workers measured; in `batching` only if there were batches. */
  from?: (measured: MadeFrom) => number | null;
  /** What is stored, see check.js; `amount?` if missing. */
  type?: string;
  /** Some runs do not have it, or older ones. */
  optional?: true;
  /** How it is read from a run, if not by its name. */
  of?: (run: any) => number | null | undefined;
  /** How a cell's figure is made from its runs. `histogram`: of the merged histogram; null: runs do not have it. */
  fromRuns: 'median' | 'sum' | 'max' | 'histogram' | null;
  /** Whether it doubles when the iterations do. */
  growsWithIterations?: boolean;
  /** How it is formatted, if not by its unit. */
  text?: (value: number | null | undefined, digits?: number) => string;
  /** Its title in each table that has a column of it. */
  tables?: Partial<Record<TableName, string>>;
}

/** As listed: by default the title is the id, less of a cost is better, and a cell has the median. */
export type MetricInShort = Pick<Metric, 'meaning' | 'unit'> & Partial<Omit<Metric, 'id'>>;

/** What the workers of a run measured, merged. */
export interface MadeFrom extends Pick<MeasuredRun, 'client' | 'elapsedMs'> {
  operations: number;
  batches: Batches;
}

/** What `of` reads: runs and summaries have the same parts. */
export type Figures = Run | Summary;

export type PartOfRun =
  | 'latency'
  | 'batching'
  | 'openLoop'
  | 'fault'
  | 'cold'
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
  | 'times';

/** `objects` has further columns. */
export type TableName = 'versions' | 'cost' | 'latency' | 'open-loop' | 'fault' | 'cold' | 'objects';

export interface Figure {
  value: number;
  round: number;
  /** Absent in files from before cells had several starts. */
  start?: number;
  /** Processors were kept awake. */
  awake?: boolean;
}
