import assert from 'node:assert/strict';
import { renderReport } from '../../../../src/cli/render.js';
import { FINDINGS } from '../../../../src/commands/benchmark/findings/all.js';
import { withWords } from '../../../../src/commands/benchmark/report/words/findings.js';
import { mixedReport } from '../../../helpers/report-fixture.js';

/** @import { Finding } from '../../../../src/commands/benchmark/findings/types.js' */
/** @import { Report, ReportData } from '../../../../src/store/types.js' */

/** One file, and a line in the list. @type {any} */
const STALE = {
  id: 'stale-caches',
  find: () => [],
  place: (/** @type {any} */ { oldestMs, group }) =>
    oldestMs > 9000 ? 'warning' : group ? 'cause' : 'choose',
  say: (/** @type {any} */ { caches }) => `Replies came from ${caches} caches.`,
  details: (/** @type {any} */ { oldestMs }) => [`Their replies were up to ${oldestMs / 1000} s old.`],
};

describe('a finding of a new kind', () => {
  const list = /** @type {any[]} */ (/** @type {unknown} */ (FINDINGS));
  /** @type {Report} */
  let report;
  before(async () => {
    list.push(STALE);
    const base = await mixedReport();
    const [{ group, id }] = base.cells;
    const stale = { kind: STALE.id, group: null, cells: [id], caches: 2, oldestMs: 7000 };
    const findings = /** @type {Finding[]} */ (
      /** @type {unknown} */ ([
        ...base.findings,
        stale,
        { ...stale, caches: 3, oldestMs: 8000, group },
        { ...stale, caches: 4, oldestMs: 10_000 },
      ])
    );
    // Whole, so that there is room.
    report = withWords(/** @type {ReportData} */ ({ ...base, partial: false, failure: null, findings }));
  });
  after(() => list.splice(list.indexOf(STALE), 1));

  it('is printed on the first screen, and its details behind it', async () => {
    const short = await renderReport(report, 'table', { width: 200 });
    const long = await renderReport(report, 'table', { width: 200, details: true });
    for (const text of ['from 2 caches', 'from 3 caches'])
      assert.ok(short.includes(text), `${text}:\n${short}`);
    assert.ok(!short.includes('s old'), short);
    for (const text of ['up to 7 s old', 'up to 8 s old']) assert.ok(long.includes(text), long);
  });

  it('is data for programs, and warns', async () => {
    const read = JSON.parse(await renderReport(report, 'json'));
    const own = read.findings.filter((/** @type {Finding} */ { kind }) => kind === STALE.id);
    assert.deepEqual(
      own.map((/** @type {any} */ { caches }) => caches),
      [2, 3, 4],
    );
    assert.ok(read.warnings.includes('Replies came from 4 caches.'));
  });
});
