import assert from 'node:assert/strict';
import { renderReport } from '../../src/cli/render.js';
import { UsageError } from '../../src/errors.js';
import { ROWS } from './format-rows.js';
import { everyPairOfAxes, linesOfPair, reportOfPair } from './pairs.js';
import { decided, RULES } from './rules.js';

/**
 * @import { Report } from '../../src/store/types.js'
 * @import { DIFFERENCES } from './pairs.js'
 * @import { Subject } from './rules.js'
 */

/** Nothing is shortened for want of room. */
const VIEW = { width: 500, details: true };

/**
 * Tests every rule over reports of two values of every two axes. Called inside of `describe`.
 * @param {(pair: string[], index: number) => (typeof DIFFERENCES)[number][]} differencesOf a pair: a report of each
 * @param {(index: number) => string[]} formatsOf a pair: what its reports are rendered in
 * @param {(report: Report, difference: string) => void} [onReport]
 */
export function checkEveryPair(differencesOf, formatsOf, onReport = () => {}) {
  /** @type {Map<string, string[]>} by rule, with the report that broke it */
  const broken = new Map(Object.keys(RULES).map((rule) => [rule, []]));

  before(async () => {
    for (const [index, pair] of [...everyPairOfAxes()].entries()) {
      const differences = differencesOf(pair, index);
      const lines = differences.length > 0 ? await linesOfPair(pair).catch(refused) : null;
      if (lines === null) continue;
      for (const difference of differences) {
        const report = reportOfPair(lines, pair, difference);
        onReport(report, difference);
        const subject = await subjectOf(report, formatsOf(index));
        for (const [rule, breaks] of Object.entries(RULES)) {
          for (const text of breaks(subject)) broken.get(rule)?.push(`${pair}, ${difference}: ${text}`);
        }
      }
    }
  });

  for (const rule of Object.keys(RULES)) {
    it(rule, () => assert.deepEqual(broken.get(rule), []));
  }
}

/** @param {Report} report @param {string[]} formats @returns {Promise<Subject>} */
export async function subjectOf(report, formats) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const format of formats) texts.set(format, await renderReport(report, format, VIEW));
  const rows = new Map([...texts].map(([format, text]) => [format, ROWS[format](text, report)]));
  return { report, ...decided(report), texts, rows: (format) => rows.get(format) ?? [] };
}

/** @param {Error} error @returns {null} for two axes that no user can ask for together */
function refused(error) {
  if (error instanceof UsageError) return null;
  throw error;
}
