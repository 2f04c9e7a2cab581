import assert from 'node:assert/strict';
import { createFixture, goodRun } from '../../helpers/report-fixture.js';

/** @import { Cell } from '../../../src/plan/types.js' */

/** @param {Record<string, unknown>} given @param {(cell: Cell) => number} averageMs */
async function adviceOn(given, averageMs) {
  const { advice } = await createFixture({
    given: { clients: 'redis,ioredis', scenarios: 'shared-connection', runs: 5, ...given },
    measured: (cell) => ({
      iterations: 1000,
      runs: [1, 2, 3, 4, 5].map((round) =>
        goodRun(round, { tasks: cell.tasks, iterations: 1000, averageMs: averageMs(cell) + round / 10 }),
      ),
    }),
  });
  return advice;
}

const NEARBY = /^On a local server, /;

describe('words: what depends on conditions', () => {
  it('names a boundary with its value', async () => {
    const advice = await adviceOn({ tasks: '1,8,64,256' }, ({ client, tasks }) =>
      (client === 'redis') === tasks < 8 ? 100 : 200,
    );
    assert.deepEqual(advice.slice(0, 2), [
      'From 8 tasks on: use "ioredis, shared connection".',
      'At 1 task: use "redis, shared connection".',
    ]);
  });

  it('names both of two conditions', async () => {
    const [, second] = await adviceOn({ tasks: '1,8', size: '10,1000' }, ({ client, tasks, valueSize }) =>
      (client === 'redis') === (tasks === 8 && valueSize === 1000) ? 100 : 200,
    );
    assert.equal(second, 'With values of 1,000 characters and at 8 tasks: use "redis, shared connection".');
  });

  it('names a condition that is no number in words', async () => {
    const background = await adviceOn({ beside: ['none', 'BLPOP 100ms'] }, ({ client, beside = [] }) =>
      (client === 'redis') === (beside.length === 0) ? 100 : 200,
    );
    assert.deepEqual(background.slice(0, 2), [
      'Without background load: use "redis, shared connection".',
      'With background BLPOP 100ms: use "ioredis, shared connection".',
    ]);
    const work = await adviceOn({ appWork: '0,200us' }, ({ client, appWorkUs }) =>
      (client === 'redis') === (appWorkUs === 0) ? 100 : 200,
    );
    assert.match(
      work.join('\n'),
      /^With no app work: use "redis, .*"\.\nWith 200 µs of app work: use "ioredis, /,
    );
  });

  it('what was not shown under all conditions, with where it was', async () => {
    const shownBelow = (/** @type {number} */ tasks) => (/** @type {Cell} */ cell) =>
      cell.client === 'redis' || cell.tasks >= tasks ? 100 : 200;
    const [first] = await adviceOn({ tasks: '1,8,64' }, shownBelow(64));
    assert.equal(
      first,
      'Up to 8 tasks: use redis. 2.0x faster than ioredis (significant in 2 of 3 comparisons).',
    );
    const [work] = await adviceOn({ tasks: '1,8', appWork: '0,200us' }, (cell) =>
      cell.appWorkUs > 0 ? 300 : shownBelow(8)(cell),
    );
    assert.match(work, /^At 1 task and with no app work: use redis\. 2\.0x faster than ioredis \(/);
  });

  it('names the fastest of equally good choices', async () => {
    const given = { scenarios: 'pool,shared-connection', appWork: '0,200us' };
    const advice = await adviceOn(given, ({ client, scenario, appWorkUs }) => {
      if (appWorkUs === 0) return client === 'redis' && scenario === 'pool' ? 100 : 200;
      return scenario === 'pool' && client === 'redis' ? 200 : client === 'redis' ? 100.01 : 100;
    });
    assert.match(advice.join(' '), /With 200 µs of app work: use "ioredis, /);
  });

  it('says nothing of what does not change', async () => {
    const advice = await adviceOn({ tasks: '1,8' }, ({ client }) => (client === 'redis' ? 100 : 200));
    assert.equal(advice[0], 'Use redis.');
  });

  it('a distance is proposed where none was tried', async () => {
    const speeds = (/** @type {Cell} */ { client }) => (client === 'redis' ? 100 : 200);
    assert.ok((await adviceOn({}, speeds)).some((text) => NEARBY.test(text)));
    for (const given of [{ rtt: '0,1ms' }, { rtt: '1ms' }, { transport: 'unix' }]) {
      const advice = await adviceOn(given, speeds);
      assert.deepEqual(
        advice.filter((text) => NEARBY.test(text)),
        [],
        JSON.stringify(given),
      );
    }
  });
});
