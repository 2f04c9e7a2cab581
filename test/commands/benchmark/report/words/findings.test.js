import assert from 'node:assert/strict';
import { sentencesAt, withWords } from '../../../../../src/commands/benchmark/report/words/findings.js';
import { mixedReport } from '../../../../helpers/report-fixture.js';
import { versionReport } from '../../../../helpers/version-fixture.js';

/** @import { Report, ReportData } from '../../../../../src/store/types.js' */

const PLACES = /** @type {const} */ (['choose', 'condition', 'next', 'details']);

/** @param {Report} report @returns {ReportData} what a program reads of it, without its sentences */
function withoutWords(report) {
  const { choices: _, comparisons, ...data } = JSON.parse(JSON.stringify(report));
  return {
    ...data,
    comparisons: comparisons.map((/** @type {any} */ { test: __, ...rest }) => rest),
    warnings: [],
  };
}

describe('words/findings', () => {
  /** @type {Report[]} */
  let reports;
  before(async () => {
    reports = await Promise.all([
      mixedReport(),
      mixedReport({ smoke: true }),
      versionReport('redis@4.7.1,redis@5.12.1,redis@6.3.1,ioredis'),
    ]);
  });

  it('every sentence is made of the findings that the report has as data', () => {
    for (const report of reports) {
      const again = withWords(withoutWords(report));
      assert.deepEqual(again.choices, report.choices);
      assert.deepEqual(again.comparisons, report.comparisons);
      assert.deepEqual(again.warnings, report.warnings);
    }
  });

  it('without findings nothing is said', () => {
    for (const report of reports) {
      const silent = withWords({ ...withoutWords(report), findings: [] });
      assert.deepEqual([silent.choices, silent.warnings], [[], []]);
      for (const place of PLACES) assert.deepEqual(sentencesAt(silent, place), []);
    }
  });

  it('every finding is about cells of the report', () => {
    for (const { findings, cells } of reports) {
      const ids = new Set(cells.map(({ id }) => id));
      assert.ok(findings.length > 0);
      for (const finding of findings) {
        assert.deepEqual(
          finding.cells.filter((id) => !ids.has(id)),
          [],
        );
      }
    }
  });
});
