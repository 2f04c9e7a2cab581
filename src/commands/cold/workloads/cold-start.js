import { getIfThere } from '../../../plugins/shared/steps.js';

export default {
  summary: 'each operation is a fresh process: import the client, connect, first reply (GET)',
  titleOf: () => 'cold start',
  startsEmpty: () => true,
  startsProcesses: true,
  cycle: () => [[getIfThere]],
};
