import { duration } from './figures.js';

/**
 * @import { DistanceFinding, Finding } from '../../analysis/types.js'
 * @import { Words } from './findings.js'
 */

/** How far away the server really was. @satisfies {Record<string, Words>} */
export const DISTANCE_WORDS = {
  distance: {
    explanation: (/** @type {(Finding & DistanceFinding)[]} */ all) => all.map(text),
    warnings: (/** @type {(Finding & DistanceFinding)[]} */ all) =>
      all
        .filter(({ isOff }) => isOff)
        .map(
          ({ askedUs, addedP50Us }) =>
            `the relay was asked to add ${duration(askedUs)} and added ${duration(addedP50Us)} before the runs began: this machine is busy, or too slow for that distance`,
        ),
  },
};

/** @param {DistanceFinding} distance */
function text({ server, askedUs, addedP50Us, addedP99Us, relayUs, inRuns }) {
  const relay = server === undefined ? 'The relay' : `The relay to ${server}`;
  const asked =
    askedUs === 0 ? `${relay}, without delay,` : `${relay} was asked to add ${duration(askedUs)} and`;
  const idle = `${asked} added ${duration(addedP50Us)} to a PING before the runs (p99 ${duration(addedP99Us)})`;
  const loaded =
    inRuns === null
      ? ''
      : `, and ${duration(inRuns.p50Us)} to the round trips of the runs (p99 ${duration(inRuns.p99Us)})`;
  const cost = askedUs === 0 ? '' : ` Without delay it adds ${duration(relayUs)}.`;
  return `${idle}${loaded}.${cost}`;
}
