import assert from 'node:assert/strict';
import { benchmark } from '../../../src/commands/benchmark/benchmark.js';
import { loadCatalogue } from '../../../src/options/catalogue.js';
import { loadPlugin } from '../../../src/plugins/registry.js';
import { loadClient } from '../../../src/worker/cell-parts.js';
import { assertRefused } from '../../helpers/main.js';
import { NIGHTLY } from '../../helpers/nightly.js';
import { startRedis } from '../../helpers/redis-server.js';
import { assertSound } from '../../helpers/sound.js';

/** @import { Connection, CycleContext, Item, Step } from '../../../src/plugins/types.js' */
/** @import { BenchmarkOptions } from '../../../src/commands/benchmark/types.js' */

const { clients, packages } = await loadCatalogue();
const installed = [...clients.values()].filter((each) => each.package === null || each.package in packages);
const workload = await loadPlugin('workloads', 'cache-aside');

/** @param {string | undefined} argument @param {object} options @param {string} way @returns {Promise<Step>} */
async function stepOf(argument, options, way) {
  const context = /** @type {CycleContext} */ ({ role: 0, way: await loadPlugin('ways', way) });
  const [[step]] = workload.cycle?.(workload.parse?.(argument, options), context) ?? [];
  return step;
}

describe('cache-aside', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  before(async () => {
    server = await startRedis();
  });
  after(() => server.stop());

  for (const client of installed)
    describe(`with ${client.id}`, () => {
      /** @type {Connection} */
      let connection;
      /** @type {Item} */
      const item = { index: 0, key: `rpb:${client.id}`, hash: '', value: 'the value' };
      before(async () => {
        const target = { transport: /** @type {const} */ ('tcp'), host: '127.0.0.1', port: server.port };
        connection = await client.connect(target, client.variants.default, await loadClient(client));
      });
      beforeEach(() => server.query('SET', item.key, item.value));
      after(() => connection.destroy());

      /** @param {Step} step @param {number} times all at once */
      async function send(step, times) {
        const sent = Array.from({ length: times }, () => step.send(connection, item));
        for (const reply of await Promise.all(sent)) assert.ok(step.accept(reply, item));
        return { lookups: step.takeLookups?.(), calls: step.takeCalls?.() };
      }

      it('misses as often as asked, and fills after each miss', async () => {
        const { lookups, calls } = await send(await stepOf('hit=75', {}, 'each'), 20);
        assert.deepEqual(lookups, { hits: 15, misses: 5, backfills: 5, doubled: 4 });
        assert.deepEqual(calls, { get: 20, set: 5 });
      });
      it('joined, one backfill is for all that miss the same key meanwhile', async () => {
        const step = await stepOf('hit=0', { missWork: 20 }, 'joined');
        const { lookups, calls } = await send(step, 20);
        assert.deepEqual(lookups, { hits: 0, misses: 20, backfills: 1, doubled: 0 });
        assert.deepEqual(calls, { get: 20, set: 1 });
        assert.deepEqual((await send(step, 1)).calls, { get: 1, set: 1 }, 'the next miss has its own');
      });
      it('sees a wrong value, whether it hits or misses', async () => {
        await server.query('SET', item.key, 'another');
        await server.query('SET', `${item.key}-`, 'a stranger');
        for (const hit of ['hit=100', 'hit=0']) {
          const step = await stepOf(hit, {}, 'each');
          assert.ok(!step.accept(await step.send(connection, item), item), hit);
        }
        await server.query('DEL', `${item.key}-`);
      });
      it('with --ttl stores what expires', async () => {
        await server.query('DEL', item.key);
        const step = await stepOf(undefined, { ttl: 50_000 }, 'each');
        await send(step, 1);
        const { lookups } = await send(step, 3);
        assert.deepEqual(lookups, { hits: 3, misses: 0, backfills: 0, doubled: 0 });
        const left = Number(await server.query('PTTL', item.key));
        assert.ok(left > 0 && left <= 50_000, `${left}`);
      });
    });

  /** @param {BenchmarkOptions} options */
  async function run(options) {
    await server.query('FLUSHALL');
    const report = await benchmark({
      ...{
        clients: 'raw',
        scenarios: 'shared-connection',
        size: 20,
        runs: 2,
        starts: 1,
        pin: 'off',
        seed: 1,
      },
      url: server.url,
      ...options,
    });
    assertSound(report);
    assert.deepEqual(await server.contents(), {});
    return report.cells.map((cell) => ({
      ...cell,
      lookups: cell.runs.flatMap(({ lookups }) => lookups ?? []),
    }));
  }

  it('has the hit rate that is asked for, on one connection and in a pool, confirmed by the server', async () => {
    const cells = await run({
      workload: (NIGHTLY ? [50, 90, 99] : [90]).map((hit) => `cache-aside:hit=${hit}`),
      scenarios: 'shared-connection,pool',
      ...{ way: 'each', runs: 1, warmupRuns: 0, iterations: 300, keys: 20, keyDistribution: 'zipf' },
    });
    assert.equal(cells.length, NIGHTLY ? 6 : 2);
    for (const { id, workload: name, summary, runs, lookups } of cells) {
      assert.ok(Math.abs(Number(summary?.hitRate) - Number(name.split('=')[1]) / 100) < 0.005, id);
      for (const [index, { misses, backfills, hits }] of lookups.entries()) {
        assert.equal(backfills, misses, id);
        assert.equal(hits + misses + backfills, runs[index].commands, id);
      }
    }
  });

  it('leaves the connection of a pool to others while a miss waits', async () => {
    const [tasks, iterations, missWorkMs] = [8, 5, 40];
    const [{ runs }] = await run({
      ...{ workload: 'cache-aside:hit=0', way: 'each', missWork: `${missWorkMs}ms`, tasks, iterations },
      ...{ scenarios: 'pool', poolSize: 1, runs: 1, warmupRuns: 0 },
    });
    const oneByOneMs = tasks * iterations * missWorkMs;
    assert.ok(Number(runs[0].elapsedMs) < oneByOneMs / 2, `${runs[0].elapsedMs} of ${oneByOneMs} ms`);
  });

  it('begins each run of --ttl empty: all miss one key at once, which joined makes one backfill', async () => {
    const cells = await run({
      ...{ workload: 'cache-aside', ttl: '5s', missWork: '20ms', keys: 1, tasks: 16, warmupRuns: 0 },
      durationMs: 200,
    });
    const [each, joined] = ['each', 'joined'].map(
      (way) => cells.filter((cell) => cell.way === way)[0].lookups,
    );
    for (const { hits, ...counts } of each) {
      assert.ok(hits > 0);
      assert.deepEqual(counts, { misses: 16, backfills: 16, doubled: 15 });
    }
    for (const { hits, ...counts } of joined) {
      assert.ok(hits > 0);
      assert.deepEqual(counts, { misses: 16, backfills: 1, doubled: 0 });
    }
  });

  it('says what it takes', async () => {
    const given = (/** @type {string[]} */ ...args) => ['--workload', ...args, '--clients', 'raw'];
    await assertRefused(given('cache-aside'), /such as cache-aside:hit=90, or cache-aside with --ttl 1s/);
    await assertRefused(given('cache-aside:hit=101'), /got 'hit=101'/);
    await assertRefused(given('cache-aside:hit=90', '--ttl', '1s'), /got both/);
    await assertRefused(given('cache-aside:hit=9', '--miss-work', 'long'), /--miss-work: expected a time/);
    await assertRefused(given('get', '--ttl', '1s'), /--ttl is for the workload cache-aside/);
    await assertRefused(given('get', '--way', 'joined'), /--way says/);
  });
});
