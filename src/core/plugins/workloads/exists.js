import { createExists, set } from '../shared/steps.js';

export default {
  id: 'exists',
  title: 'EXISTS',
  summary: 'asks for a key that was stored before the run',
  wholeValues: true,
  prepare: () => [set, createExists()],
  cycle: () => [[createExists()]],
};
