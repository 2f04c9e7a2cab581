import { createRequestStep, readCount, STORE } from '../shared/requests.js';

/** @import { CycleContext } from '../types.js' */

export default {
  id: 'store',
  title: 'store',
  summary: 'stores several keys in each operation, coded in each --way',
  syntax: 'store:20',
  checks: { SET: 'value', MSET: 'value' },
  parse: readCount,
  titleOf: (/** @type {{count: number}} */ { count }) => `store ${count} keys`,
  request: (/** @type {{count: number}} */ { count }) => ({ kind: STORE, count }),
  cycle: (/** @type {{count: number}} */ { count }, /** @type {CycleContext} */ context) => [
    [createRequestStep(STORE, count, context)],
  ],
};
