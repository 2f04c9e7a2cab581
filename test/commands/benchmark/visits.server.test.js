import assert from 'node:assert/strict';
import { benchmark } from '../../../src/commands/benchmark/benchmark.js';
import { nextStart } from '../../../src/commands/benchmark/policy/starts.js';
import { setsOf } from '../../../src/commands/benchmark/run-group.js';
import { resolveOptions } from '../../../src/commands/benchmark/settings.js';
import { loadCatalogue } from '../../../src/options/catalogue.js';
import { planOf } from '../../helpers/plan.js';
import { childrenOf } from '../../helpers/processes.js';
import { startRedis } from '../../helpers/redis-server.js';
import { goodRun } from '../../helpers/report-fixture.js';
import { assertSound } from '../../helpers/sound.js';
import { timed } from '../../helpers/timed.js';

/** @import { Standing, State } from '../../../src/commands/benchmark/policy/starts.js' */

const SUITE = { id: 'none', title: 'no suite', summary: 'no options of its own', options: {} };

describe('groups that are measured together', () => {
  /** @param {object} given @param {object} [more] @returns {Promise<number[]>} how many groups are in each set */
  async function setSizes(given, more) {
    const catalogue = await loadCatalogue();
    const asked = { clients: ['raw', 'ioredis'], scenarios: ['shared-connection'], ...given };
    const settings = { ...resolveOptions(asked, SUITE), seed: 1 };
    const capacity = { bytes: 1e12, processes: 100 };
    const { groups } = planOf(settings, catalogue, ['tcp']);
    return setsOf(groups, { settings, catalogue, capacity, ...more }).map(({ length }) => length);
  }

  for (const [given, sizes, more] of /** @type {[object, number[], object?][]} */ ([
    [{ tasks: [1, 8], rtt: [0, 1] }, [4]],
    [{ size: [10, 1000], appWork: [0, 200] }, [4]],
    [{ tasks: [1, 8], workload: ['get', 'set'] }, [2, 2]],
    [{ tasks: [1, 8], runs: 3 }, [1, 1]],
    [{ tasks: [1, 8], processes: [1, 2] }, [2, 1, 1]],
    [{ tasks: [1, 8] }, [1, 1], { capacity: { bytes: 1e12, processes: 1 } }],
  ]))
    it(`of ${JSON.stringify(given)} are ${sizes.join(' and ')}${more ? ', where their workers do not fit' : ''}`, async () =>
      assert.deepEqual(await setSizes(given, more), sizes));
});

describe('a start of several conditions', () => {
  /**
   * @param {string} id
   * @param {number} perSecond
   * @param {number} starts
   * @param {number} [luck] of every other start
   * @returns {Standing}
   */
  const cell = (id, perSecond, starts, luck = 1) => ({
    id,
    keySize: 10,
    valueSize: 10,
    perMs: perSecond / 1000,
    batchSize: 1,
    isProfiled: false,
    size: { iterations: 100, slices: 4, runMs: 100 },
    runs: Array.from({ length: 3 * starts }, (_, run) => ({
      ...goodRun(run + 1, { tasks: 1, iterations: 1000, averageMs: 10 }),
      start: Math.floor(run / 3) + 1,
      opsPerSecond: perSecond * (Math.floor(run / 3) % 2 ? luck : 1) * (1 + ((run * 7) % 5) / 500),
      slices: /** @type {any} */ (
        [0.999, 1, 1.001].map((part) => ({ elapsedMs: 25, operations: part * perSecond * 0.025 }))
      ),
    })),
  });

  /** @param {Standing[][]} conditions @param {number} leftMs @param {number} [starts] @returns {State} */
  const stateOf = (conditions, leftMs, starts = 1) => ({
    planned: 'race',
    isStrict: true,
    conditions: conditions.map((cells) => ({
      cells,
      racing: cells.map(({ id }) => id),
      waiting: [],
    })),
    starts,
    rounds: 3,
    leftMs,
    lastMs: 8000,
    warmMs: 3000,
    processes: 12,
    cellMs: { cold: 1000, warm: 250 },
  });

  it('has what is near the best of each', () => {
    const state = stateOf(
      [
        [cell('a', 100, 1), cell('b', 90, 1), cell('c', 20, 1)],
        [cell('d', 100, 1), cell('e', 95, 1)],
      ],
      60_000,
    );
    assert.deepEqual(
      nextStart(state)?.conditions.map(({ racing }) => racing),
      [
        ['a', 'b'],
        ['d', 'e'],
      ],
    );
  });

  it('leaves out a condition whose order is known', () => {
    const known = [cell('a', 100, 3), cell('b', 60, 3)];
    const state = stateOf([known, [cell('d', 100, 3), cell('e', 104, 3, 0.9)]], 60_000, 3);
    assert.deepEqual(
      nextStart(state)?.conditions.map(({ racing }) => racing),
      [[], ['d', 'e']],
    );
  });

  it('has the conditions that there is time for', () => {
    const all = Array.from({ length: 4 }, (_, place) => [
      cell(`a${place}`, 100, 2),
      cell(`b${place}`, 99, 2, 0.9),
    ]);
    const visited = (/** @type {number} */ leftMs) =>
      nextStart(stateOf(all, leftMs, 2))?.conditions.filter(({ racing }) => racing.length > 0).length;
    assert.deepEqual([60_000, 4500, 1000].map(visited), [4, 2, undefined]);
  });
});

describe('a process that visits conditions', function () {
  this.timeout(60_000);
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let external;
  before(async () => {
    external = await startRedis();
  });
  after(() => external.stop());

  timed('is one for each client, keeps to the data of each, and leaves no keys', async () => {
    let most = 0;
    const report = await benchmark(
      {
        url: external.url,
        clients: 'raw,raw',
        scenarios: 'connection-per-task',
        tasks: '1,3',
        size: '10,1000',
        workload: 'set',
        budget: '8s',
        profile: false,
      },
      {
        stateFolder: null,
        onEvent: ({ type }) => {
          if (type === 'run') most = Math.max(most, childrenOf('worker/entry.js').length);
        },
      },
    );
    assertSound(report);
    assert.equal(most, 2);
    assert.equal(report.cells.length, 8);
    for (const { id, runs, tasks, summary } of report.cells) {
      assert.ok(runs.length > 0, id);
      assert.ok(
        runs.every(({ connections }) => connections === tasks),
        id,
      );
      assert.ok(Number(summary?.opsPerSecond) > 0, id);
    }
    assert.deepEqual(await external.contents(), {});
  });
});
