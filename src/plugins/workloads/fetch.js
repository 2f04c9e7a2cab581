import { createRequestStep, FETCH, readCount } from '../shared/requests.js';
import { get, set } from '../shared/steps.js';

/** @import { CycleContext } from '../types.js' */

export default {
  id: 'fetch',
  title: 'fetch',
  summary: 'reads several keys in each operation, coded in each --way',
  syntax: 'fetch:20',
  checks: { GET: 'value', MGET: 'value' },
  parse: readCount,
  titleOf: (/** @type {{count: number}} */ { count }) => `fetch ${count} keys`,
  prepare: () => [set, get],
  request: (/** @type {{count: number}} */ { count }) => ({ kind: FETCH, count }),
  cycle: (/** @type {{count: number}} */ { count }, /** @type {CycleContext} */ context) => [
    [createRequestStep(FETCH, count, context)],
  ],
};
