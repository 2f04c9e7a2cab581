import { get, set } from '../shared/steps.js';

export default {
  summary: 'reads a value that was stored before the run',
  wholeValues: true,
  prepare: () => [set, get],
  cycle: () => [[get]],
};
