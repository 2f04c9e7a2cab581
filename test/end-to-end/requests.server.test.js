import assert from 'node:assert/strict';
import { renderReport } from '../../src/cli/render.js';
import { runMain } from '../helpers/main.js';
import { useServer } from '../helpers/one-server.js';
import { assertSound } from '../helpers/sound.js';

/** @import { BenchmarkOptions } from '../../src/commands/benchmark/types.js' */

const SLOT_WAYS = 'mget,pipeline,parallel';
const BOTH = 'HGETALL {key} ; EXPIRE {key} 60';
const RECORDS = ['--value', 'records'];
const WAYS = ['mget', 'multi', 'one-by-one', 'parallel', 'pipeline'];

describe('requests of several keys', () => {
  const { run, server } = useServer({ workload: 'fetch:20', tasks: 4, runs: 1, iterations: 10, smoke: true });

  /** @param {Awaited<ReturnType<typeof run>>} report */
  function assertAccounted(report) {
    assertSound(report);
    for (const { id, skipped, runs } of report.cells) {
      assert.equal(skipped, null, id);
      assert.ok(runs.length > 0 && runs.every(({ operations }) => operations > 0), id);
    }
  }

  it('are coded in every way, as rows of one table, with as many commands as the way has', async () => {
    const report = await run({ workload: ['fetch:20', 'store:3'] });
    assertAccounted(report);
    assert.equal(report.comparisons.length, 2);
    for (const { ranking } of report.comparisons) assert.equal(ranking.length, WAYS.length);
    const perOp = report.cells.map(({ workload, way, runs: [{ commands, operations }] }) => [
      ...[workload, way, commands / operations],
    ]);
    assert.deepEqual(perOp, [
      ...[1, 22, 20, 20, 20].map((commands, index) => ['fetch:20', WAYS[index], commands]),
      ...[1, 5, 3, 3, 3].map((commands, index) => ['store:3', WAYS[index], commands]),
    ]);
    const table = await renderReport(report, 'table', { width: 120 });
    for (const name of ['MGET', 'MSET', 'one by one', 'pipeline'])
      assert.match(table, new RegExp(`raw, ${name}|${name}`));
    assert.equal(Number(await server().query('DBSIZE')), 0);
  });

  for (const [what, more] of /** @type {[string, BenchmarkOptions][]} */ ([
    ['a cluster, split by slot', { topology: 'cluster', url: undefined, clients: 'ioredis' }],
    ['a pool and several processes', { scenarios: 'pool', processes: 2, way: 'mget' }],
  ])) {
    it(`go with ${what}`, async () => assertAccounted(await run({ way: 'mget,multi', ...more })));
  }

  // Which client sends what, and how its replies are checked, is tested with each in contract/ways.server.test.js.
  for (const [what, more, ways] of /** @type {[string, BenchmarkOptions, number][]} */ ([
    ['a client that sends MULTI itself', { clients: 'redis', way: 'one-by-one,multi' }, 2],
    ['a cluster', { topology: 'cluster', url: undefined, clients: 'ioredis', way: 'parallel,multi' }, 2],
    [
      'a ; between them',
      { workload: 'command:GET {key} ; TTL {key}', command: undefined, prepare: 'SET {key} 1' },
      4,
    ],
  ])) {
    it(`are several commands of the user, with ${what}`, async () => {
      const report = await run({
        ...{ workload: undefined, prepare: 'HSET {key} a {value} b 2' },
        ...{ command: 'HGETALL {key} ; EXPIRE {key} 60', ...more },
      });
      assertAccounted(report);
      assert.equal(new Set(report.cells.map(({ way }) => way)).size, ways);
      for (const { id, way, runs } of report.cells) {
        const all = runs.map(({ commands, operations }) => commands / operations);
        assert.ok(
          all.every((each) => each === (way === 'multi' ? 4 : 2)),
          `${id}: ${all}`,
        );
      }
    });
  }

  it('are compared with other commands and workloads, each with data and keys of its own', async () => {
    const report = await run({
      ...{ workload: 'get,scan:50,command:SMEMBERS {key}', prepare: 'SADD {key} a b' },
      ...{ compare: 'workload', keys: 20 },
    });
    assertAccounted(report);
    assert.equal(report.comparisons.length, 1);
    const commands = await run({
      ...{ workload: undefined, command: ['SMEMBERS {key}', 'GET {key} ; TTL {key}', 'GET {key}'] },
      ...{ prepare: ['SADD {key} a', 'SET {key} b', 'SET {key} c'], way: 'multi' },
    });
    assertAccounted(commands);
    assert.equal(commands.comparisons.length, 1);
    assert.equal(Number(await server().query('DBSIZE')), 0);
  });

  it('walk all keys by SCAN, whatever else the server holds', async () => {
    const foreign = Array.from({ length: 300 }, (_, index) => [`foreign:${index}`, 'x']).flat();
    await server().query('MSET', ...foreign);
    const report = await run({
      ...{ workload: 'scan:50,scan:1000', keys: 100, scenarios: 'pool', processes: 2 },
    });
    assertAccounted(report);
    for (const { workload, id, runs } of report.cells) {
      const [{ commands, operations }] = runs;
      const least = workload === 'scan:50' ? 8 : 1;
      assert.ok(
        commands / operations >= least && commands / operations <= 2 * least,
        `${id}: ${commands / operations}`,
      );
    }
    assert.equal(Number(await server().query('DBSIZE')), 300);
    await server().query('DEL', ...foreign.filter((_, index) => index % 2 === 0));
  });

  for (const [what, more] of /** @type {[string, BenchmarkOptions][]} */ ([
    ['several clients', { clients: 'raw,ioredis' }],
  ])) {
    it(`answers with Buffers or strings, with ${what}`, async () => {
      const report = await run({ workload: 'set-get', ...more, replies: 'string,buffer' });
      assertAccounted(report);
      const found = new Set(report.cells.map(({ replies }) => replies));
      assert.deepEqual([...found].sort(), ['buffer', 'string']);
    });
  }

  // Strings (json) and Buffers (the others) are sent and read by two ways of a client, so one of each will do for it.
  for (const [what, more] of /** @type {[string, BenchmarkOptions][]} */ ([
    ['by every codec', { encode: 'none,json,msgpack,json+gzip' }],
    ['in a mix', { clients: 'ioredis', workload: 'mix:get=1,set@400=1', encode: 'msgpack' }],
    ['in every way', { workload: 'fetch:5', way: SLOT_WAYS, encode: 'json+gzip' }],
  ])) {
    it(`encodes records and reads them again, ${what}`, async () => {
      const report = await run({ workload: 'set-get', size: 300, value: 'records', ...more });
      assertAccounted(report);
      for (const { id, encode, runs } of report.cells) {
        const all = runs.map(({ client }) => client?.encodeUsPerOp);
        assert.ok(
          all.every((us) => (encode === 'none' ? us === null : Number(us) > 0)),
          id,
        );
      }
    });
  }

  for (const [args, says] of /** @type {[string[], RegExp][]} */ ([
    [['--command', `${BOTH} ; FLUSHALL`], /command 3 of 3: FLUSHALL changes more than this tool's own/],
    [['--command', `${BOTH} ; DEL other`], /command 3 of 3: the key 'other' is not this tool's/],
    [
      ['--command', `${BOTH} ; NOSUCH {key}`, '--allow-scripts'],
      /--command: the server does not know the command NOSUCH/,
    ],
    [
      ['--command', BOTH, '--prepare', 'NOSUCH {key}', '--allow-scripts'],
      /--prepare: the server does not know the command NOSUCH/,
    ],
    [['--workload', 'scan', '--topology', 'cluster'], /scan sees the keys of one node only/],
    [[...RECORDS, '--encode', 'msgpack', '--replies', 'string'], /msgpack is bytes, which --replies string/],
  ])) {
    it(`refuses ${args.join(' ')}`, async () => {
      const { code, stderr } = await runMain([...args, '--clients', 'raw', '--url', server().url]);
      assert.equal(code, 2);
      assert.match(stderr, says);
    });
  }
});
