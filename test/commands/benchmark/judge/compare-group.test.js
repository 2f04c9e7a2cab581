import assert from 'node:assert/strict';
import { compareGroup, contrastGroups } from '../../../../src/commands/benchmark/judge/compare-group.js';
import { badRun, createFixture, goodRun } from '../../../helpers/report-fixture.js';

/**
 * One group: for each scenario of node-redis the averages of its runs in ms; null where a run failed.
 *
 * @param {Record<string, (number | null)[]>} averages @param {number} [start] of all; one each, by default
 */
async function groupOf(averages, start) {
  const { cells } = await createFixture({
    given: { clients: 'redis', scenarios: Object.keys(averages), runs: 3 },
    measured: ({ tasks, scenario }) => ({
      iterations: 100,
      runs: averages[scenario].map((averageMs, index) =>
        averageMs === null
          ? badRun(index + 1, 'lost')
          : {
              ...goodRun(index + 1, { tasks, iterations: 100, averageMs }),
              ...(start !== undefined && { start }),
            },
      ),
    }),
  });
  return cells;
}

/** @param {Parameters<typeof groupOf>} given */
async function compare(...given) {
  const cells = await groupOf(...given);
  const comparison = compareGroup(contrastGroups([cells])[0]);
  const scenarioOf = (/** @type {string} */ id) => cells.find((cell) => cell.id === id)?.scenario;
  return {
    ...comparison,
    ranking: comparison.ranking.map((place) => ({ ...place, cell: scenarioOf(place.cell) })),
  };
}

describe('commands/benchmark/judge/compare-group', () => {
  it('goes by the median of one start, and compares nothing', async () => {
    const { ranking, tested } = await compare(
      { pool: [10, 300, 300, 300, 300, 300], 'shared-connection': [200, 201, 202, 203, 204, 205] },
      1,
    );
    assert.deepEqual(
      ranking.map(({ cell, verdict, againstFastest }) => [cell, verdict, againstFastest]),
      [
        ['shared-connection', 'not measured', null],
        ['pool', 'not measured', null],
      ],
    );
    assert.equal(tested.reason, 'one-start');
  });

  it('holds each against the fastest and against the first that was named', async () => {
    const { ranking, tested } = await compare({
      pool: [200, 204, 196, 202, 198],
      'shared-connection': [102, 98, 101, 99, 100],
      'open-and-close': [396, 398, 404, 402, 400],
    });
    const ratios = ranking.map(({ againstFastest, againstFirst }) => [
      againstFastest?.ratio.toFixed(2),
      againstFirst?.ratio.toFixed(2),
    ]);
    assert.deepEqual(ratios, [
      [undefined, '2.00'],
      ['0.50', undefined],
      ['0.25', '0.50'],
    ]);
    assert.ok(ranking.slice(1).every(({ againstFastest }) => againstFastest?.differs));
    assert.deepEqual([tested.by, tested.comparisons, tested.starts], ['starts', 3, 5]);
  });

  it('claims a difference where the statistics carry it alone', async () => {
    const { ranking } = await compare({
      'shared-connection': [100, 110, 120, 105, 115],
      pool: [124, 104, 109, 119, 114],
      'open-and-close': [215, 220, 205, 210, 200],
    });
    const claims = Object.fromEntries(
      ranking.map(({ cell, againstFastest }) => [cell, againstFastest?.differs ?? null]),
    );
    assert.deepEqual(claims, { 'shared-connection': null, pool: false, 'open-and-close': true });
  });

  it('has a verdict on each, and none of what no test compared', async () => {
    const verdictsOf = async (/** @type {Record<string, (number | null)[]>} */ averages) => {
      const { ranking } = await compare(averages);
      return ranking.map(({ verdict }) => verdict);
    };
    const steady = [100, 101, 99, 100, 102, 98];
    const all = {
      'shared-connection': steady,
      'connection-per-task': [99, 100, 102, 98, 101, 100],
      'open-and-close': steady.map((ms) => ms * 4),
    };
    const verdicts = await verdictsOf(all);
    assert.deepEqual(verdicts, [null, 'tied', 'slower']);
    const scattered = await verdictsOf({ 'shared-connection': steady, pool: [40, 300, 80, 200, 120, 90] });
    assert.deepEqual(scattered.map(String).toSorted(), ['not decided', 'null']);
    assert.deepEqual(await verdictsOf({ 'shared-connection': steady, pool: [150] }), [
      ...['not measured', 'not measured'],
    ]);
    assert.deepEqual(await verdictsOf({ 'shared-connection': [100], pool: [101] }), [
      ...['not measured', 'not measured'],
    ]);
    assert.deepEqual(await verdictsOf({ 'shared-connection': [100] }), [null]);
  });

  it('leaves out what gave no result', async () => {
    const { ranking } = await compare({ pool: [null, null], 'shared-connection': [100, null, 120] });
    assert.deepEqual(
      ranking.map(({ cell }) => cell),
      ['shared-connection'],
    );
  });

  it('holds a cell against the floor that connects alike', async () => {
    const { cells } = await createFixture({
      given: { clients: 'raw,redis', scenarios: 'pool', poolSize: '1,3', runs: 1 },
      measured: ({ tasks, client, scenarioOptions }) => ({
        iterations: 100,
        runs: [
          goodRun(1, {
            ...{ tasks, iterations: 100 },
            averageMs: (client === 'raw' ? 100 : 200) / Number(scenarioOptions.poolSize),
          }),
        ],
      }),
    });
    const { ranking } = compareGroup(contrastGroups([cells])[0]);
    assert.deepEqual(
      ranking.map(({ ofCeiling }) => ofCeiling?.toFixed(2)),
      ['0.50', '0.50'],
    );
  });
});
