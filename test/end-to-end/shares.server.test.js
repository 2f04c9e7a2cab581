import assert from 'node:assert/strict';
import { useServer } from '../helpers/one-server.js';
import { assertSound, runsOf } from '../helpers/sound.js';

/** @import { BenchmarkOptions } from '../../src/commands/benchmark/types.js' */

const HIT = 'SET {key} {value}';

describe('commands by shares', () => {
  const { run, server } = useServer({ iterations: 40, tasks: 5, runs: 2, starts: 1 });

  /**
   * What the server counted, in two runs of 200 operations.
   * @param {BenchmarkOptions} options @param {Record<string, number>} expected calls in a run
   */
  async function assertCounts(options, expected) {
    const report = await run(options);
    assertSound(report);
    for (const { processes } of runsOf(report)) assert.deepEqual(processes[0].calls, expected);
    assert.equal(Number(await server().query('DBSIZE')), 0);
    return report;
  }

  it('are one workload, with as many calls as its shares say, each on data of its type', async () => {
    const report = await assertCounts(
      {
        command: ['HGET {key} f', 'ZADD {key} 1 {value}', 'user: GET {key}', 'TTL {key}'],
        share: [80, 10, 5, 5],
        prepare: ['HSET {key} f {value}', HIT],
      },
      { hget: 160, zadd: 20, get: 10, ttl: 10 },
    );
    const [{ parts = [], latency, operations }] = runsOf(report);
    assert.deepEqual(
      parts.map(({ name, count }) => [name, count]),
      [
        ['HGET {key} f', 160],
        ['ZADD {key} 1 {value}', 20],
        ['user', 10],
        ['TTL {key}', 10],
      ],
    );
    assert.deepEqual([operations, latency?.count], [200, 200]);
  });

  it('count sequences, sizes of their own, batches, an open loop and a pool as exactly', async () => {
    const mix = {
      command: ['GET {key}', 'SET {key} {value@50kb}', 'HINCRBY {key} n 1 ; HGET {key} n'],
      share: [6, 1, 3],
      prepare: ['SET {key} {value@50kb}'],
      way: 'one-by-one',
    };
    const expected = { get: 120, set: 20, hincrby: 60, hget: 60 };
    const report = await assertCounts({ ...mix, scenarios: 'shared-connection,pool' }, expected);
    // Learned replies must come again, so a GET has found them.
    for (const { server: cost } of runsOf(report)) assert.ok(Number(cost?.netOutputBytes) > 120 * 50_000);
    const { command, share } = { command: ['INCR {key}', 'LPUSH {key} a'], share: [3, 1] };
    await assertCounts({ command, share, pipelining: 'explicit:10' }, { incr: 150, lpush: 50 });
    const open = await run({ command, share, iterations: undefined, rate: 400, durationMs: 100 });
    assertSound(open);
    for (const { processes, operations } of runsOf(open))
      assert.deepEqual(processes[0].calls, { incr: operations * 0.75, lpush: operations * 0.25 });
  });

  it('go over all keys independently, so that one finds what another stores', async () => {
    const options = { iterations: 400, runs: 1, command: ['LPUSH {key} a', 'LPOP {key}'], share: [1, 1] };
    const report = await run(options);
    assertSound(report);
    // Before the first LPUSH comes to the keys with which LPOP begins.
    assert.match(runsOf(report)[0].warnings.join(), /32 of 1,000 LPOP \{key\} found nothing/);
  });

  it('may send the same words to keys of their own, and are counted apart in what is found', async () => {
    const prepare = [HIT, 'DEL {key}'];
    const reads = await run({ command: ['hit: GET {key}', 'miss: GET {key}'], share: [3, 1], prepare });
    assertSound(reads);
    assert.doesNotMatch(runsOf(reads)[0].warnings.join(), /empty/);
    const command = ['a: DEL {key}', 'b: DEL {key}'];
    const used = await run({ command, share: [3, 1], prepare: [HIT, 'SET {key} 1'], keys: 5 });
    const failed = `${runsOf(used).at(-1)?.failed}`;
    assert.match(failed, /^1[45]\d of 150 a: DEL \{key\} found nothing: it uses up what SET/);
    assert.match(failed, /as in --command 'SET … ; DEL \{key\}'/);
  });

  it('with the same command are not taken for each other: each is counted against its own operations', async () => {
    const fields = {
      command: ['HGET {key} f', 'HGET {key} g', 'SET {key} 1 NX'],
      share: [8, 1, 1],
      prepare: ['HSET {key} f {value}', HIT],
    };
    const [{ failed }] = runsOf(await run(fields));
    assert.match(`${failed}`, /^all 20 HGET \{key\} g found nothing, although HSET stored data/);
    const lists = {
      command: ['LPUSH {key} a b', 'LPOP {key}', 'LPOP {key} 9'],
      share: [8, 1, 1],
      keys: 2000,
    };
    const sent = runsOf(await run({ ...lists, iterations: 400, runs: 1 }))[0];
    const all = `${sent.failed} ${sent.warnings.join()}`;
    assert.match(all, /of 200 LPOP \{key\} found nothing/);
    // What another share stores was not stored for this one.
    const other = await run({ command: ['GET {key}', 'HGET {key} f'], share: [1, 1], prepare: [HIT] });
    assert.match(
      `${runsOf(other)[0].failed}`,
      /all 100 HGET .* nothing, as nothing was stored: add --prepare/,
    );
    const miss = ['a: GET {key}', 'b: GET {key}', 'HGET {key} g'];
    const mixed = await run({
      command: miss,
      share: [2, 1, 1],
      prepare: [HIT, 'DEL {key}', 'HSET {key} f 1'],
    });
    assert.match(`${runsOf(mixed)[0].failed}`, /^all 50 HGET \{key\} g found nothing, although HSET/);
    const nil = await run({ command: ['GET {key}', 'SET {key} 1 NX'], share: [1, 1], prepare: [HIT] });
    assertSound(nil);
    assert.match(runsOf(nil)[0].warnings.join(), /every reply to SET \{key\} 1 NX was empty, although/);
  });

  it('fail where one of them finds nothing, whatever the others do', async () => {
    const missing = { command: ['SET {key} 1', 'HGET {key} f'], share: [9, 1] };
    const used = {
      command: ['SET {key} 1', 'LPOP {key}'],
      share: [9, 1],
      prepare: ['RPUSH {key} a'],
      keys: 5,
    };
    for (const [options, expected] of /** @type {const} */ ([
      [missing, /all 20 HGET \{key\} f found nothing/],
      [used, /\d+ of 20 LPOP \{key\} found nothing: it uses up what RPUSH stored/],
    ]))
      assert.match(`${runsOf(await run(options)).at(-1)?.failed}`, expected);
  });

  it('fail where a read finds nothing half of the time, and warn where it is less', async () => {
    // A read begins half of the keys after a write: what is between was not stored yet.
    const read = (/** @type {BenchmarkOptions} */ options) =>
      run({ runs: 1, keyDistribution: 'sequential', ...options });
    const mix = { command: ['SET {key} 1', 'GET {key}'], share: [1, 1] };
    const [mostly] = runsOf(await read({ ...mix, keys: 150 }));
    assert.match(
      `${mostly.failed}`,
      /^75 of 100 GET \{key\} found nothing, as too little was stored: add --prepare/,
    );
    const [some] = runsOf(await read({ ...mix, keys: 40 }));
    assert.equal(some.failed, null);
    assert.match(some.warnings.join(), /20 of 100 GET \{key\} found nothing, because it was not stored/);
    const removed = {
      command: ['DEL {key}', 'GET {key}', 'SET {key} 1'],
      share: [18, 18, 4],
      prepare: ['SET {key} 1'],
    };
    const [gone] = runsOf(await read({ ...removed, keys: 20, iterations: 200 }));
    assert.match(`${gone.failed}`, /found nothing/);
    const asked = { command: ['a: SET {key} 1', 'b: GET {key}'], share: [1, 1] };
    const [misses] = runsOf(await read({ ...asked, prepare: ['SET {key} 1', 'DEL {key}'] }));
    assert.equal(misses.failed, null);
    assert.doesNotMatch(misses.warnings.join(), /nothing|empty/);
  });

  it('of requests in a mix are counted in each way', async () => {
    const report = await run({ workload: 'mix:get=8,fetch:20=2', way: 'parallel,mget,pipeline' });
    assertSound(report);
    assert.deepEqual(
      report.cells.map(({ runs }) => runs[0].processes[0].calls),
      [{ get: 160 + 40 * 20 }, { get: 160, mget: 40 }, { get: 160 + 40 * 20 }],
    );
    assert.deepEqual(
      report.cells[0].runs[0].parts?.map(({ name, count }) => [name, count]),
      [
        ['GET', 160],
        ['FETCH:20', 40],
      ],
    );
  });
});

describe('a share that waits', () => {
  const { run } = useServer({ iterations: 20, tasks: 5, runs: 1, starts: 1 });
  const mix = { command: ['GET {key}', 'BLPOP {missing} 0.02'], share: [19, 1], prepare: [HIT] };

  it('is sent, has a latency of its own, and is none of the operations of the others', async () => {
    const report = await run({ ...mix, scenarios: 'shared-connection,connection-per-task,pool' });
    assertSound(report);
    for (const { parts = [], processes, operations, latency, opsPerSecond, elapsedMs } of runsOf(report)) {
      assert.deepEqual(processes[0].calls, { get: 95, blpop: 5 });
      assert.deepEqual([operations, processes[0].operations, latency?.count], [95, 95, 95]);
      assert.equal(opsPerSecond, (95 / Number(elapsedMs)) * 1000);
      const [, waiting] = parts;
      assert.deepEqual([waiting.name, waiting.count], ['BLPOP {missing} 0.02', 5]);
      assert.ok(Number(waiting.latency?.minUs) >= 19_000);
    }
  });

  it('is so in an open loop, whose rate it is part of, and in batches', async () => {
    const rated = { rate: 200, durationMs: 500, iterations: undefined, scenarios: 'connection-per-task' };
    const open = await run({ ...mix, ...rated });
    assertSound(open);
    for (const { openLoop, operations, latency } of runsOf(open)) {
      assert.deepEqual([openLoop?.acknowledged, operations], [100, 95]);
      assert.deepEqual([latency?.count, openLoop?.latencyFromSend?.count], [95, 95]);
    }
    const batches = await run({ ...mix, pipelining: 'explicit:10' });
    assertSound(batches);
    assert.deepEqual(
      runsOf(batches).map(({ operations }) => operations),
      [95],
    );
  });

  it('may be any that waits for a time', async () => {
    const command = [
      'SET {key} 1',
      'XREAD BLOCK 5 STREAMS {missing} 0',
      'WAIT 9 5',
      'BZPOPMIN {missing} 0.005',
    ];
    const report = await run({
      command: [...command, 'BLMPOP 0.005 1 {missing} LEFT'],
      share: [16, 1, 1, 1, 1],
    });
    assertSound(report);
    const [{ processes, operations }] = runsOf(report);
    assert.deepEqual(processes[0].calls, { set: 80, xread: 5, wait: 5, bzpopmin: 5, blmpop: 5 });
    assert.equal(operations, 80);
  });
});

describe('--prepare-each', () => {
  const { run, server } = useServer({ runs: 1, starts: 1, tasks: 5, durationMs: 60 });

  it('gives each operation data of its own, however long runs are', async () => {
    for (const options of /** @type {BenchmarkOptions[]} */ ([
      { command: ['DEL {key}'], prepare: [HIT], keys: 200 },
      { command: ['LPOP {key}'], prepare: ['RPUSH {key} a'], keys: 203, pipelining: 'explicit:10' },
      { command: ['EXPIRE {key} 0'], prepare: [HIT], keys: 31, processes: 3 },
    ])) {
      const report = await run({ ...options, prepareEach: true });
      assertSound(report);
      const [{ operations, warnings }] = runsOf(report);
      assert.ok(operations > 0);
      assert.doesNotMatch(warnings.join(), /found nothing/);
    }
    assert.equal(Number(await server().query('DBSIZE')), 0);
  });

  it('keeps what a command stores from growing', async () => {
    const grown = ['EVAL "return redis.call([[RPUSH]], KEYS[1], 1)" 1 {key}'];
    const command = ["EVAL 'assert(redis.call([[RPUSH]], KEYS[1], 1) == 2); return 1' 1 {key}"];
    const options = { command, prepare: grown, keys: 50, allowScripts: true };
    assertSound(await run({ ...options, prepareEach: true }));
    assert.match(`${runsOf(await run(options))[0].failed}`, /failed/);
  });
});
