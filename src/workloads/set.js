import { set } from '../commands.js';

export default {
  id: 'set',
  title: 'SET',
  summary: 'stores a value',
  cycle: () => [[set]],
};
