import { printableBeside } from '../../report/escaped.js';

/** Only objects made here have it, so an object from a JSON file cannot pass for markup. */
const MARKUP = Symbol('markup');

/** @typedef {{readonly [MARKUP]: true, toString(): string}} Markup text that is HTML already */

const printableLines = printableBeside('\\n');
/** @type {Record<string, string>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Escapes what is filled in, unless it is Markup itself. Lists are joined; null, false and undefined are nothing.
 * @param {TemplateStringsArray} strings @param {...unknown} values @returns {Markup}
 */
export const html = (strings, ...values) =>
  raw(strings.reduce((text, each, index) => text + markupOf(values[index - 1]) + each));

/** Never for text that comes from a user. @param {string} markup @returns {Markup} */
export const raw = (markup) => Object.freeze({ [MARKUP]: true, toString: () => markup });

/** @param {unknown} value @returns {string} */
function markupOf(value) {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(markupOf).join('');
  if (typeof value === 'object' && MARKUP in value) return String(value);
  return printableLines(String(value)).replace(/[&<>"']/g, (character) => ENTITIES[character]);
}
