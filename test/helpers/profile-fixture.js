/** @import { CellResult } from '../../src/store/types.js' */

/** What a sample stands for. */
const SAMPLE_US = 250;
const OPERATIONS = 100_000;

/**
 * What a profile in a result holds.
 *
 * @param {[part: any, owner: string | null, file: string | null, name: string, us: number][]} functions
 * @returns {any}
 */
export const profileOf = (functions) => ({
  unit: 'µs',
  samples: 4000,
  frames: functions.map(([part, owner, file, name, us]) => ({
    ...{ part, package: owner, file, name, line: file === null ? null : 7 },
    ...{ self: us, variance: us * SAMPLE_US },
  })),
  rest: [],
  elapsedMs: 500,
  operations: OPERATIONS,
  cpuUsPerOp: 10,
  processes: 1,
});

/**
 * As much of a cell as its profile needs.
 *
 * @param {Parameters<typeof profileOf>[0]} functions
 * @param {number} cpuUsPerOp of the timed runs
 * @returns {Pick<CellResult, 'id' | 'summary' | 'profiles'>}
 */
export const profiledCell = (functions, cpuUsPerOp) => ({
  id: 'redis',
  profiles: { cpu: profileOf(functions) },
  summary: /** @type {any} */ ({ client: { cpuUsPerOp }, intervals: {} }),
});
