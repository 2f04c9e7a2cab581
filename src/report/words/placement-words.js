/** @import { Placement } from '../../machine/types.js' */

/**
 * Where server and workers ran.
 *
 * @param {Placement[]} placements
 * @returns {string[]} one each
 */
export const placementTexts = (placements) =>
  placements.map(({ pin, serverCpus, workerCpus, relayCpus, note }) => {
    const relay = relayCpus === undefined ? '' : `, relay on ${relayCpus.join(',')}`;
    const text =
      note ?? `server on core ${serverCpus?.join(',')}, worker on ${workerCpus?.join(',')}${relay}`;
    return placements.length > 1 ? `${pin}: ${text}` : text;
  });
