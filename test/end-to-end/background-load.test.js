import assert from 'node:assert/strict';
import { benchmark, renderReport } from '../../src/index.js';
import { useServer } from '../helpers/one-server.js';
import { assertSound } from '../helpers/sound.js';

/** @import { BenchmarkOptions } from '../../src/commands/types.js' */

describe('background load', () => {
  const { run, server } = useServer({ tasks: 4, runs: 1, durationMs: 150 });

  it('is counted, shown apart in every format and removed, on any connections', async () => {
    const beside = 'GET 100kb @ 50/s + SET 10kb @ 100/s + EVAL 2ms @ 20/s + BLPOP 20ms';
    const report = await run({
      beside,
      smoke: true,
      scenarios: 'shared-connection,connection-per-task,pool,bounded,open-and-close',
    });
    assertSound(report);
    for (const { runs, id } of report.cells) {
      for (const { parts = [], operations, commands } of runs) {
        assert.equal(commands, operations, id);
        assert.deepEqual(
          parts.map(({ name, company }) => [name, company]),
          beside.split(' + ').map((name) => [name, true]),
        );
        assert.ok(
          parts.every(({ count }) => count > 0),
          JSON.stringify(parts),
        );
      }
    }
    for (const format of ['table', 'markdown', 'html', 'csv', 'json']) {
      assert.match(await renderReport(report, format, { width: 160 }), /EVAL 2ms .{1,9} 20\/s/, format);
    }
    assert.equal(Number(await server().query('DBSIZE')), 0);
  });

  it('comes from other clients too, over connections and keys of their own', async () => {
    await server().query('CONFIG', 'RESETSTAT');
    const beside = 'GET 1kb @ 500/s by others + SET 10kb @ 200/s by others + GET 10 @ 50/s';
    const report = await run({ beside, clients: 'raw,ioredis', warmupRuns: 0 });
    assertSound(report);
    for (const { runs, tasks } of report.cells) {
      assert.equal(runs[0].connections, 1);
      for (const { parts = [], elapsedMs, taskElapsedMs } of runs) {
        assert.equal(taskElapsedMs.length, tasks);
        assert.deepEqual(
          parts.map(({ name }) => name),
          ['GET 10 @ 50/s', 'GET 1kb @ 500/s by others', 'SET 10kb @ 200/s by others'],
        );
        for (const { count, perSecond } of parts) {
          assert.ok(count > 0, `none in ${elapsedMs} ms`);
          assert.ok(perSecond < 600, `${perSecond}/s`);
        }
      }
    }
    const [, opened] = /total_connections_received:(\d+)/.exec(await server().query('INFO', 'stats')) ?? [];
    // Each start of a cell brings 8 for each of two commands.
    assert.ok(Number(opened) >= 2 * 16, opened);
    assert.equal(Number(await server().query('DBSIZE')), 0);
  });

  for (const [what, more] of /** @type {[string, BenchmarkOptions][]} */ ([
    ['a cluster', { clients: 'ioredis', topology: 'cluster', url: undefined }],
    ['TLS', { clients: 'ioredis', transport: 'tls', url: undefined }],
    ['a cache that answers a client', { clients: 'redis:cached', transport: 'tls', url: undefined }],
    ['several processes', { processes: 2 }],
    ['an open loop', { rate: 500 }],
    ['a relay', { rtt: '2ms' }],
    ['several numbers of tasks', { tasks: [1, 4] }],
    ['a queue', { workload: 'queue' }],
  ])) {
    it(`of other clients goes with ${what}`, async () => {
      const report = await run({ beside: 'GET 100 @ 200/s by others', smoke: true, ...more });
      assertSound(report);
      for (const { runs, skipped } of report.cells) {
        assert.equal(skipped, null);
        const sent = runs.map(
          ({ parts = [] }) => parts.find(({ name }) => name.endsWith('by others'))?.count,
        );
        assert.ok(
          sent.every((count) => Number(count) > 0),
          `${sent}`,
        );
      }
      assert.equal(Number(await server().query('DBSIZE')), 0);
    });
  }

  it('with and without it, cells take turns in the same rounds', async () => {
    /** @type {string[]} */
    const order = [];
    await benchmark(
      {
        ...{ clients: 'raw', scenarios: 'shared-connection', url: server().url, seed: 3 },
        ...{ size: 10, tasks: 4, runs: 2, starts: 1, durationMs: 30, warmupRuns: 0 },
        beside: ['none', 'GET 1kb @ 50/s'],
      },
      { onEvent: (event) => void (event.type === 'run' && order.push(event.cell.group)) },
    );
    const timed = order.slice(-4);
    assert.equal(new Set(timed.slice(0, 2)).size, 2, order.join('\n'));
    assert.equal(new Set(timed.slice(2)).size, 2, order.join('\n'));
  });

  it('keeps the server busy for as long as it says', async () => {
    await server().query('CONFIG', 'RESETSTAT');
    const report = await run({ beside: 'EVAL 10ms @ 20/s', smoke: true, scenarios: 'pool' });
    assertSound(report);
    const usec = async (/** @type {string} */ command) =>
      /usec=(\d+)/.exec(
        String(await server().query('INFO', 'commandstats'))
          .split('\n')
          .find((line) => line.startsWith(`cmdstat_${command}:`)) ?? '',
      )?.[1];
    const count = report.cells[0].summary?.parts?.[0].count ?? 0;
    assert.ok(count > 0);
    // Those of the calibration are shorter.
    assert.ok(Number(await usec('eval')) / count > 5000, `${await usec('eval')} µs in ${count}`);
  });

  it('holds up a shared connection by a blocking read, not a pool, and says so', async () => {
    const { cells, comparisons, findings } = await run({
      ...{
        beside: ['none', 'BLPOP 100ms'],
        scenarios: 'shared-connection,pool',
        // Enough for a test of ranks, to which one slow run is only one.
        runs: 6,
        starts: 1,
        warmupRuns: 0,
      },
    });
    const p50 = new Map(
      cells.map(({ scenario, beside, summary }) => [`${scenario} ${beside.length}`, summary?.latency?.p50Us]),
    );
    assert.ok(Number(p50.get('shared-connection 1')) > 50_000, JSON.stringify([...p50]));
    assert.ok(
      Number(p50.get('pool 1')) < Number(p50.get('shared-connection 1')) / 2,
      JSON.stringify([...p50]),
    );
    const all = findings.flatMap((finding) => (finding.kind === 'beside-company' ? [finding] : []));
    assert.equal(all.length, 2);
    const shared = all.find(({ cell }) => cell.includes('shared'));
    assert.deepEqual([shared?.p50Us.shown, shared?.alone.includes('BLPOP')], [true, false]);
    const text = comparisons.map(({ outcome }) => outcome.join('\n')).join('\n');
    assert.match(text, /its operations wait behind BLPOP 100ms on the same connection/);
    assert.match(text, /with this background load: p50 \d+ ms instead of [\d.]+ [mµ]s/);
  });

  it('goes with open loops, several processes, batches and workloads that start empty', async () => {
    const beside = 'GET 10kb @ 50/s + BLPOP 20ms';
    for (const options of /** @type {BenchmarkOptions[]} */ ([
      { rate: 500 },
      { processes: 2 },
      { pipelining: 'explicit:5,window:100,none' },
      { workload: 'hset' },
    ])) {
      const report = await run({ beside, smoke: true, ...options });
      assertSound(report);
      assert.ok(Number(report.cells[0].summary?.parts?.[0].count) > 0);
    }
    assert.equal(Number(await server().query('DBSIZE')), 0);
  });

  it('that is refused by the server fails its cells with the reason', async () => {
    await server().query('ACL', 'SETUSER', 'shy', 'on', '>secret', '~*', '+@all', '-blpop');
    const url = server().url.replace('://', '://shy:secret@');
    const { cells } = await run({ beside: 'BLPOP 20ms', smoke: true, url });
    assert.match(String(cells[0].runs[0].failed), /NOPERM/);
  });

  it('of other clients fails the run in which the server refuses it', async () => {
    await server().query('ACL', 'SETUSER', 'reader', 'on', '>secret', '~*', '+@all', '-set');
    const url = server().url.replace('://', '://reader:secret@');
    const { cells } = await run({ workload: 'hset', beside: 'SET 10 @ 100/s by others', url, warmupRuns: 0 });
    assert.match(String(cells[0].runs[0].failed), /NOPERM/);
  });

  it('of other clients may differ from cell to cell of the same rounds', async () => {
    const beside = ['GET 10 @ 100/s by others', 'GET 20 @ 100/s by others'];
    assertSound(await run({ beside, warmupRuns: 0 }));
  });

  it('of other clients has values of the size that it says, whatever the values of the cell', async () => {
    /** @type {Promise<number>[]} */
    const lengths = [];
    async function look() {
      const [key] = await server().query('KEYS', 'rpb:????o0*');
      return server().query('STRLEN', key);
    }
    await benchmark(
      {
        ...{ clients: 'raw', scenarios: 'shared-connection', url: server().url, tasks: 1, durationMs: 300 },
        ...{ runs: 1, warmupRuns: 0, keySize: 10, valueSize: 500, value: 'records', encode: 'json+gzip' },
        ...{ beside: 'GET 20 @ 50/s by others', profile: false },
      },
      { onEvent: ({ type }) => void (type === 'run' && lengths.push(look())) },
    );
    assert.deepEqual(new Set(await Promise.all(lengths)), new Set([20]));
  });
});
