import assert from 'node:assert/strict';
import { LOAD_AXES } from '../../../src/axes/open-loop.js';
import { UNHARMED } from '../../helpers/fault-fixture.js';
import { createFixture, goodRun } from '../../helpers/report-fixture.js';

/** @import { Run } from '../../../src/results/types.js' */

/** @param {Record<string, unknown>} given @param {Partial<Run>} run */
async function toldOf(given, run) {
  const { advice, details } = await createFixture({
    given: { clients: 'redis', scenarios: 'shared-connection', ...given },
    measured: ({ tasks }) => ({
      iterations: 100,
      runs: [{ ...goodRun(1, { tasks, iterations: 100, averageMs: 100 }), ...run }],
    }),
  });
  return { advice: advice.join('\n'), details: details.join('\n') };
}

const faultsOf = (/** @type {string} */ fault) => toldOf({ fault, durationMs: 2000 }, { fault: UNHARMED });

describe('words/not-measured-words', () => {
  it('a report of faults says what it holds under', async () => {
    const { advice, details } = await faultsOf('stall:1s');
    assert.match(
      advice,
      /^Conditions: local server only, TCP, APPEND of numbers, standalone, 8 tasks, server stalled for 1 s after 0\.6 s, 2,000\/s, SLO 100 ms\.$/m,
    );
    assert.match(details, /^Not measured: .*, faults other than stall:1s,/m);
  });

  it('a fault that is done by a relay was not measured on the loopback alone', async () => {
    assert.match((await faultsOf('cut')).advice, /^Conditions: local server only, through a relay, /m);
    assert.match(
      (await faultsOf('failover:1s')).advice,
      /^Conditions: local server only, through a relay, /m,
    );
    const both = await faultsOf('cut,stall:1s');
    assert.match(both.advice, /^Conditions: local server only, TCP, .*8 tasks, 2,0/m);
    assert.doesNotMatch(both.details, /faults other/);
  });

  it('what was asked of keys and of the rate is a condition too', async () => {
    const conditionsOf = async (/** @type {Record<string, unknown>} */ given) =>
      /^Conditions: .*, standalone, (.*)\.$/m.exec((await toldOf(given, {})).advice)?.[1];
    assert.equal(await conditionsOf({ size: 100 }), 'values of 100 characters, 8 tasks');
    assert.equal(
      await conditionsOf({ keys: 5000, keyDistribution: 'zipf', keySize: 40, valueSize: 100 }),
      'keys of 40 characters, values of 100 characters, 5,000 keys (zipf), 8 tasks',
    );
    assert.equal(await conditionsOf({ keys: 1, size: 100 }), 'values of 100 characters, 1 key, 8 tasks');
    const openLoop = { size: 100, rate: 500, arrivals: 'poisson', sloMs: 20, durationMs: 3000 };
    assert.equal(
      await conditionsOf(openLoop),
      'values of 100 characters, 8 tasks, 500/s at random, SLO 20 ms, 3 s per run',
    );
  });

  it('a replay names its speed, its SLO and the length of its runs', () => {
    const cell = /** @type {any} */ ({ openLoop: { speed: 20, ratePerSecond: 11_920, sloMs: 5 } });
    const settings = /** @type {any} */ ({ durationMs: 300 });
    assert.deepEqual(
      LOAD_AXES.flatMap(({ notMeasured }) => notMeasured?.constant(cell, settings) || []),
      ['20x as fast as recorded (open loop, about 11,920/s), SLO 5 ms, 300 ms per run'],
    );
  });

  it('a cluster whose keys are in one slot is no usual one', async () => {
    const { advice } = await toldOf({ topology: 'cluster', oneSlot: true }, {});
    assert.match(advice, /^Conditions: .*, cluster \(one slot\), values/m);
  });

  it('names the number of processes where there is more than one', async () => {
    const { advice, details } = await toldOf({ processes: 2 }, {});
    assert.match(advice, /^Conditions: .*, TCP, 2 processes, GET, .*, 8 tasks\./m);
    assert.match(details, /, numbers of processes other than 2, /);
    assert.doesNotMatch((await toldOf({}, {})).details, /processes/);
  });

  for (const [rtt, text] of [
    ['0', "the server's own"],
    ['relay', "the relay's own"],
    ['2ms', '2 ms'],
  ]) {
    it(`round trips other than ${text}`, async () =>
      assert.ok((await toldOf({ rtt }, {})).details.includes(`, round trips other than ${text}, `)));
  }
});
