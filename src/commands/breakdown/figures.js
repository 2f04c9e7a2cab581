import * as v from 'valibot';
import { amount, count, list } from '../../schema.js';

/** @import { GenericSchema } from 'valibot' */
/** @import { FigureEntry } from '../../store/types.js' */
/** @import { CellBreakdown, Parts } from './types.js' */

/**
 * In the order of their columns.
 * @type {{name: keyof Parts, title: string, meaning: string}[]}
 */
export const PARTS_OF_OPERATIONS = [
  {
    name: 'clientWaitUs',
    title: 'in client',
    meaning: 'from the call until its last byte is handed to the kernel',
  },
  {
    name: 'roundTripUs',
    title: 'there and back',
    meaning: 'from then until its reply has reached this machine: network and server',
  },
  {
    name: 'unreadUs',
    title: 'unread',
    meaning: 'from then until the event loop reads it',
  },
  {
    name: 'handledUs',
    title: 'handled',
    meaning: 'from then until the caller goes on',
  },
  {
    name: 'wholeUs',
    title: 'whole',
    meaning: 'from the call until the caller goes on',
  },
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
export const BREAKDOWN = v.strictObject({
  ...SLICE,
  operations: count,
  relayUs: v.nullable(v.number()),
  slices: list(v.strictObject(SLICE), 100, 1),
});

/** @type {Record<string, FigureEntry>} */
export const FIGURES = {};
for (const at of /** @type {const} */ (['p50', 'p99']))
  for (const { name, title, meaning } of PARTS_OF_OPERATIONS)
    FIGURES[`breakdown.${at}.${name}`] = {
      in: 'breakdown',
      unit: 'µs',
      fromRuns: null,
      ofPass: (breakdown) => breakdown[at][name],
      title: `${at} ${title}`,
      ...(at === 'p50' && { tables: { breakdown: title } }),
      meaning: `of the operations at the ${at} of --breakdown, on average: ${meaning}`,
    };
FIGURES['breakdown.cpuRatio'] = {
  in: 'breakdown',
  unit: 'times',
  fromRuns: null,
  better: 'less',
  ofPass: ({ cpuRatio }) => cpuRatio,
  title: 'CPU of the pass',
  meaning: 'client CPU per operation in the pass of --breakdown, over that of the timed runs',
};
