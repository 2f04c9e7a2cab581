import { createHash } from 'node:crypto';
import { renderReport } from '../../src/cli/render.js';

/** @import { Report } from '../../src/store/types.js' */

/** Sentences of a comparison, which tables have. */
const WORDS = ['test'];
/** To which the logarithms of two releases of V8 are equal. */
const DIGITS = 8;

/**
 * What a program reads out of a report, as text that says line by line what has changed. The runs themselves are in
 * the saved file; of csv there is a digest of each column.
 *
 * @param {Report} report
 * @param {number} written so many cells have their figures written out, others a digest of them
 */
export async function figuresOf(report, written) {
  const { cells, comparisons, findings, assertions, distances } = report;
  const numberOf = new Map(cells.map(({ id }, index) => [id, `cell ${index}`]));
  const figures = {
    cells: cells.map(({ id, connections, warm, skipped, summary }, index) => {
      const shown = index < written ? summary : digestOf(JSON.stringify(plain({ summary }, numberOf)));
      return { id, connections, warm, skipped, summary: shown };
    }),
    comparisons: comparisons.map((comparison) => ({
      ...comparison,
      ...Object.fromEntries(WORDS.map((name) => [name, null])),
    })),
    findings,
    assertions,
    distances,
  };
  const csv = columnsOf(await renderReport(report, 'csv'));
  return `${outline({ ...plain(figures, numberOf), csv }).join('\n')}\n`;
}

/** @param {string} text */
export const digestOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/**
 * @param {unknown} figures
 * @param {Map<string, string>} numberOf what stands for the long id of a cell
 * @returns {object} numbers rounded, without what is null, an interval in one text
 */
const plain = (figures, numberOf) =>
  JSON.parse(
    JSON.stringify(figures, (name, value) => {
      if (value === null) return undefined;
      if (typeof value === 'number') return Number(value.toPrecision(DIGITS));
      if (name === 'hdr') return digestOf(value);
      if (isRange(value)) return rangeText(value);
      if (typeof value === 'object' && 'low' in value && 'high' in value) return intervalText(value);
      if (typeof value === 'string') return name === 'id' ? value : (numberOf.get(value) ?? value);
      return value;
    }),
  );

/** @param {any} value */
const isRange = (value) => typeof value === 'object' && 'never' in value && Object.keys(value).length <= 3;

/** @param {{low?: number, high?: number, never: boolean}} range */
const rangeText = ({ low, high, never }) =>
  never ? 'never' : [...new Set([low, high].map((each) => Number(each?.toPrecision(DIGITS))))].join(' to ');

/** @param {Record<string, any>} interval, with what is claimed of it */
const intervalText = ({ ratio, low, high, ...more }) =>
  [
    ...(ratio === undefined ? [] : [rounded(ratio)]),
    `${rounded(low)}..${rounded(high)}`,
    ...Object.entries(more).map(([name, value]) =>
      typeof value === 'boolean' ? `${value ? '' : 'not '}${name}` : `${name} ${rounded(value)}`,
    ),
  ].join(' ');

/** @param {unknown} value */
const rounded = (value) => (typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value);

/** Figures stand together in lines of so many characters at most. */
const WIDTH = 160;

/**
 * @param {object} value
 * @param {string} [indent]
 * @returns {string[]}
 */
function outline(value, indent = '') {
  /** @type {string[]} */
  const lines = [];
  let line = '';
  const endLine = () => {
    if (line !== '') lines.push(`${indent}${line}`);
    line = '';
  };
  for (const [name, part] of Object.entries(value)) {
    const text = `${name}: ${JSON.stringify(part)}`;
    const isLong = typeof part === 'object' && part !== null && text.length > WIDTH;
    if (isLong || line.length + text.length > WIDTH) endLine();
    if (isLong) lines.push(`${indent}${name}:`, ...outline(part, `${indent} `));
    else line += line === '' ? text : `, ${text}`;
  }
  endLine();
  return lines;
}

/**
 * @param {string} csv
 * @returns {Record<string, string>} a digest of each column that is not empty
 */
function columnsOf(csv) {
  const [names, ...rows] = csv.trimEnd().split('\r\n').map(fieldsOf);
  const columns = names.map((name, index) => [name, rows.map((row) => row[index]).join('\n')]);
  return Object.fromEntries(
    columns.flatMap(([name, values]) => (values.trim() === '' ? [] : [[name, digestOf(values)]])),
  );
}

/** @param {string} row */
const fieldsOf = (row) =>
  [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted ?? bare);
