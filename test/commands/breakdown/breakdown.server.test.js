import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { legendOf } from '../../../src/commands/benchmark/report/tables/breakdown-grid.js';
import { assertFollowed, measure } from '../../helpers/breakdown.js';
import { profileText, SAMPLE_LINES } from '../../helpers/sample-profile.js';

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

  it('what cannot be followed is said in a line, and the rest goes on', async () => {
    const mix = '--clients ioredis --scenarios shared-connection --workload mix:get=9,fetch:3=1';
    const requests = await measure(`${mix} --way one-by-one,parallel`);
    assert.match(requests.stderr, /one by one.*: no breakdown: its operations may send one command after/);
    assert.match(requests.stderr, /parallel.*: no breakdown: its operations differ in their number of/);
    const scan = await measure('--clients ioredis --scenarios shared-connection --workload scan');
    assert.match(scan.stderr, /no breakdown: its operations may send one command after/);
    const { cells, stderr } = await measure(
      '--clients ioredis,valkey-glide --scenarios shared-connection,open-and-close',
    );
    assert.match(stderr, /^breakdown of ioredis, shared connection$/m);
    assert.match(stderr, /ioredis, open and close: no breakdown: its operations open connections/);
    assert.match(stderr, /valkey-glide, shared connection: no breakdown: its client has no sockets of Node/);
    assert.deepEqual(
      cells.map(({ summary }) => [summary !== null, summary?.breakdown !== undefined]),
      [
        [true, true],
        [true, false],
        [true, false],
        [false, false],
      ],
    );
  });
});
