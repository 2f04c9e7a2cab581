import { get, set } from '../commands.js';

export default {
  id: 'set-get',
  title: 'SET + GET',
  summary: 'stores a value and reads it back: two commands an operation',
  cycle: () => [[set, get]],
};
