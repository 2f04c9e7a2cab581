import { createHset } from '../shared/steps.js';

/** @import { CycleContext } from '../types.js' */

export default {
  id: 'hset',
  title: 'HSET',
  summary: 'stores each object as a field of one hash, which is empty at the start of each run',
  checks: { HSET: 'value' },
  startsEmpty: true,

  /** @param {unknown} _parameter @param {CycleContext} context */
  cycle: (_parameter, { keys, processes }) => [[createHset({ keys, processes })]],
};
