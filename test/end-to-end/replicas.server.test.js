import assert from 'node:assert/strict';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { startServers } from '../../src/server/open.js';
import { locateServer } from '../../src/server/sources.js';
import { labelOf } from '../../src/server/target.js';
import { assertSound } from '../helpers/sound.js';

/** @import { BenchmarkOptions } from '../../src/commands/benchmark/types.js' */

describe('replicas', function () {
  this.timeout(120_000);

  /** @param {BenchmarkOptions} options */
  async function run(options) {
    const report = await benchmark({
      ...{ readFrom: 'primary,replica', scenarios: 'shared-connection', workload: 'mix:get=50,set=50' },
      ...{
        size: 20,
        keys: 50,
        tasks: 4,
        runs: 1,
        starts: 1,
        warmupRuns: 0,
        iterations: 40,
        pin: 'off',
        profile: false,
      },
      ...options,
    });
    const runs = report.cells.flatMap((cell) => cell.runs.map((each) => ({ cell, ...each })));
    // Each command is counted once, whichever node it went to.
    assertSound(report);
    const shares = runs.map(({ cell, server }) => [cell.client, cell.readFrom, server?.replicaReadShare]);
    return { report, runs, shares };
  }

  it('of a running cluster are found, and asked as each client does it', async () => {
    const cluster = await startServers(await locateServer(), { size: 3, cluster: true, replicas: 1 });
    try {
      const url = `redis://${labelOf(cluster.nodes[0].targets.tcp)}`;
      const { report, runs, shares } = await run({ url, topology: 'cluster', clients: 'redis,ioredis' });
      const [ofRedis] = shares.flatMap(([client, from, share]) =>
        client === 'redis' && from === 'replica' ? [Number(share)] : [],
      );
      assert.ok(ofRedis > 0.2 && ofRedis < 0.8, `${ofRedis}`);
      assert.deepEqual(
        shares.filter(([client, from]) => client === 'ioredis' || from === 'primary'),
        [
          ['redis', 'primary', 0],
          ['ioredis', 'primary', 0],
          ['ioredis', 'replica', 1],
        ],
      );
      assert.deepEqual(
        report.servers[0].replicas?.toSorted(),
        cluster.replicas
          .flat()
          .map(({ targets }) => labelOf(targets.tcp))
          .toSorted(),
      );
      for (const { server } of runs) {
        assert.equal(server?.commands, 160);
        assert.equal(server?.replicas?.length, 3);
      }
      for (const { control } of [...cluster.nodes, ...cluster.replicas.flat()])
        assert.equal(await control.command('DBSIZE'), 0);
    } finally {
      await cluster.stop();
    }
  });

  it('of a managed server are reached over TLS and through relays', async () => {
    const { report, shares } = await run({
      ...{ replicas: 2, clients: 'valkey-glide', transport: 'tls', rtt: 'relay' },
    });
    assert.equal(report.servers[0].replicas?.length, 2);
    assert.deepEqual(shares, [
      ['valkey-glide', 'primary', 0],
      ['valkey-glide', 'replica', 1],
    ]);
  });
});
