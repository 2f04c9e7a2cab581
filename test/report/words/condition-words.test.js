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
