import { createHset } from '../shared/steps.js';

/** @import { WorkloadSource } from '../types.js' */

/** @satisfies {WorkloadSource} */
export default {
  summary: 'stores each object as a field of one hash, which is empty at the start of each run',
  startsEmpty: () => true,
  done: (ask, { hash, key }) => ask('HEXISTS', hash, key),

  cycle: (_parameter, { keys, processes, isFollowed }) => [
    // A client that resends one learns that the field exists, as if another process had been first.
    [createHset({ keys, mayBeThere: processes > 1 || isFollowed === true })],
  ],
};
