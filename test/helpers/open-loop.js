import assert from 'node:assert/strict';
import { schemaErrors } from './report-shapes.js';

/** @import { OpenLoopRun, Report, Run } from '../../src/store/types.js' */

export const JSON_OUT = ['--format', 'json', '--no-save'];
export const PRODUCER = ['--clients', 'raw', '--scenarios', 'shared-connection', '--workload', 'set'];

/** @param {string} stdout @returns {Report} that fits the schema */
export function reportOf(stdout) {
  const report = JSON.parse(stdout);
  assert.deepEqual(schemaErrors(report), []);
  return report;
}

/** @param {Run} run */
export const openLoopOf = ({ openLoop }) => /** @type {OpenLoopRun} */ (openLoop);
