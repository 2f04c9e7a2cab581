import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderReport } from '../../../src/cli/render.js';
import { legendOf } from '../../../src/commands/benchmark/report/tables/breakdown-grid.js';
import { assertFollowed, measure } from '../../helpers/breakdown.js';
import { profileText, SAMPLE_LINES } from '../../helpers/sample-profile.js';

/** @import { Report } from '../../../src/store/types.js' */

/** @param {{cells: Report['cells']}} measured */
const reasonsOf = ({ cells }) => cells.map(({ noBreakdown }) => noBreakdown?.kind);

describe('--breakdown', function () {
  this.timeout(120_000);

  it('of a replay with transactions, and of two processes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rpb-breakdown-'));
    try {
      const file = join(folder, 'sample.ndjson');
      writeFileSync(file, profileText(SAMPLE_LINES));
      assertFollowed(
        await measure(
          `--clients ioredis --scenarios shared-connection --processes 2 --workload profile:${file}`,
        ),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('where no relay can stand between, unread time is part of there and back', async () => {
    const { cells } = await measure('--clients ioredis --scenarios shared-connection --transport unix,tls');
    for (const { id, summary } of cells) {
      const { p50, relayUs } = summary?.breakdown ?? assert.fail(id);
      assert.deepEqual([p50.unreadUs, relayUs], [null, null], id);
      assert.ok(p50.roundTripUs > 0, id);
    }
    assert.doesNotMatch(legendOf(cells.map((cell) => ({ cell }))), /unread/);
  });

  it('of a cluster, but of no requests of several keys there', async () => {
    const cluster = '--topology cluster --clients ioredis --scenarios shared-connection';
    assertFollowed(await measure(cluster));
    const requests = await measure(`${cluster} --workload fetch:3 --way parallel`);
    assert.deepEqual(reasonsOf(requests), ['several-sockets']);
  });

  it('why a cell has none is stored, printed without progress too, and the rest goes on', async () => {
    const mix = '--clients ioredis --scenarios shared-connection --workload mix:get=9,fetch:3=1';
    const plain = '--clients ioredis,valkey-glide --scenarios shared-connection,open-and-close --quiet';
    const [requests, others] = [await measure(`${mix} --way one-by-one,parallel`), await measure(plain)];
    assert.deepEqual(reasonsOf(requests), ['one-after-other', 'uneven-operations']);
    assert.deepEqual(reasonsOf(others), [undefined, 'opens-in-operations', 'foreign-sockets', undefined]);
    assert.deepEqual(
      others.cells.map(({ summary }) => [summary !== null, summary?.breakdown !== undefined]),
      [
        [true, true],
        [true, false],
        [true, false],
        [false, false],
      ],
    );
    const text = await renderReport(others.report, 'table', { width: 100, color: false });
    assert.match(text, /^ioredis, open and close: no breakdown: its operations open connections$/m);
    assert.match(text, /^valkey-glide, shared connection: no breakdown: its client has no sockets of Node$/m);
  });
});
