import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchmark, renderReport } from '../../src/index.js';
import { timed } from '../helpers/timed.js';

/** @import { Report } from '../../src/results/types.js' */

const RAW = new URL('../../src/plugins/clients/raw.js', import.meta.url);

/** Every 200 ms the application does something else for 30 ms. */
const BLOCKING = `import raw from '${RAW}';
function work() {
  const end = performance.now() + 30;
  while (performance.now() < end);
}
export default {
  ...raw,
  id: undefined,
  connect(...given) {
    setInterval(work, 200).unref();
    return raw.connect(...given);
  },
};`;

const ONE_CELL = {
  ...{ clients: 'raw', scenarios: 'shared-connection', size: '100', tasks: '4', transport: 'tcp' },
  ...{ warmupRuns: 0, profile: false },
};

/** @param {object} own on a managed server @returns {Promise<Report>} */
const measure = (own) => benchmark(/** @type {any} */ ({ ...ONE_CELL, ...own }));

/** @param {Report} report @returns {Record<string, number>} how many of the slowest waited for what */
const waitsIn = ({ findings }) =>
  Object.fromEntries(
    findings.flatMap((finding) =>
      finding.kind === 'slow-operations' ? finding.waits.map(({ what, count }) => [what, count]) : [],
    ),
  );

describe('the slowest operations', () => {
  timed('waited for an event loop that the application kept busy', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rpb-slowest-'));
    try {
      const client = join(folder, 'blocking.js');
      writeFileSync(client, BLOCKING);
      const report = await measure({ clients: client, runs: 2, durationMs: 1500 });
      assert.ok(waitsIn(report).busy >= 5, JSON.stringify(report.cells[0].runs[0].slowest));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  timed('waited behind large replies on their connection', async () => {
    const beside = 'GET 20mb @ 6/s';
    const report = await measure({ beside, runs: 2, durationMs: 1000 });
    assert.ok(waitsIn(report)[`reply ${beside}`] >= 5, JSON.stringify(report.cells[0].runs[0].slowest));
  });

  timed('waited for slow commands at the server, as the details and the page say', async () => {
    const report = await measure({ beside: 'EVAL 20ms @ 6/s', runs: 2, durationMs: 1000 });
    const { 'server EVAL': count } = waitsIn(report);
    assert.ok(count >= 5, JSON.stringify(report.cells[0].runs[0].slowest));
    const table = await renderReport(report, 'table', { details: true, width: 200 });
    assert.match(
      table,
      new RegExp(`Of the 10 slowest operations of .*, ${count} waited behind a slow EVAL at the server`),
    );
    assert.match(await renderReport(report, 'html', {}), /a slow EVAL at the server: [\d.]+ ms<\/title>/);
  });

  it('had no slow command and no large reply to wait for where there was none', async () => {
    const report = await measure({ runs: 2, durationMs: 300 });
    for (const { slowest } of report.cells[0].runs) {
      assert.equal(slowest?.operations.length, 10);
      assert.deepEqual(
        Object.keys(slowest.covered).filter((what) => /server|reply/.test(what)),
        [],
      );
    }
  });
});
