import assert from 'node:assert/strict';

/** @import { CellResult, Run } from '../../src/store/types.js' */

/** Of warnings that the server's own count, or its replies, are not those of the run. */
const DISPUTED = /claims|other commands|a different size/;

/** @param {{cells: CellResult[]}} report @returns {Run[]} */
export const runsOf = ({ cells }) => cells.flatMap(({ runs }) => runs);

/**
 * Asserts that no run has failed, and that the server has counted exactly the commands that it claims. Whatever else
 * runs warn of may be the machine's fault.
 *
 * @param {{cells: CellResult[]}} report
 */
export function assertSound({ cells }) {
  const wrong = cells.flatMap(({ id, runs }) =>
    runs.flatMap(({ failed, warnings }) =>
      [failed ?? [], warnings.filter((text) => DISPUTED.test(text))].flat().map((text) => `${id}: ${text}`),
    ),
  );
  assert.deepEqual(wrong, []);
}
