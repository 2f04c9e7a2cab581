import assert from 'node:assert/strict';
import { latencyFixture } from '../../../helpers/latency-fixture.js';
import { createFixture, goodRun } from '../../../helpers/report-fixture.js';
import { detailsOf } from '../../../helpers/said.js';

/** @import { Cell } from '../../../../src/run/plan/types.js' */
/** @import { Run } from '../../../../src/store/types.js' */

/** @typedef {{averageMs: number, client?: object, server?: object, p50Us?: number}} Figures */

/**
 * @param {Record<string, unknown>} given @param {(cell: Cell, round: number) => Figures} figuresOf
 * @returns {Promise<string>} why one cell is slower than the other
 */
async function explained(given, figuresOf) {
  const report = await createFixture({
    given: { clients: 'ioredis', scenarios: 'shared-connection', runs: 6, ...given },
    measured: (cell) => ({
      iterations: 100,
      runs: [1, 2, 3, 4, 5, 6].map((round) => runOf(cell, round, figuresOf(cell, round))),
    }),
  });
  return detailsOf(report);
}

/** @param {Cell} cell @param {number} round @param {Figures} figures */
function runOf({ tasks, chosen }, round, { averageMs, client, server, p50Us }) {
  const run = goodRun(round, { tasks, iterations: 100, averageMs: averageMs + round / 10 });
  const { count = 1 } = /** @type {{count?: number}} */ (chosen.workload.parameter ?? {});
  const own = {
    commands: run.operations * count,
    client: { ...run.client, ...client },
    server: { ...run.server, commands: run.operations * count, ...server },
  };
  return /** @type {Run} */ ({ ...run, ...own, latency: p50Us ? latencyFixture([p50Us + round]) : null });
}

const FAR = { workload: 'fetch:20', way: 'one-by-one,pipeline', rtt: '1ms' };
const PIPELINE = { averageMs: 110, p50Us: 1100 };
const ONE_BY_ONE = {
  ...{ averageMs: 2100, p50Us: 21_000 },
  client: { eventLoopUtilization: 0.1, cpuUtilization: 0.1 },
  server: { cpuUtilization: 0.05, busiestNodeUtilization: 0.05 },
};

describe('why a request is slower', () => {
  it('it waits for more round trips, where the distance is known', async () => {
    const text = await explained(FAR, ({ way }) => (way === 'pipeline' ? PIPELINE : ONE_BY_ONE));
    assert.match(text, /slower: 20\.0 round trips of 1 ms per operation instead of 1\.1\./);
  });

  it('it has no more round trips than commands: the rest of its time it waits for something else', async () => {
    const text = await explained(FAR, ({ way }) =>
      way === 'pipeline' ? PIPELINE : { ...ONE_BY_ONE, p50Us: 60_500 },
    );
    assert.match(text, /slower: 20\.0 round trips of 1 ms per operation instead of 1\.1\./);
  });

  for (const [what, own] of /** @type {[string, (round: number) => object][]} */ ([
    ['differ by chance', (round) => ({ p50Us: round % 2 === 0 ? 500 : 40_000 })],
    ['are next to much work', () => ({ client: {} })],
  ])) {
    it(`round trips are no cause where they ${what}`, async () => {
      const text = await explained(FAR, ({ way }, round) =>
        way === 'pipeline' ? PIPELINE : { ...ONE_BY_ONE, ...own(round) },
      );
      assert.match(text, /slower/);
      assert.doesNotMatch(text, /round trips of/);
    });
  }

  for (const [what, encodeUs, says] of /** @type {[string, (round: number) => number, RegExp][]} */ ([
    [
      'a cause where it is longer',
      () => 9,
      /slower: encoding and decoding took 9(\.\d+)? µs per operation instead of 4/,
    ],
    [
      'none where it differs by chance',
      (round) => (round % 2) * 14 + 2,
      /slower: 24 µs of client CPU per operation instead of 20 µs\./,
    ],
  ])) {
    it(`its time for encoding is ${what}`, async () => {
      const given = { value: 'records', size: 1000, encode: 'json,json+gzip', workload: 'get' };
      const text = await explained(given, ({ encode }, round) =>
        encode === 'json'
          ? { averageMs: 100, client: { eventLoopUtilization: 1, encodeUsPerOp: 4 + round / 100 } }
          : {
              averageMs: 125,
              client: { eventLoopUtilization: 1, cpuUsPerOp: 24, encodeUsPerOp: encodeUs(round) },
            },
      );
      assert.match(text, says);
    });
  }
});
