import { latencyOf } from '../analysis/statistics/latency.js';

/**
 * @import { Observed } from '../runner/types.js'
 * @import { RunPart } from './types.js'
 */

/**
 * What a run was made of, told apart: each command of a mix.
 *
 * @param {Observed['measured']} measured
 * @returns {RunPart[]}
 */
export const partsOf = ({ commandHdrs, elapsedMs }) =>
  Object.entries(commandHdrs).map(([name, hdr]) => {
    const latency = latencyOf([hdr]);
    const count = latency?.count ?? 0;
    return { name, company: false, count, perSecond: (count / elapsedMs) * 1000, latency };
  });
