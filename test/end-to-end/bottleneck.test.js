import assert from 'node:assert/strict';
import { benchmark } from '../../src/index.js';

/**
 * Each bottleneck is made to happen for real. Pinned apart, so that neither side can take the other's
 * processor; where that is not possible, client and server share what there is and nothing can be said.
 *
 * @param {import('../../src/types.js').BenchmarkOptions} options
 */
async function limitOf(options) {
  const { cells, placements, comparisons } = await benchmark({
    ...{ scenarios: 'shared-connection', runs: 3, runTimeMs: 100 },
    ...options,
  });
  const [{ summary }] = cells;
  assert.ok(summary, JSON.stringify(cells[0].runs));
  return {
    pinned: placements[0].workerCpus !== null,
    limit: summary.bottleneck.limit,
    figures: JSON.stringify(summary.bottleneck),
    sentence: comparisons[0].explanation[0],
  };
}

describe('the bottleneck', () => {
  it('is the client where its event loop is busy with a hundred tasks', async function () {
    const { pinned, limit, figures, sentence } = await limitOf({ clients: 'redis', tasks: 100, size: 10 });
    if (!pinned) this.skip();
    assert.equal(limit, 'client', figures);
    assert.match(sentence, /limited by the client/);
  });

  it('is the server where each command costs it a megabyte', async function () {
    const { pinned, limit, figures, sentence } = await limitOf({
      ...{ clients: 'raw', tasks: 4, keySize: 20, valueSize: 1_000_000, workload: 'set-get' },
    });
    if (!pinned) this.skip();
    assert.equal(limit, 'server', figures);
    assert.match(sentence, /limited by the server/);
  });

  it('are the round trips where one task waits for each reply', async function () {
    const { pinned, limit, figures, sentence } = await limitOf({ clients: 'raw', tasks: 1, size: 10 });
    if (!pinned) this.skip();
    assert.equal(limit, 'round-trips', figures);
    assert.match(sentence, /limited by round trips/);
  });
});
