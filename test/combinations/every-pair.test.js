import assert from 'node:assert/strict';
import { UsageError } from '../../src/errors.js';
import { renderReport } from '../../src/index.js';
import { ROWS } from './format-rows.js';
import {
  DIFFERENCES,
  everyPairOfAxes,
  fixedAxes,
  linesOfPair,
  ONE_VALUE,
  reportOfPair,
  TWO_VALUES,
} from './pairs.js';
import { decided, RULES } from './rules.js';

/**
 * @import { Report } from '../../src/results/types.js'
 * @import { Subject } from './rules.js'
 */

/** Nothing is shortened for want of room. */
const VIEW = { width: 500, unicode: true, details: true };
/** Rendered whatever differs; the other formats have no claims of their own, and are read for their rows once. */
const ALWAYS = ['table'];
/** With these there is nothing else that differs. @type {(typeof DIFFERENCES)[number][]} */
const ONCE = ['choices'];

/** Every axis is in more pairs than there are differences, so each pair has the choices and two of the others in turn. */
function differencesOf(/** @type {string[]} */ pair, /** @type {number} */ index) {
  if (pair.some((axis) => ONE_VALUE.includes(axis))) return ONCE;
  const others = DIFFERENCES.filter((each) => !ONCE.includes(each));
  return [...ONCE, ...[0, 1].map((next) => others[(index + next) % others.length])];
}

describe('reports of two values of every two axes', function () {
  this.timeout(120_000);
  /** @type {Map<string, string[]>} by rule, with the report that broke it */
  const broken = new Map(Object.keys(RULES).map((rule) => [rule, []]));
  /** @type {Report[]} in which no cell differs */
  const equal = [];

  before(async () => {
    for (const [index, pair] of [...everyPairOfAxes()].entries()) {
      const lines = await linesOfPair(pair).catch(refused);
      if (lines === null) continue;
      for (const difference of differencesOf(pair, index)) {
        const report = reportOfPair(lines, pair, difference);
        if (difference === 'none') equal.push(report);
        const subject = await subjectOf(report, difference === 'choices' ? Object.keys(ROWS) : ALWAYS);
        for (const [rule, breaks] of Object.entries(RULES)) {
          for (const text of breaks(subject)) broken.get(rule)?.push(`${pair}, ${difference}: ${text}`);
        }
      }
    }
  });

  it('are made of every axis', () => {
    assert.deepEqual(
      fixedAxes().filter((id) => !(id in TWO_VALUES)),
      [],
    );
  });

  for (const rule of Object.keys(RULES)) {
    it(rule, () => assert.deepEqual(broken.get(rule), []));
  }

  it('claim a difference between equal cells in at most 5 of 100', () => {
    const claiming = equal.filter((report) => JSON.stringify(report.comparisons).includes('"differs":true'));
    assert.ok(equal.length > 100);
    assert.ok(claiming.length / equal.length <= 0.05, `${claiming.length} of ${equal.length}`);
  });
});

/** @param {Report} report @param {string[]} formats @returns {Promise<Subject>} */
async function subjectOf(report, formats) {
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
