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

  it('say a warning of many runs once, with the figures of the worst and the number of runs', async () => {
    /** @type {import('../../src/store/types.js').RunWarning[]} */
    const facts = [
      { kind: 'evicted', keys: 12 },
      { kind: 'evicted', keys: 900 },
      { kind: 'evicted', keys: 12 },
      { kind: 'found-nothing', command: 'LPOP {key}', empty: 5, operations: 200 },
      { kind: 'found-nothing', command: 'LPOP {key}', empty: 9, operations: 200 },
      { kind: 'found-nothing', command: 'SPOP {key}', empty: 9, operations: 200 },
      { kind: 'stalled', ms: 1200 },
      { kind: 'stalled', ms: 5200 },
      { kind: 'other-commands', commands: { get: 2 } },
      { kind: 'other-commands', commands: { get: 40 } },
      { kind: 'command-miscounted', command: 'get', claimed: 900, counted: 901 },
      { kind: 'command-miscounted', command: 'get', claimed: 800, counted: 850 },
      { kind: 'much-garbage' },
      { kind: 'much-garbage' },
    ];
    const { cells } = await createFixture({
      given: { clients: 'redis,ioredis', scenarios: 'pool', runs: facts.length },
      measured: ({ tasks }) => ({
        iterations: 100,
        runs: facts.map((fact, index) => ({
          ...goodRun(index + 1, { tasks, iterations: 100, averageMs: 100 }),
          warningFacts: [fact],
        })),
      }),
    });
    const remarks = remarksOf(cells);
    assert.deepEqual(
      remarks.map(({ text }) => text.replace(/^warning: /, '').replace(/:.*(?= \()/, '')).sort(),
      [
        '9 of 200 LPOP {key} found nothing, because it was used up (the worst of 4 such runs)',
        '9 of 200 SPOP {key} found nothing, because it was used up: add --prepare-each, or more --keys where --share is given',
        'garbage collection took over 10 % of the run',
        'no reply came for 5.2 s (the worst of 4 such runs)',
        'other commands ran on the server (the worst of 4 such runs)',
        'the run claims 800 GET, the server counted 850 (the worst of 4 such runs)',
        'the server evicted 900 keys to free memory (the worst of 6 such runs)',
      ],
    );
    assert.deepEqual([...new Set(remarks.map(({ who }) => who))], ['all cells']);
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
