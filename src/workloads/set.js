import { set } from '../connections/steps.js';

export default {
  id: 'set',
  title: 'SET',
  summary: 'stores a value',
  cycle: () => [[set]],
};
