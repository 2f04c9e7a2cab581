import * as v from 'valibot';
import { amount, anyNumber, count, list, name, share } from '../../schema.js';

/** @import { GenericSchema } from 'valibot' */
/** @import { FigureEntry } from '../../store/types.js' */
/** @import { CellBreakdown, Parts } from './types.js' */

/** @type {[name: keyof Parts, title: string, meaning: string][]} */
const COLUMNS = [
  ['clientWaitUs', 'in client', 'from the call until its last byte is handed to the kernel'],
  ['roundTripUs', 'there and back', 'until its reply has reached this machine: network and server'],
  ['unreadUs', 'unread', 'from then until the event loop reads it'],
  ['handledUs', 'handled', 'from then until the caller goes on'],
  ['wholeUs', 'whole', 'from the call until the caller goes on'],
];

const PARTS = v.strictObject({
  clientWaitUs: amount,
  roundTripUs: amount,
  unreadUs: v.nullable(amount),
  handledUs: amount,
  wholeUs: amount,
});
const SLICE = { p50: PARTS, p99: PARTS, cpuRatio: v.nullable(amount) };

/** @type {GenericSchema<CellBreakdown>} */
const BREAKDOWN = v.strictObject({
  ...SLICE,
  operations: count,
  relayUs: v.nullable(anyNumber),
  relayWaitedShare: v.nullable(share),
  slices: list(v.strictObject(SLICE), 100, 1),
});

/** Of which kind it is: its words tell; later releases may know more. @type {GenericSchema<any>} */
const NO_BREAKDOWN = v.object({
  kind: name,
  share: v.optional(share),
  operations: v.optional(count),
  least: v.optional(count),
  why: v.optional(v.string()),
});

/** What the record of a cell has of a pass after its runs. */
export const PASS = { breakdown: v.optional(BREAKDOWN), noBreakdown: v.optional(NO_BREAKDOWN) };

/** @type {Pick<FigureEntry, 'in' | 'fromRuns'>} */
const OF_PASS = { in: 'breakdown', fromRuns: null };

/** @param {'p50' | 'p99'} at @returns {[string, FigureEntry][]} */
const figuresAt = (at) =>
  COLUMNS.map(([name, title, meaning]) => [
    `breakdown.${at}.${name}`,
    {
      ...OF_PASS,
      unit: 'µs',
      ofPass: (breakdown) => breakdown[at][name],
      title: `${at} ${title}`,
      tables: at === 'p50' ? { breakdown: title } : undefined,
      meaning: `of the operations at the ${at} of --breakdown, on average: ${meaning}`,
    },
  ]);

/** @type {Record<string, FigureEntry>} */
export const FIGURES = {
  ...Object.fromEntries([...figuresAt('p50'), ...figuresAt('p99')]),
  'breakdown.cpuRatio': {
    ...OF_PASS,
    unit: 'times',
    better: 'less',
    ofPass: ({ cpuRatio }) => cpuRatio,
    title: 'CPU of the pass',
    meaning: 'client CPU per operation in the pass of --breakdown, over that of the timed runs',
  },
};
