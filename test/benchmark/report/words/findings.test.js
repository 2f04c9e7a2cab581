import assert from 'node:assert/strict';
import { FINDINGS } from '../../../../src/benchmark/findings/all.js';
import { WORDS, withWords } from '../../../../src/benchmark/report/words/findings.js';
import { mixedReport } from '../../../helpers/report-fixture.js';
import { versionReport } from '../../../helpers/version-fixture.js';

/** @import { Report, ReportData } from '../../../../src/core/store/types.js' */

/** @param {Report} report @returns {ReportData} what a program reads of it, without its sentences */
function withoutWords(report) {
  const { advice: _, details: ____, comparisons, ...data } = JSON.parse(JSON.stringify(report));
  return {
    ...data,
    comparisons: comparisons.map(
      (/** @type {any} */ { conclusion: _, explanation: __, test: ___, outcome: ____, ...rest }) => rest,
    ),
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
      assert.deepEqual(again.advice, report.advice);
      assert.deepEqual(again.details, report.details);
      assert.deepEqual(again.comparisons, report.comparisons);
      assert.deepEqual(again.warnings, report.warnings);
    }
  });

  it('without findings nothing is said', () => {
    for (const report of reports) {
      const silent = withWords({ ...withoutWords(report), findings: [] });
      assert.deepEqual([silent.advice, silent.details, silent.warnings], [[], [], []]);
      for (const { outcome, conclusion, explanation } of silent.comparisons)
        assert.deepEqual([outcome, conclusion, explanation], [[], '', []]);
    }
  });

  it('prints every finding somewhere, and each is about cells of the report', () => {
    for (const { findings, cells } of reports) {
      const ids = new Set(cells.map(({ id }) => id));
      assert.ok(findings.length > 0);
      for (const finding of findings) {
        assert.ok(finding.kind in WORDS || FINDINGS.some(({ id }) => id === finding.kind), finding.kind);
        assert.deepEqual(
          finding.cells.filter((id) => !ids.has(id)),
          [],
        );
      }
    }
  });
});
