import { median, sum } from 'simple-statistics';
import { latencyOf } from '../statistics/latency.js';

/** @import { Run, RunPart } from '../../results/types.js' */

/**
 * What the runs of a cell were made of: counts are added, rates are medians, latencies of all runs together.
 *
 * @param {Run[]} runs
 * @returns {RunPart[]}
 */
export function summarizeParts(runs) {
  const all = runs.flatMap(({ parts = [] }) => parts);
  const names = [...new Set(all.map(({ name }) => name))];
  return names.map((name) => {
    const own = all.filter((part) => part.name === name);
    return {
      name,
      company: own[0].company,
      count: sum(own.map(({ count }) => count)),
      perSecond: median(own.map(({ perSecond }) => perSecond)),
      latency: latencyOf(own.flatMap(({ latency }) => (latency ? [latency.hdr] : []))),
    };
  });
}
