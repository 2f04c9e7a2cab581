import assert from 'node:assert/strict';
import { RUN_WARNINGS } from '../../../../src/benchmark/report/words/fact-words.js';
import { remarksOf } from '../../../../src/benchmark/report/words/remarks.js';
import { createFixture, goodRun } from '../../../helpers/report-fixture.js';

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

describe('words/remarks', () => {
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
  });

  for (const [command, prepare] of [
    ['HGET {key} name', 'HSET {key} name {value}'],
    ['SISMEMBER {key} 7', 'SADD {key} 7'],
    ['ZRANGE {key} 0 -1', 'ZADD {key} 1 {value}'],
    ['XLEN {key}', 'XADD {key} 1-1 field {value}'],
  ])
    it(`of empty replies to ${command} name what stores data for it`, () =>
      assert.ok(
        RUN_WARNINGS['empty-replies']({ kind: 'empty-replies', command, prepared: false }).includes(
          `--prepare '${prepare}'`,
        ),
      ));
});
