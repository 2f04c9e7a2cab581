import { isStored } from '../shared/accounts.js';
import { get, set } from '../shared/steps.js';

export default {
  summary: 'stores a value and reads it back: two commands per operation',
  wholeValues: true,
  done: isStored,
  cycle: () => [[set, get]],
};
