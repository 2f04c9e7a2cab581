import { duration, joined, spanText } from './figures.js';

/** @import { Context, Of, Words } from './findings.js' */

/** What the slowest operations of a cell waited for. @satisfies {Words} */
export const SLOWEST_WORDS = {
  'slow-operations': { explanation: slowestText },
};

/** @param {Of<'slow-operations'>} finding @param {Context} context */
function slowestText({ cell: id, count, leastUs, mostUs, waits }, { cell, name }) {
  const isShared = cell(id).runs.every(({ connections }) => connections === 1);
  const texts = waits.map(
    (each, index) => `${each.count} ${index === 0 ? 'waited ' : ''}${waitText(each.what, isShared)}`,
  );
  return `Of the ${count} slowest operations of ${name(id)} (${spanText(duration(leastUs), duration(mostUs))}), ${joined(texts)}.`;
}

/** @type {Record<string, string>} */
const WAITS = { garbage: 'for garbage collection', cpu: 'for CPU', busy: 'for a busy event loop' };

/** @param {string} what @param {boolean} isShared whether there is one connection, on which replies come in order */
const waitText = (what, isShared) =>
  WAITS[what] ?? `${isShared || what.startsWith('server') ? 'behind' : 'during'} ${whatText(what)}`;

/** @type {Record<string, string>} */
const NAMES = { garbage: 'garbage collection', cpu: 'no CPU', busy: 'busy event loop' };

/** @param {string} what @returns {string} `a slow KEYS at the server`, `GET@1mb` */
export function whatText(what) {
  const [kind, ...name] = what.split(' ');
  return NAMES[kind] ?? (kind === 'server' ? `a slow ${name.join(' ')} at the server` : name.join(' '));
}
