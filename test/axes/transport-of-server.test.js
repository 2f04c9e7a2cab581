import assert from 'node:assert/strict';
import { nameCells } from '../../src/axes/cell-names.js';
import { createFixture, goodRun } from '../helpers/report-fixture.js';

/** @param {('tcp' | 'tls')[]} transports of each server */
async function reportOf(...transports) {
  const servers = transports.map((transport, index) => ({
    ...{ server: ['tls', 'stunnel'][index], transports: [transport] },
  }));
  return createFixture({
    given: { clients: 'redis,ioredis', scenarios: 'shared-connection', runs: 6 },
    sources: { servers },
    measured: ({ server, tasks }) => ({
      iterations: 100,
      runs: [1, 2, 3, 4, 5, 6].map((round) =>
        goodRun(round, {
          ...{ tasks, iterations: 100 },
          averageMs: (server === 'tls' ? 300 : 100) + ((round * 5) % 6),
        }),
      ),
    }),
  });
}

describe('servers that are reached in one way each', () => {
  it('are named by themselves, and are a choice', async () => {
    const { cells, choices } = await reportOf('tls', 'tcp');
    assert.deepEqual([...nameCells(cells).values()].toSorted(), [
      'ioredis, stunnel, shared connection',
      'ioredis, tls, shared connection',
      'redis, stunnel, shared connection',
      'redis, tls, shared connection',
    ]);
    const [server] = choices.filter(({ axis }) => axis === 'server');
    assert.deepEqual(server?.best, ['stunnel']);
    assert.match(String(server?.texts.behind), /^tls: [23]\.\dx/);
    assert.ok(cells.every(({ id, transport }) => id.includes(`/${transport}/`)));
  });

  it('have no transport in their names where all have the same', async () => {
    const { cells } = await reportOf('tcp', 'tcp');
    assert.ok([...nameCells(cells).values()].every((name) => !/tcp|tls$/.test(name)));
  });
});
