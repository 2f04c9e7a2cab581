import { latencyOf } from '../analysis/statistics/latency.js';

/** @import { Observed } from '../runner/types.js' */
/** @import { RunPart } from './types.js' */

/** The commands of a mix. @param {Observed['measured']} measured @returns {RunPart[]} */
export function partsOf({ commandHdrs, openLoop, elapsedMs }) {
  const sentForMs = openLoop?.sentUntilMs ?? elapsedMs;
  return Object.entries(commandHdrs).map(([name, hdr]) => {
    const latency = latencyOf([hdr]);
    const count = latency?.count ?? 0;
    return { name, count, latency, perSecond: sentForMs > 0 ? (count / sentForMs) * 1000 : 0 };
  });
}
