import { createHset } from '../shared/steps.js';

/** @import { Ask, CycleContext, Item } from '../types.js' */

export default {
  id: 'hset',
  title: 'HSET',
  summary: 'stores each object as a field of one hash, which is empty at the start of each run',
  checks: { HSET: 'value' },
  startsEmpty: true,
  /** @param {Ask} ask @param {Item} item */
  done: (ask, { hash, key }) => ask('HEXISTS', hash, key),

  /** @param {unknown} _parameter @param {CycleContext} context */
  cycle: (_parameter, { keys, processes, isFollowed }) => [
    // A client that sends one again is told that the field is there, as where another process was first.
    [createHset({ keys, mayBeThere: processes > 1 || isFollowed === true })],
  ],
};
