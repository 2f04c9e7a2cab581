import { percent } from '../../report/figures.js';

/** @import { WordsOf } from '../../report/fact-words.js' */
/** @import { Fact } from '../../store/types.js' */

/** @type {Partial<WordsOf<Fact>>} */
export const WORDS = {
  'no-breakdown': ({ why }) => `no breakdown: ${why}`,
  'relay-waited': ({ share }) =>
    `the relay of its breakdown waited for CPU ${percent(share)} of the time, which counts as there and back`,
};
