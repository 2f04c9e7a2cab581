import assert from 'node:assert/strict';
import { withSlowCommands } from '../../src/results/slow-commands.js';

/** @param {object} own */
const measured = (own = {}) =>
  /** @type {any} */ ({
    elapsedMs: 1000,
    taskIterations: [500, 500],
    openLoop: null,
    slowest: {
      watchedMs: 1000,
      operations: [50, 31, 21, 20, 12].map((ms) => ({ ms, during: [] })),
      covered: {},
    },
    ...own,
  });

/** @param {any} result @returns {(string | undefined)[]} what each operation met, the slowest first */
const met = ({ slowest }) =>
  slowest.operations.map((/** @type {any} */ { during }) => during.map(({ what = '' }) => what).join());

const KEYS = [30, 20].map((ms) => ({ ms, name: 'KEYS' }));

describe('slow commands of a server', () => {
  it('stand for one operation each that took about as long', () => {
    const result = withSlowCommands(measured(), KEYS);
    assert.deepEqual(met(result), ['', 'server KEYS', '', 'server KEYS', '']);
    assert.deepEqual(result.slowest?.covered, { 'server KEYS': { 20: 20, 30: 30 } });
  });

  it('explain nothing in an open loop that hardly sends', () => {
    const rare = measured({ openLoop: {}, taskIterations: [30, 30] });
    assert.deepEqual(met(withSlowCommands(rare, KEYS)), ['', '', '', '', '']);
    assert.deepEqual(
      met(withSlowCommands(measured({ openLoop: {} }), KEYS)),
      met(withSlowCommands(measured(), KEYS)),
    );
  });
});
