import { set } from '../shared/steps.js';

export default {
  id: 'set',
  title: 'SET',
  summary: 'stores a value',
  checks: { SET: 'value' },
  cycle: () => [[set]],
};
