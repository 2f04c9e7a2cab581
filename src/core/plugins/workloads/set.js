import { isStored } from '../shared/accounts.js';
import { set } from '../shared/steps.js';

export default {
  id: 'set',
  title: 'SET',
  summary: 'stores a value',
  wholeValues: true,
  checks: { SET: 'value' },
  done: isStored,
  cycle: () => [[set]],
};
