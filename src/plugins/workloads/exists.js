import { createExists, set } from '../shared/steps.js';

export default {
  summary: 'asks for a key that was stored before the run',
  wholeValues: true,
  prepare: () => [set, createExists()],
  cycle: () => [[createExists()]],
};
