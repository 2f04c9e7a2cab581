import assert from 'node:assert/strict';
import { renderReport } from '../../src/commands/render.js';
import { runMain } from '../helpers/main.js';
import { useServer } from '../helpers/one-server.js';
import { assertSound, runsOf } from '../helpers/sound.js';

/** @import { BenchmarkOptions } from '../../src/commands/types.js' */

const OWN_COMMAND = { command: 'GETRANGE {key} 0 3', prepare: 'SET {key} {value}' };
const SLOT_WAYS = 'mget,script,pipeline,parallel';
const SEQUENCE = ['--command', 'HGETALL {key}', '--command', 'EXPIRE {key} 60'];
const RECORDS = ['--value', 'records'];
const WAYS = ['mget', 'multi', 'one-by-one', 'parallel', 'pipeline', 'script'];

describe('requests of several keys', () => {
  const { run, server } = useServer({ workload: 'fetch:20', tasks: 4, runs: 1, durationMs: 50, smoke: true });

  /** @param {Awaited<ReturnType<typeof run>>} report */
  function assertAccounted(report) {
    assertSound(report);
    for (const { id, skipped, runs } of report.cells) {
      assert.equal(skipped, null, id);
      assert.ok(runs.length > 0 && runs.every(({ operations }) => operations > 0), id);
    }
  }

  it('are coded in every way, as rows of one table, with as many commands as the way has', async () => {
    const report = await run({ workload: ['fetch:20', 'update:3'] });
    assertAccounted(report);
    assert.equal(report.comparisons.length, 2);
    for (const { ranking } of report.comparisons) assert.equal(ranking.length, WAYS.length);
    const perOp = report.cells.map(({ workload, way, runs: [{ commands, operations }] }) => [
      ...[workload, way, commands / operations],
    ]);
    assert.deepEqual(perOp, [
      ...[1, 22, 20, 20, 20, 2].map((commands, index) => ['fetch:20', WAYS[index], commands]),
      ...[2, 10, 6, 6, 6, 6].map((commands, index) => ['update:3', WAYS[index], commands]),
    ]);
    const table = await renderReport(report, 'table', { width: 120 });
    for (const name of ['MGET', 'MGET \\+ MSET', 'one by one', 'pipeline'])
      assert.match(table, new RegExp(`raw, ${name}|${name}`));
    assert.equal(Number(await server().query('DBSIZE')), 0);
  });

  for (const [what, more] of /** @type {[string, BenchmarkOptions][]} */ ([
    ['a cluster, split by slot', { topology: 'cluster', url: undefined, clients: 'ioredis' }],
    ['a cluster in one slot', { topology: 'cluster', url: undefined, clients: 'redis', oneSlot: true }],
    ['an open loop', { rate: 1000 }],
    ['a pool and several processes', { scenarios: 'pool,open-and-close', processes: 2, way: 'script' }],
    ['other pipelining modes', { pipelining: ['auto', 'window:100'], clients: 'ioredis' }],
  ])) {
    it(`go with ${what}`, async () => assertAccounted(await run({ way: 'mget,script', ...more })));
  }

  // Which client sends what, and how its replies are checked, is tested with each in contract/ways.test.js.
  for (const [what, more, ways] of /** @type {[string, BenchmarkOptions, number][]} */ ([
    ['clients that send MULTI themselves', { clients: 'redis,valkey-glide', way: 'one-by-one,multi' }, 2],
    ['Buffers', { clients: 'ioredis', replies: 'string,buffer', way: 'multi,pipeline' }, 2],
    [
      'a cluster',
      { topology: 'cluster', url: undefined, clients: 'redis,ioredis', way: 'parallel,multi' },
      2,
    ],
    ['a pool and several processes', { scenarios: 'pool', processes: 2 }, 4],
    ['an open loop', { rate: 1000 }, 4],
    [
      'other pipelining modes',
      { pipelining: ['auto', 'window:100'], clients: 'ioredis', way: 'parallel' },
      1,
    ],
    [
      'a ; between them',
      { workload: 'command:GET {key} ; TTL {key}', command: undefined, prepare: undefined },
      4,
    ],
  ])) {
    it(`are several commands of the user, with ${what}`, async () => {
      const report = await run({
        ...{ workload: undefined, prepare: 'HSET {key} a {value} b 2' },
        ...{ command: ['HGETALL {key}', 'EXPIRE {key} 60'], ...more },
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

  it('are checked by type where a command of theirs changes what another reads', async () => {
    const report = await run({
      ...{ workload: undefined, way: 'pipeline' },
      command: ['LPUSH {key} {value}', 'LTRIM {key} 0 2', 'LRANGE {key} 0 -1'],
    });
    assertAccounted(report);
    const text = JSON.stringify([report.warnings, runsOf(report).map(({ warnings }) => warnings)]);
    assert.match(text, /LPUSH.*LTRIM.*LRANGE/is);
  });

  it('walk all keys by SCAN, whatever else the server holds', async () => {
    const foreign = Array.from({ length: 300 }, (_, index) => [`foreign:${index}`, 'x']).flat();
    await server().query('MSET', ...foreign);
    const report = await run({
      ...{ workload: 'scan:50,scan:1000', keys: 100, scenarios: 'shared-connection,pool', processes: 2 },
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
    ['every client', { clients: 'raw,redis,ioredis,iovalkey,valkey-glide' }],
    ['a pool of the client and several processes', { clients: 'redis', scenarios: 'pool', processes: 2 }],
    ['every pipelining mode', { clients: 'ioredis', pipelining: 'auto,window:100,explicit:5,none' }],
    ['a cluster', { topology: 'cluster', url: undefined, clients: 'redis,ioredis' }],
    ['an open loop', { rate: 1000 }],
    ['a command of the user', { workload: undefined, ...OWN_COMMAND }],
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
    [
      'with every client',
      {
        ...{ clients: 'redis,ioredis,iovalkey,valkey-glide', workload: 'mix:get=1,set@400=1' },
        encode: 'json,msgpack',
      },
    ],
    ['in every way', { workload: 'update:5', way: SLOT_WAYS, encode: 'json+gzip' }],
    [
      'in every pipelining mode',
      { clients: 'ioredis', pipelining: 'auto,window:100,explicit:5,none', encode: 'msgpack' },
    ],
    [
      'in a cluster',
      {
        ...{
          topology: 'cluster',
          url: undefined,
          clients: 'redis,ioredis',
          workload: 'fetch:5',
          way: 'mget',
        },
        encode: 'json+gzip',
      },
    ],
    ['in an open loop, with processes', { rate: 1000, processes: 2, encode: 'none,json+gzip' }],
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

  it('say what their ways cost: a slower one sends more commands', async () => {
    const report = await run({
      way: 'mget,one-by-one',
      runs: 4,
      ...{ starts: 1, warmupRuns: 0, durationMs: 100, smoke: false },
      clients: 'ioredis',
    });
    const words = report.comparisons[0].explanation.join(' ');
    assert.match(words, /"ioredis, one by one, .*it takes 20 commands per operation instead of 1/);
  });

  for (const [args, says] of /** @type {[string[], RegExp][]} */ ([
    [['--workload', 'fetch'], /expected a number of keys from 2 to 1000, such as fetch:20/],
    [['--workload', 'fetch:1'], /from 2 to 1000/],
    [['--workload', 'store:2000'], /from 2 to 1000/],
    [['--workload', 'fetch:20', '--way', 'mgett'], /unknown way 'mgett' \(did you mean 'mget'\?\)/],
    [['--way', 'mget'], /--way says how requests are coded: .* add --workload fetch:20/],
    [[...SEQUENCE, '--way', 'mget'], /a sequence of commands is coded by multi, one-by-one, parallel or/],
    [[...SEQUENCE, '--command', 'FLUSHALL'], /command 3 of 3: FLUSHALL changes more than this tool's own/],
    [[...SEQUENCE, '--command', 'DEL other'], /command 3 of 3: the key 'other' is not this tool's/],
    [[...SEQUENCE, '--pipelining', 'explicit:10'], /so explicit cannot batch them/],
    [[...SEQUENCE, ...RECORDS, '--encode', 'json'], /command does not store and read whole values/],
    [[...SEQUENCE, '--keys-at', '1'], /--keys-at is for commands that this tool does not know/],
    [
      [...SEQUENCE, '--command', 'NOSUCH {key}', '--allow-scripts'],
      /--command: the server does not know the command NOSUCH/,
    ],
    [
      [...SEQUENCE, '--prepare', 'NOSUCH {key}', '--allow-scripts'],
      /--prepare: the server does not know the command NOSUCH/,
    ],
    [['--workload', 'scan:0'], /workload 'scan:0': expected a COUNT for each SCAN from 1 to 1000000/],
    [['--workload', 'scan', '--way', 'pipeline'], /--way says how requests are coded/],
    [['--workload', 'scan', '--topology', 'cluster'], /scan sees the keys of one node only/],
    [['--workload', 'scan', '--pipelining', 'explicit:10'], /scan computes between its commands/],
    [['--workload', 'scan', '--replies', 'buffer'], /scan reads replies as strings/],
    [
      ['--workload', 'fetch:20', '--keys', '10'],
      /needs 20 different keys, but there are 10; use more --keys/,
    ],
    [['--workload', 'queue', '--replies', 'buffer'], /queue reads replies as strings; --replies is for/],
    [['--replies', 'bytes'], /--replies: expected one of string, buffer, got 'bytes'/],
    [['--encode', 'json'], /--encode says how records are encoded; add --value records/],
    [
      [...RECORDS, '--encode', 'bson'],
      /--encode: expected one of none, json, msgpack, json\+gzip, got 'bson'/,
    ],
    [
      [...RECORDS, '--value-size', '100'],
      /--value records: expected values of at least 150 characters, got 100/,
    ],
    [[...RECORDS, '--workload', 'mix:get=1,get@100=1'], /--value records: expected values of at least 150/],
    [[...RECORDS, '--encode', 'json', '--workload', 'hset'], /hset does not store and read whole values/],
    [[...RECORDS, '--encode', 'msgpack', '--replies', 'string'], /msgpack is bytes, which --replies string/],
    [['--workload', 'fetch:20', '--pipelining', 'explicit:10'], /so explicit cannot batch them/],
  ])) {
    it(`refuses ${args.join(' ')}`, async () => {
      const { code, stderr } = await runMain([...args, '--clients', 'raw', '--url', server().url]);
      assert.equal(code, 2);
      assert.match(stderr, says);
    });
  }
});
