import { renderReport } from '../../src/index.js';
import { digestOf } from './figures.js';

/** @import { Report } from '../../src/results/types.js' */

const VIEW = { width: 100, details: true, plot: true };
/** Of the formats that have a line for each run, so many lines say how they look. */
const LINES = 12;

/**
 * What a person reads: every format that is not for programs, one below the other.
 *
 * @param {Report} report
 */
export async function wordsOf(report) {
  const rendered = (/** @type {string} */ format) => renderReport(report, format, VIEW);
  const markdown = await rendered('markdown');
  const sections = [
    ['table', await rendered('table')],
    ['markdown', markdown],
    ['html', textOfPage(await rendered('html'), markdown)],
    ['lines', await rendered('lines')],
    ['go-bench', beginning(await rendered('go-bench'))],
    ['objects', beginning(await rendered('objects'))],
    ['realtime', beginning(await rendered('realtime'))],
  ];
  return sections
    .map(([format, text]) => `===== ${format}\n${text.trimEnd()}\n\n`)
    .join('')
    .replace(/[ \t]+$/gm, '');
}

/** @param {string} text */
function beginning(text) {
  const lines = text.trimEnd().split('\n');
  return [...lines.slice(0, LINES), `${lines.length} lines (${digestOf(text)})`].join('\n');
}

/** @type {Record<string, string>} */
const ENTITIES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
/** A label of a chart or a cell of a table, with which the page would be as long as all other formats together. */
const LABEL = /^.{0,24}$|: [\d.,]+ \S+( \S+){0,4}$/;

/**
 * A digest of all that a page and its charts say, and those sentences that Markdown does not have, each once.
 *
 * @param {string} page
 * @param {string} markdown
 */
function textOfPage(page, markdown) {
  const texts = page
    .replace(/<style.*?<\/style>/gs, '')
    .split(/<[^>]*>/)
    .map((text) => text.replace(/&[^;\s]+;/g, (entity) => ENTITIES[entity] ?? entity).trim())
    .filter((text) => text !== '');
  const known = markdown.replaceAll('\\', '');
  const sentences = new Set(texts.filter((text) => !LABEL.test(text) && !known.includes(text)));
  return [`${texts.length} texts (${digestOf(texts.join('\n'))})`, ...sentences].join('\n');
}
