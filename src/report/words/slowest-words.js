import { durationsText, joined } from './figures.js';

/** @import { Context, Of, Words } from './findings.js' */

/** What the slowest operations of a cell waited for. @satisfies {Words} */
export const SLOWEST_WORDS = {
  'slow-operations': { explanation: slowestText },
};

/** @param {Of<'slow-operations'>} finding @param {Context} context */
function slowestText({ cell, count, leastUs, mostUs, waits }, { name }) {
  const texts = waits.map(
    (each, index) => `${each.count} ${index === 0 ? 'waited ' : ''}${waitText(each.what)}`,
  );
  return `Of the ${count} slowest operations of ${name(cell)} (${durationsText([leastUs, mostUs])}), ${joined(texts)}.`;
}

/** @type {Record<string, string>} */
const WAITS = { garbage: 'for garbage collection', cpu: 'for CPU', busy: 'for a busy event loop' };

/** @param {string} what */
const waitText = (what) => WAITS[what] ?? `behind ${whatText(what)}`;

/** @type {Record<string, string>} */
const NAMES = { garbage: 'garbage collection', cpu: 'no CPU', busy: 'busy event loop' };

/** @param {string} what @returns {string} `a slow KEYS at the server`, `GET@1mb` */
export function whatText(what) {
  const [kind, ...name] = what.split(' ');
  return NAMES[kind] ?? (kind === 'server' ? `a slow ${name.join(' ')} at the server` : name.join(' '));
}
