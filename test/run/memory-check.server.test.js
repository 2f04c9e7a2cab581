import assert from 'node:assert/strict';
import { measureCeilings } from '../../src/cli/commands/calibrate.js';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { UsageError } from '../../src/errors.js';
import { startRedis } from '../helpers/redis-server.js';

const SMALL = {
  clients: ['raw'],
  scenarios: ['shared-connection'],
  workload: ['set'],
  runs: 1,
  iterations: 200,
  pin: ['off'],
  profile: false,
  starts: 1,
  warmupRuns: 0,
  size: [1000],
};

describe('a server that may be too small', () => {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  before(async () => {
    server = await startRedis({ args: ['--maxmemory', '6mb', '--maxmemory-policy', 'allkeys-lru'] });
  });
  after(() => server.stop());
  beforeEach(async () => {
    await server.query('FLUSHALL');
    await server.query('CONFIG', 'SET', 'maxmemory', '6mb');
    for (let index = 0; index < 200; index++) await server.query('SET', `theirs${index}`, 'x'.repeat(300));
  });

  /** Leaves the server a little less memory than it uses. */
  async function tighten() {
    const { used_memory: used } = await server.info();
    await server.query('CONFIG', 'SET', 'maxmemory', `${Number(used) - 100_000}`);
  }

  const theirs = async () => (await server.query('KEYS', 'theirs*')).length;

  it('is refused before anything is stored, with the figures and the option that accepts it', async () => {
    const written = await server.calls('set');
    await assert.rejects(
      benchmark({ ...SMALL, url: server.url, keys: 2000 }, { stateFolder: null }),
      (error) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, /2,000 keys for values of 1,000 bytes may take \d+\.\d MB/);
        assert.match(error.message, /6\.3 MB \(maxmemory\).*allkeys-lru.*--allow-eviction/);
        return true;
      },
    );
    assert.deepEqual([await server.calls('set'), await theirs()], [written, 200]);
  });

  it('is refused by calibrate as well', async () => {
    const shape = { connections: [50], depth: [64], size: 10_000, url: server.url };
    await assert.rejects(
      measureCeilings(shape, { stateFolder: null }),
      /values of 10,000 bytes.*--allow-eviction/,
    );
  });

  it('is measured where the data fits', async () => {
    const report = await benchmark({ ...SMALL, url: server.url, keys: 100 }, { stateFolder: null });
    assert.deepEqual(
      report.cells[0].runs.map(({ failed }) => failed),
      [null],
    );
    assert.equal(await theirs(), 200);
  });

  it('is measured with --allow-eviction, and the runs tell how many keys it evicted', async () => {
    const report = await benchmark(
      { ...SMALL, url: server.url, keys: 4000, iterations: 2000, allowEviction: true },
      { stateFolder: null },
    );
    const [run] = report.cells[0].runs;
    assert.equal(run.failed, null);
    assert.equal(run.operations, 8 * 2000);
    assert.match(run.warnings.join(), /evicted [\d,]+ keys/);
    assert.match(report.warnings.join(), /may run out of memory/);
  });

  it('fails the run in which it evicts keys nevertheless, and ends the benchmark', async () => {
    const report = await benchmark(
      { ...SMALL, url: server.url, keys: 100, clients: ['raw', 'raw'], runs: 20 },
      {
        stateFolder: null,
        onEvent: (event) => {
          if (event.type === 'round-end' && event.round === 1) void tighten();
        },
      },
    );
    const failed = report.cells.flatMap(({ runs }) => runs).filter((run) => run.failed !== null);
    assert.equal(failed.length, 1);
    assert.match(String(failed[0].failed), /evicted \d+ keys? to make room.*--allow-eviction/);
    assert.ok(report.partial && report.failure === null);
    assert.ok(report.cells.every(({ runs }) => runs.length < 20));
    assert.deepEqual(await server.query('KEYS', 'rpb:*'), []);
  });

  it('that does not tell its memory is measured with a warning', async () => {
    await server.query('ACL', 'SETUSER', 'few', 'on', '>pw', '~*', '+@all', '-info');
    const url = server.url.replace('//', '//few:pw@');
    const report = await benchmark({ ...SMALL, runs: 1, url, keys: 10 }, { stateFolder: null });
    assert.equal(report.cells[0].runs[0].failed, null);
    assert.match(report.warnings.join('\n'), /the server does not report its memory/);
  });

  it('warns once that what is written also goes to its disk', async () => {
    const without = await benchmark({ ...SMALL, runs: 1, url: server.url, keys: 10 }, { stateFolder: null });
    assert.doesNotMatch(without.warnings.join('\n'), /also copies/);
    await server.query('CONFIG', 'SET', 'appendonly', 'yes');
    try {
      const { warnings } = await benchmark(
        { ...SMALL, runs: 1, url: server.url, keys: 10 },
        { stateFolder: null },
      );
      assert.equal(
        warnings.filter((text) => /also copies the benchmark's data \(AOF\)/.test(text)).length,
        1,
      );
    } finally {
      await server.query('CONFIG', 'SET', 'appendonly', 'no');
    }
  });

  it('keys that expire under the benchmark fail its run', async () => {
    await server.query('CONFIG', 'SET', 'maxmemory', '0');
    const report = await benchmark(
      {
        clients: SMALL.clients,
        scenarios: SMALL.scenarios,
        runs: 2,
        warmupRuns: 0,
        command: 'EXISTS {key}',
        prepare: 'SET {key} {value} PX 100',
        iterations: 20_000,
        url: server.url,
      },
      { stateFolder: null },
    );
    assert.match(String(report.cells[0].runs.at(-1)?.failed), /^64 of the keys .* expired/);
  });
});
