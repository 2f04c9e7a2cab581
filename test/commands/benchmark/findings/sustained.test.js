import assert from 'node:assert/strict';
import sustainedRate from '../../../../src/commands/benchmark/findings/sustained-rate.js';
import { ladders } from '../../../../src/commands/benchmark/judge/compare-group.js';
import { createFixture, goodRun } from '../../../helpers/report-fixture.js';

/**
 * Steps of a search, as far as their order needs them.
 *
 * @param {Record<string, any>} differing from the others
 * @param {[rate: number, held: boolean][]} steps
 */
async function stepsOf(differing, steps) {
  const { cells } = await createFixture({
    given: { clients: 'redis', scenarios: 'pool', rateSearch: '100-1000' },
    measured: ({ tasks }) => ({
      iterations: null,
      runs: [goodRun(1, { tasks, iterations: 100, averageMs: 100 })],
    }),
  });
  const [{ summary, ...cell }] = cells;
  return steps.map(([intendedPerSecond, held]) => ({
    ...{ ...cell, ...differing, id: `${JSON.stringify(differing)}/${intendedPerSecond}` },
    summary: /** @type {any} */ ({
      ...summary,
      openLoop: {
        intendedPerSecond,
        achievedPerSecond: intendedPerSecond,
        held,
        p99Us: intendedPerSecond,
        waited: 0,
        dropped: 0,
      },
    }),
  }));
}

describe('findings/sustained', () => {
  for (const [what, one, other] of /** @type {[string, object, object][]} */ ([
    ['releases', { version: '5.12.1' }, { version: '6.3.1' }],
    ['Node binaries', { node: '20.20.2' }, { node: '24.1.0' }],
    ['numbers of keys', { keys: 1 }, { keys: 1000 }],
    ['lengths of values', { shortestValue: 10 }, { shortestValue: 1000 }],
  ])) {
    it(`keeps ${what} apart: what one did not hold says nothing of the other`, async () => {
      const cells = [
        ...(await stepsOf(one, [
          [100, true],
          [200, false],
        ])),
        ...(await stepsOf(other, [
          [300, true],
          [400, true],
        ])),
      ];
      const rates = ladders(cells).map(({ steps }) =>
        steps.map(({ summary }) => summary.openLoop.intendedPerSecond),
      );
      assert.deepEqual(rates, [
        [100, 200],
        [300, 400],
      ]);
      const [first, second] = sustainedRate.find(/** @type {any} */ ({ cells }));
      assert.deepEqual([first.held?.intendedPerSecond, first.broken?.intendedPerSecond], [100, 200]);
      assert.deepEqual([second.held?.intendedPerSecond, second.broken], [400, null]);
    });
  }
});
