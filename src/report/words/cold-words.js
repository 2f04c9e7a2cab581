import { alike } from '../../analysis/alike.js';
import { duration, spanText } from './figures.js';

/** @import { Context, Of, Words } from './findings.js' */

/** @typedef {Of<'first-replies'>} FirstReplies */

/** More would not be read; the table has all. */
const MOST = 3;

/** How long processes took that were started for one reply. @satisfies {Words} */
export const COLD_WORDS = {
  'first-replies': {
    advice: sentence,
  },
};

/** @param {FirstReplies} finding @param {Context} context cells of several groups may have one name */
function sentence({ replies }, { name }) {
  const byName = alike(replies, ({ cell }) => name(cell));
  const shown = byName.length > MOST ? [byName[0], byName[byName.length - 1]] : byName;
  const texts = shown.map((own) => `${span(own, 'firstReplyMs')} with ${name(own[0].cell)}`);
  const last = shown[shown.length - 1];
  const joint = byName.length > MOST ? ' to ' : ', ';
  return `First reply after ${texts.join(joint)}; ${span(last, 'importMs')} of it import.`;
}

/** @param {FirstReplies['replies']} own @param {'firstReplyMs' | 'importMs'} of */
function span(own, of) {
  const values = own.map((each) => each[of]);
  const text = (/** @type {number} */ ms) => duration(ms * 1000);
  return spanText(text(Math.min(...values)), text(Math.max(...values)));
}
