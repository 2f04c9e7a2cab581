import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { renderReport } from '../../src/cli/render.js';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { encodeCommand } from '../../src/relay/resp.js';
import { startRedis } from '../helpers/redis-server.js';
import { timed } from '../helpers/timed.js';
import { until } from '../helpers/until.js';

/** @import { BenchmarkOptions } from '../../src/commands/benchmark/types.js' */

/**
 * Each bottleneck is made to happen for real. Pinned apart, so that neither side can take the other's
 * processor; where that is not possible, client and server share what there is and nothing can be said.
 *
 * @param {BenchmarkOptions} options
 */
async function limitOf(options) {
  const report = await benchmark({
    ...{ scenarios: 'shared-connection', runs: 6, starts: 1, runTimeMs: 100, profile: false },
    ...options,
  });
  const { cells, placements } = report;
  const [{ summary }] = cells;
  assert.ok(summary, JSON.stringify(cells[0].runs));
  return {
    pinned: placements[0].workerCpus !== null,
    limit: summary.bottleneck.limit,
    figures: JSON.stringify(summary.bottleneck),
    details: await renderReport(report, 'table', { details: true, width: 200 }),
  };
}

describe('the bottleneck', () => {
  timed('is the client where its event loop is busy with a hundred tasks', async function () {
    const { pinned, limit, figures, details } = await limitOf({
      ...{ clients: 'redis', tasks: 100, size: 10, warmupRuns: 3, iterations: 100 },
    });
    if (!pinned) this.skip();
    assert.equal(limit, 'client', figures);
    assert.match(details, /limited by[\s\S]* client /);
  });

  timed('is the server where each SET makes it match more than a thousand patterns', async function () {
    const server = await startRedis({ args: ['--notify-keyspace-events', 'KEA'] });
    const subscriber = connect(server.port, '127.0.0.1').resume();
    try {
      const patterns = Array.from({ length: 1500 }, (_, index) => `*none${index}*such*`);
      subscriber.write(encodeCommand(['PSUBSCRIBE', ...patterns]));
      await until(
        'the patterns to be known',
        async () => Number(await server.query('PUBSUB', 'NUMPAT')) === 1500,
      );
      const { pinned, limit, figures, details } = await limitOf({
        ...{ clients: 'ioredis', tasks: 4, size: 50, workload: 'set-get', url: server.url },
        // Left to itself it would be warmed up for thousands of operations, each of which takes this server half a millisecond;
        // after fewer, the client's CPU may still fall, and a cold cell says nothing.
        ...{ warmupRuns: 10, iterations: 80 },
      });
      if (!pinned) this.skip();
      assert.equal(limit, 'server', figures);
      assert.match(details, /limited by[\s\S]* server /);
    } finally {
      subscriber.destroy();
      await server.stop();
    }
  });

  timed('is the work of the application where that fills the event loop', async function () {
    const { pinned, limit, figures, details } = await limitOf({
      ...{ clients: 'ioredis', appWork: '250us', warmupRuns: 10, iterations: 50 },
    });
    if (!pinned) this.skip();
    assert.equal(limit, 'application', figures);
    assert.match(details, /limited by[\s\S]* application /);
  });

  timed('are the round trips where one task waits for each reply', async function () {
    const { pinned, limit, figures, details } = await limitOf({
      ...{ clients: 'raw', tasks: 1, size: 10, rtt: '1ms' },
      // Left to itself it would be warmed up for thousands of operations, each of which takes a millisecond.
      ...{ warmupRuns: 2, iterations: 80 },
    });
    if (!pinned) this.skip();
    assert.equal(limit, 'round-trips', figures);
    assert.match(details, /limited by[\s\S]* round trips /);
  });
});
