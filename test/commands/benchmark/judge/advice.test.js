import assert from 'node:assert/strict';
import { createFixture, goodRun } from '../../../helpers/report-fixture.js';

/** @param {Record<string, number[]>} averages ms of each run, by client and scenario */
const reportOf = (averages) =>
  createFixture({
    given: { clients: 'redis,ioredis', scenarios: 'shared-connection,connection-per-task', runs: 5 },
    measured: ({ client, scenario, tasks }) => ({
      iterations: 100,
      runs: averages[`${client} ${scenario}`].map((averageMs, index) =>
        goodRun(index + 1, { tasks, iterations: 100, averageMs }),
      ),
    }),
  });

/** @param {Parameters<typeof reportOf>[0]} averages @returns {Promise<string[]>} */
async function choicesOf(averages) {
  const { findings } = await reportOf(averages);
  return findings.flatMap((each) =>
    each.kind === 'choice' && each.axis === 'scenario'
      ? [`${each.client ?? 'all'}: ${each.best.map(({ value }) => value).join(' or ')}`]
      : [],
  );
}

const APART = { 'redis shared-connection': [202, 198, 201, 199, 200] };
const DECIDED = { ...APART, 'redis connection-per-task': [101, 99, 100, 102, 98] };

describe('what to choose', () => {
  it('is one answer for all clients where nothing speaks against it', async () => {
    const close = { 'ioredis shared-connection': [100, 120, 80, 110, 90] };
    const all = { ...DECIDED, ...close, 'ioredis connection-per-task': [98, 118, 79, 109, 89] };
    assert.deepEqual(await choicesOf(all), ['all: connection per task']);
  });

  it('is told of each client where an undecided pair leans the other way', async () => {
    const leaning = { 'ioredis shared-connection': [100, 140, 60, 120, 80] };
    const all = { ...DECIDED, ...leaning, 'ioredis connection-per-task': [118, 170, 75, 145, 99] };
    assert.deepEqual(await choicesOf(all), [
      'redis: connection per task',
      'ioredis: shared connection or connection per task',
    ]);
  });

  it('is never "or" of what was not compared', async () => {
    const { choices, comparisons } = await reportOf({
      'redis shared-connection': [101, 99, 100, 102, 98],
      'ioredis shared-connection': [202, 198, 201, 199, 200],
      'redis connection-per-task': [150],
      'ioredis connection-per-task': [100],
    });
    const texts = choices.map(({ choose, texts: { best, behind } }) => `${choose}: ${best}; ${behind}`);
    assert.ok(texts.length > 0 && texts.every((text) => !/ or |tied|≈|\?/.test(text)), texts.join('\n'));
    assert.equal(comparisons[0].ranking.filter(({ verdict }) => verdict === 'not measured').length, 1);
  });

  it('may depend on the rest, where a pair leans to a client that is beaten in another', async () => {
    const { choices } = await reportOf({
      'redis shared-connection': [107, 90, 80, 90, 94],
      'ioredis shared-connection': [145, 132, 142, 244, 145],
      'redis connection-per-task': [108, 181, 119, 112, 139],
      'ioredis connection-per-task': [128, 161, 114, 92, 102],
    });
    const [, client] = choices ?? [];
    assert.deepEqual([client.choose, client.texts.best], ['client', 'may depend on the other choices']);
  });
});
