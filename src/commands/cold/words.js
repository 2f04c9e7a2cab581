import { count, plural } from '../../numbers.js';

/** @import { WordsOf } from '../../report/fact-words.js' */
/** @import { Fact } from '../../store/types.js' */

/** @type {Partial<WordsOf<Fact>>} */
export const WORDS = {
  'kept-alive': ({ processes, of }) =>
    `${processes} of ${count(of, 'process', 'processes')} kept running after ${plural(of, 'its', 'their')} connection was closed`,
};
