import { axesOf } from '../../../axes/all-axes.js';
import { percent, said, spanText, whole } from '../../../core/report/figures.js';

/** @import { CoverageFinding, Finding } from '../../judge/types.js' */
/** @import { Context, Of, Words } from './findings.js' */

/** What advice holds under. @satisfies {Words} */
export const CONDITION_WORDS = {
  'not-measured': { details: othersText },
  untried: {
    condition: (each) =>
      each.what === 'writes'
        ? `Nothing wrote to these keys during the runs, so the cache answered ${percent(each.hitRate)}. A write elsewhere would invalidate a key, and its next read would go to the server.`
        : [],
    next: (each, { servers }) =>
      each.what === 'distance' && servers.every(({ kind }) => kind === 'managed')
        ? 'This holds for a local server. Over a network the order can change: add --rtt 0,1ms --tasks 1,8,64'
        : [],
  },
};

/** @param {Finding & CoverageFinding} finding @param {Context} context @returns {string[]} */
function othersText({ cells, constant, replyBytes }, { cell, settings }) {
  const ids = constant.map(({ axis }) => axis);
  const others = cells.slice(0, 1).flatMap((id) =>
    axesOf([cell(id)]).flatMap(({ id: axis, notMeasured }) => {
      const other = ids.includes(axis) ? (notMeasured?.other(cell(id), settings) ?? '') : '';
      return other === '' ? [] : [`${notMeasured?.what} other than ${other}`];
    }),
  );
  return said([
    `Not measured: ${[...others, 'other machines'].join(', ')}.`,
    replyBytes !== undefined &&
      `Replies had ${spanText(whole(replyBytes.low), whole(replyBytes.high))} bytes.`,
  ]);
}
