/** @import { WordsOf } from '../../report/fact-words.js' */
/** @import { Fact } from '../../store/types.js' */

/** @type {Partial<WordsOf<Fact>>} */
export const WORDS = {
  'no-profile': ({ why }) => `no profile: ${why}`,
  'profile-not-kept': ({ cell, why }) => `the profile of ${cell} is not kept: ${why}`,
};
