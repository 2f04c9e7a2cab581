import { factText } from '../benchmark/report/words/fact-words.js';
import { count } from '../core/numbers.js';

/** @import { MeasuredRelease } from '../benchmark/types.js' */

/** @param {MeasuredRelease} release @returns {string} what came of it */
export function releaseText({ name, state, file, why }) {
  const reason = why === null ? null : factText(why);
  const more = {
    there: 'is there',
    missing: 'is missing',
    added: `saved as ${file}${reason === null ? '' : `; runs failed: ${reason}`}`,
    'left out': `left out: ${reason ?? 'nothing can be measured'}`,
  };
  return `${name.replace(/:default$/, '')}: ${more[state]}`;
}

/** @param {MeasuredRelease[]} releases @returns {string} what came of all */
export function releasesText(releases) {
  const states = /** @type {const} */ (['added', 'there', 'missing', 'left out']);
  const parts = states.flatMap((state) => {
    const { length } = releases.filter((each) => each.state === state);
    return length === 0 ? [] : `${length} ${state}`;
  });
  return `${count(releases.length, 'release')} asked for: ${parts.join(', ')}`;
}
