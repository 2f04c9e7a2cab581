import { defineFinding } from './define.js';

/** Which cell of a group is fastest, as far as proven; its table shows it. */
export default defineFinding({
  id: 'fastest',
  find: ({ fastest }) => fastest,
  place: 'choose',
  say: () => [],
});
