import assert from 'node:assert/strict';
import { WORDS, withWords } from '../../../../src/benchmark/report/words/findings.js';
import { renderReport } from '../../../../src/cli/render.js';
import { mixedReport } from '../../../helpers/report-fixture.js';

/**
 * @import { Finding } from '../../../../src/benchmark/judge/types.js'
 * @import { Report, ReportData } from '../../../../src/core/store/types.js'
 */

const STALE = 'replies came from 2 caches';
const TRUST = 'trust those only that say how old they are';
const AGES = 'their replies were up to 7 s old';
const SHORTER = 'let a cache forget sooner: --stale-after 1s';

/** A finding of the whole benchmark. */
const stale = /** @type {any} */ ({ kind: 'stale-caches', group: null, caches: 2, oldestMs: 7000 });

describe('a finding of a new kind', () => {
  /** @type {Report} */
  let report;
  before(async () => {
    const base = await mixedReport();
    const [{ group, id }] = base.cells;
    const findings = /** @type {Finding[]} */ ([
      ...base.findings,
      { ...stale, cells: [id] },
      { ...stale, cells: [id], group },
    ]);
    /** @type {Record<string, unknown>} */ (WORDS)['stale-caches'] = {
      advice: (/** @type {any} */ { caches }) => STALE.replace('2', caches),
      sure: { all: () => [TRUST] },
      details: (/** @type {any} */ { oldestMs }) => AGES.replace('7', String(oldestMs / 1000)),
      outcome: (/** @type {any} */ { cells }, /** @type {any} */ { name }) => `${name(cells[0])} is old`,
      warnings: () => SHORTER,
    };
    report = withWords(/** @type {ReportData} */ ({ ...base, findings }));
  });
  after(() => {
    delete (/** @type {Record<string, unknown>} */ (WORDS)['stale-caches']);
  });

  it('is printed on the first screen, and its details behind it', async () => {
    const short = await renderReport(report, 'table', { width: 200 });
    const long = await renderReport(report, 'table', { width: 200, details: true });
    for (const text of [STALE, TRUST, 'is old']) assert.ok(short.includes(text), `${text}:\n${short}`);
    assert.ok(!short.includes(AGES), short);
    assert.ok(long.includes(AGES), long);
  });

  it('is data for programs, and warns', async () => {
    const read = JSON.parse(await renderReport(report, 'json'));
    const own = read.findings.filter((/** @type {Finding} */ { kind }) => kind === stale.kind);
    assert.equal(own.length, 2);
    assert.deepEqual([own[0].caches, own[0].oldestMs], [2, 7000]);
    assert.ok(read.warnings.includes(SHORTER));
  });
});
