// @ts-ignore inferred from code: programs that use the package see any
import type { PROCESS_METERS } from './all-meters.js';

/** How the figures of several slices or processes become one; of an object each of its fields, where it is not null. */
export type MergeRule =
  /** null where one is not known, or only those that are known. */
  | 'sum'
  | 'sumOfAll'
  | 'sumOfKnown'
  | 'max'
  | 'min'
  /** That is not null. */
  | 'first'
  /** An average by elapsed time; a sum in which slices that do not know their share are like the others. */
  | 'weighted'
  | 'scaled'
  /** Of lists: one behind the other. */
  | 'concatenate'
  /** Of counts by name; null where one is null. */
  | 'sums'
  | 'sumsOfAll'
  | 'histogram'
  /** By name. */
  | 'histograms'
  /** Those of all, and what happened during them. */
  | 'slowest'
  /** Of lists, place by place; null where one is null. */
  | [MergeRule]
  | { [field: string]: MergeRule };

/** Measures one thing in a worker during a run. Processes of other machines merge as those of this one. */
export interface Meter<Value, Run = any> {
  watch(run: Run): {
    /** When the run begins; what was before does not count. */
    begin?(): void;
    take(operations: number): Value | Promise<Value>;
  };
  merge: Record<'slices' | 'processes', MergeRule>;
}

/** What a list of meters has taken. */
export type Taken<Meters extends Record<string, Meter<any>>> = {
  [Name in keyof Meters]: Awaited<ReturnType<ReturnType<Meters[Name]['watch']>['take']>>;
};

/** What a worker used in one run. */
export type ClientProbe = Taken<typeof PROCESS_METERS>;
