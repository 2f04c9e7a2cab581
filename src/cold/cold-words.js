import { alike } from '../benchmark/judge/alike.js';
import { duration, spanOf } from '../core/report/figures.js';

/** @import { Context, Of, Words } from '../benchmark/report/words/findings.js' */

/** The table has all. */
const MOST = 3;

/** How long processes took that were started for one reply. @satisfies {Words} */
export const COLD_WORDS = {
  'first-replies': { choose: sentence },
};

/** @param {Of<'first-replies'>} finding @param {Context} context cells of several groups may have one name */
function sentence({ replies }, { name }) {
  const byName = alike(replies, ({ cell }) => name(cell));
  const shown = byName.length > MOST ? [byName[0], byName[byName.length - 1]] : byName;
  const texts = shown.map((own) => `${span(own, 'firstReplyMs')} with ${name(own[0].cell)}`);
  const last = shown[shown.length - 1];
  const joint = byName.length > MOST ? ' to ' : ', ';
  return `First reply after ${texts.join(joint)}; ${span(last, 'importMs')} of it import.`;
}

/** @param {Of<'first-replies'>['replies']} own @param {'firstReplyMs' | 'importMs'} of */
const span = (own, of) => spanOf(duration, own, (each) => each[of] * 1000);
