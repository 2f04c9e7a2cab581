// @ts-ignore inferred from code: programs that use the package see any
import type { PROCESS_METERS } from './all-meters.js';

/** How figures of several slices or processes become one; in an object, field by field, where it is not null. */
export type MergeRule =
  /** 'sumOfAll' is null where one is unknown; 'sumOfKnown' leaves that one out. */
  | 'sum'
  | 'sumOfAll'
  | 'sumOfKnown'
  | 'max'
  | 'min'
  | 'first'
  /** An average by elapsed time; a sum in which slices that do not know their share count as the others do. */
  | 'weighted'
  | 'scaled'
  | 'concatenate'
  /** Of counts by name; null where one is null. */
  | 'sums'
  | 'sumsOfAll'
  | 'histogram'
  | 'histograms'
  /** Of lists, by index; null where one is null. */
  | [MergeRule]
  | { [field: string]: MergeRule };

/** Measures one thing in a worker during a run. Other machines merge as other processes do. */
export interface Meter<Value, Run = any> {
  watch(run: Run): {
    /** When the run begins; what came before does not count. */
    begin?(): void;
    take(operations: number): Value | Promise<Value>;
  };
  merge: Record<'slices' | 'processes', MergeRule>;
}

export type Taken<Meters extends Record<string, Meter<any>>> = {
  [Name in keyof Meters]: Awaited<ReturnType<ReturnType<Meters[Name]['watch']>['take']>>;
};

export type ClientProbe = Taken<typeof PROCESS_METERS>;
