import { axisNamed } from '../../../axes/all-axes.js';
import { spanOf } from '../../../core/report/figures.js';

/** @import { AxisAdvice } from '../../../axes/types.js' */
/** @import { Context, Of, Words } from './findings.js' */

/** @satisfies {Words} */
export const SERVER_WORDS = {
  'server-work': { choose: workText },
};

/** @param {Of<'server-work'>} work @param {Context} context */
function workText({ axis, less, more, low, high, shown, pairs }, { cell, measured }) {
  const { value } = /** @type {AxisAdvice} */ (axisNamed(axis, measured).advice);
  const [one, other] = [less, more].map((id) => value(cell(id), measured));
  const amount = spanOf((ratio) => `${ratio.toFixed(2)}x`, [low, high]);
  const ofAll = [less, more].some((id) => cell(id).summary?.bottleneck.serverThreads !== undefined);
  const threads = ofAll ? ' (all threads, including the time they spend waiting for each other)' : '';
  const part = shown < pairs ? ` (in ${shown} of ${pairs} pairs)` : '';
  return `Server CPU per command: ${one} uses ${amount} of what ${other} uses${threads}${part}.`;
}
