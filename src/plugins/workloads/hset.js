import { hset } from '../shared/steps.js';

export default {
  id: 'hset',
  title: 'HSET',
  summary: 'stores each object as a field of one hash, which is empty at the start of each run',
  startsEmpty: true,
  cycle: () => [[hset]],
};
