import { isStored } from '../shared/accounts.js';
import { set } from '../shared/steps.js';

export default {
  summary: 'stores a value',
  wholeValues: true,
  done: isStored,
  cycle: () => [[set]],
};
