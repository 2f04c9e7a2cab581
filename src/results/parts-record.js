import { latencyOf } from '../analysis/statistics/latency.js';
import { mergeBy } from './merge-rules.js';

/** @import { Observed } from '../runner/types.js' */
/** @import { RunPart, RunWarning } from './types.js' */

/**
 * What a run was made of, distinguished: each command of a mix, and of the background load.
 * @param {Observed['measured']} measured @returns {RunPart[]}
 */
export const partsOf = ({ commandHdrs, background, openLoop, elapsedMs }) => [
  ...Object.entries(commandHdrs).map(([name, hdr]) => {
    const latency = latencyOf([hdr]);
    return partOf(
      { name, company: false, count: latency?.count ?? 0, latency },
      openLoop?.sentUntilMs ?? elapsedMs,
    );
  }),
  ...background.map(({ name, count, hdr, elapsedMs: sentForMs }) =>
    partOf({ name, company: true, count, latency: latencyOf([hdr]) }, sentForMs),
  ),
];

/** @param {Omit<RunPart, 'perSecond'>} part @param {number} elapsedMs @returns {RunPart} */
const partOf = (part, elapsedMs) => ({
  ...part,
  perSecond: elapsedMs > 0 ? (part.count / elapsedMs) * 1000 : 0,
});

/** A rate counts as kept if this share of it was sent. */
const KEPT = 0.9;
/** Of fewer, one more or less says nothing. */
const FEWEST_DUE = 20;

/**
 * @param {Observed['measured']['background']} background
 * @returns {RunWarning[]} one for each command that came less often than it was asked for
 */
export const lateBackground = (background) =>
  background
    .filter(({ wantedPerSecond, count, elapsedMs }) => {
      const due = ((wantedPerSecond ?? 0) * elapsedMs) / 1000;
      return due >= FEWEST_DUE && count < KEPT * due;
    })
    .map(({ name }) => ({ kind: 'late-company', name }));

/**
 * @param {Observed['measured']} measured
 * @returns {Record<string, number>} the commands that the server must have counted, by name in lower case
 */
export const claimedBy = ({ calls, background }) =>
  mergeBy('sums', [calls, ...background.map(({ command, count }) => ({ [command]: count }))]);
