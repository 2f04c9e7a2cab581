import assert from 'node:assert/strict';
import { remarksOf } from '../../src/report/run-remarks.js';
import { createFixture, goodRun } from '../helpers/report-fixture.js';

/** @param {string[]} scenarios that a warning is about, of four */
async function whose(scenarios) {
  const { cells } = await createFixture({
    given: { clients: 'redis,ioredis', runs: 1 },
    measured: ({ tasks, client, scenario }) => ({
      iterations: 100,
      runs: [
        goodRun(1, {
          tasks,
          iterations: 100,
          averageMs: 100,
          warnings: client === 'redis' || scenarios.includes(scenario) ? ['noise'] : [],
        }),
      ],
    }),
  });
  return remarksOf(cells).map(({ who }) => who);
}

describe('report/run-remarks', () => {
  it('name those that it is not about where these are few', async () => {
    assert.deepEqual(await whose(['shared-connection', 'connection-per-task', 'pool']), [
      'all cells but ioredis, open and close',
    ]);
  });
  it('name those that it is about where these are not nearly all', async () => {
    assert.deepEqual(await whose([]), [
      'redis, shared connection; redis, connection per task; redis, pool of 3; redis, open and close',
    ]);
  });

  it('are on the first screen by their kind, whatever their text names', async () => {
    const { cells } = await createFixture({
      given: { clients: 'redis', scenarios: 'pool', runs: 1 },
      measured: ({ tasks }) => ({
        iterations: 100,
        runs: [
          {
            ...goodRun(1, { tasks, iterations: 100, averageMs: 100 }),
            warningFacts: [
              { kind: 'evicted', keys: 12 },
              { kind: 'other-commands', commands: { 'config|get --all': 2 } },
            ],
          },
        ],
      }),
    });
    assert.deepEqual(
      remarksOf(cells).map(({ inShort }) => inShort),
      ['redis, pool of 3: warning: the server evicted 12 keys to free memory', undefined],
    );
    // What is said elsewhere is left out by its kind.
    assert.deepEqual(
      remarksOf(cells, ['evicted', '']).map(({ text }) => text),
      ['warning: other commands ran on the server: config|get --all ×2'],
    );
  });

  it('say where nobody could see what an imported module does to a client', async () => {
    const { cells } = await createFixture({
      given: { clients: 'redis,raw', scenarios: 'pool', runs: 1 },
      measured: ({ tasks }) => ({
        iterations: 100,
        runs: [goodRun(1, { tasks, iterations: 100, averageMs: 100 })],
      }),
    });
    const textsWith = (
      /** @type {{name: string, instruments?: string[]} | undefined} */ imported,
      more = {},
    ) =>
      remarksOf(cells.map((cell) => ({ ...cell, ...more, ...(imported && { imported }) }))).map(
        ({ who, text }) => `${who}: ${text}`,
      );
    assert.deepEqual(textsWith({ name: 'otel.mjs' }), [
      'redis, pool of 3: whether otel.mjs changes anything in this client could not be seen',
    ]);
    assert.deepEqual(textsWith({ name: 'otel.mjs', instruments: ['Redis.sendCommand'] }), []);
    assert.deepEqual(textsWith({ name: 'otel.mjs' }, { bundle: 'esbuild' }), []);
    assert.deepEqual(textsWith(undefined), []);
  });
});
