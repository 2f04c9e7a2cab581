import type { Summary } from '../analysis/types.js';
import type { Run } from '../results/types.js';

/** A figure of a run and of a cell. All that tells or compares figures asks the list of these. */
export interface Metric {
  /** Its name everywhere, with the unit in it. */
  id: string;
  /** Earlier names, which assertions and --metric still know. */
  aliases?: string[];
  /** Columns of csv that had another name: they stay, at its end. */
  formerColumns?: string[];
  /** One sentence without its full stop, for `list` and the schema. */
  meaning: string;
  /** At the head of a column of a page, which has room. */
  title: string;
  /** Above a chart of it. */
  heading?: string;
  unit: Unit;
  /** null where neither is. */
  better: 'more' | 'less' | null;
  /** The part of a run, and of a cell's summary, that it stands in; missing where it stands beside the parts. */
  in?: Part;
  /** Its name in that part, where that is not its id. */
  name?: string;
  /** How it is read from a run, where it does not stand there by its name. */
  of?: (run: Figures) => number | null | undefined;
  /**
   * How a cell's figure is made from those of its runs. `histogram`: read from the runs' merged histogram.
   * null: it is concluded from the cell as a whole, and a run has none.
   */
  fromRuns: 'median' | 'sum' | 'max' | 'histogram' | null;
  /** Whether twice the iterations make it twice as large. */
  growsWithIterations?: boolean;
  /** How people read it, where its unit does not say that. */
  text?: (value: number | null | undefined) => string;
  /** The tables that have a column of it, and its title there. */
  tables?: Partial<Record<TableName, string>>;
}

/** What a metric can be read from by `of`: runs and summaries have these parts alike. */
export type Figures = Run | Summary;

export type Part = 'latency' | 'batching' | 'openLoop' | 'client' | 'server' | 'bottleneck';

export type Unit =
  | 'ops/s'
  | 'ms'
  | 'µs'
  | 'bytes'
  | 'share'
  | 'operations'
  | 'commands'
  | 'batches'
  | 'connections'
  | 'times';

/** `objects` has columns of its own and takes more. */
export type TableName = 'versions' | 'cost' | 'latency' | 'open-loop' | 'objects';

/** The figure of one run, and the round that it was made in. */
export interface Sample {
  value: number;
  round: number;
}
