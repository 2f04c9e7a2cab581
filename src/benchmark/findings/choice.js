import { defineFinding } from './define.js';

/** Which values of a choice no other was shown to beat; the table of choices has a row for each. */
export default defineFinding({
  id: 'choice',
  find: ({ advice: { decisions } }) => decisions,
  place: 'choose',
  say: () => [],
});
