import { latencyOf } from '../analysis/statistics/latency.js';
import { mergeBy } from './merge-rules.js';

/** @import { Observed } from '../runner/types.js' */
/** @import { RunPart, RunWarning } from './types.js' */

/** The commands of a mix and of background load. @param {Observed['measured']} measured @returns {RunPart[]} */
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

/** Background load is late if a smaller share of its rate was sent. */
const KEPT = 0.9;
/** With fewer, one more or less is chance. */
const FEWEST_DUE = 20;

/** One warning per command. @param {Observed['measured']['background']} background @returns {RunWarning[]} */
export const lateBackground = (background) =>
  background
    .filter(({ wantedPerSecond, count, elapsedMs }) => {
      const due = ((wantedPerSecond ?? 0) * elapsedMs) / 1000;
      return due >= FEWEST_DUE && count < KEPT * due;
    })
    .map(({ name }) => ({ kind: 'late-company', name }));

/** What the server must have counted. @param {Observed['measured']} measured @returns {Record<string, number>} */
export const claimedBy = ({ calls, background }) =>
  mergeBy('sums', [calls, ...background.map(({ command, count }) => ({ [command]: count }))]);
