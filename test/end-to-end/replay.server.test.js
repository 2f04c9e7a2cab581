import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderReport } from '../../src/cli/render.js';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { assertRefused, runMain } from '../helpers/main.js';
import { adviceOf } from '../helpers/said.js';
import { PROFILE_HEADER, profileText, SAMPLE_LINES } from '../helpers/sample-profile.js';
import { assertSound, runsOf } from '../helpers/sound.js';

/** @import { BenchmarkEvent } from '../../src/commands/benchmark/types.js' */

describe('--workload profile:FILE', () => {
  /** @type {string} */
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-replay-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const write = (/** @type {string} */ name, /** @type {readonly unknown[]} */ lines) => {
    writeFileSync(join(folder, name), profileText(lines));
    return `profile:${join(folder, name)}`;
  };

  it('is a workload like any other, and names what it leaves out before it starts', async () => {
    /** @type {BenchmarkEvent[]} */
    const events = [];
    const report = await benchmark(
      {
        workload: write('sample.ndjson', SAMPLE_LINES),
        clients: 'raw',
        scenarios: 'pool',
        pipelining: 'implicit,explicit:5',
        processes: '1,2',
        ...{ runs: 1, starts: 1, warmupRuns: 0, iterations: 20, pin: 'off', profile: false },
      },
      { onEvent: (event) => void events.push(event) },
    );
    assert.equal(report.cells.length, 2 * 2);
    assertSound(report);
    assert.ok(
      adviceOf(report).includes(
        'The replay of sample.ndjson sends 85 % of the recorded commands, so the figures do not represent the service.',
      ),
    );
    assert.equal(report.cells[0].tasks, 1, 'as many as the recording had in flight');
    assert.deepEqual(
      events.slice(0, 4).map((event) => /** @type {any} */ (event).message),
      [
        'sample.ndjson: not replayed: 3 of 20 commands, 1 HELLO (the client sets up its connections itself); ' +
          '1 EVALSHA (scripts are not recorded); 1 LPUSH (the reply was an error)',
        'sample.ndjson: 1 transaction (4 commands with MULTI and EXEC) counts as one operation',
        'sample.ndjson: a replay never waits for data, so it sends 1 BRPOP as RPOP',
        'sample.ndjson: the service had 1 operation in flight (p90), so --tasks defaults to 1',
      ],
    );
    const [single] = report.cells;
    const latencies = new Map(single.runs[0].parts?.map(({ name, latency }) => [name, latency?.p50Us]));
    assert.equal(
      [...latencies.keys()].join(' '),
      'GET RPOP SET HSET EXPIRE HGETALL MGET HINCRBY MULTI/EXEC LRANGE others',
    );
    for (const [name, p50] of latencies) assert.ok(Number(p50) > 0, `${name} took ${p50} µs`);
    assert.match(
      await renderReport(report, 'table'),
      /^replay of sample\.ndjson · \d+ keys, sizes as recorded · 1 task · /m,
    );
  });

  it('keeps the recorded times, or goes at any rate', async () => {
    const commands = Array.from({ length: 50 }, (_, index) => [
      2000 * index,
      1,
      'GET',
      [[index, 20]],
      ['$', 100],
      9,
      1,
      1,
    ]);
    const options = {
      workload: write('even.ndjson', [PROFILE_HEADER, ...commands]),
      clients: 'raw',
      scenarios: 'shared-connection',
      runs: 1,
      starts: 1,
      duration: undefined,
      durationMs: 200,
      warmupRuns: 0,
      pin: 'off',
      profile: false,
    };
    const { duration: _, ...given } = options;
    const report = await benchmark({ ...given, speed: '1,4', processes: '1,2' });
    assertSound(report);
    assert.deepEqual(
      report.cells.map(({ id, openLoop, processes, runs }) => [
        /[\d.]+x speed/.exec(id)?.[0],
        openLoop?.speed,
        processes,
        runs[0].openLoop?.scheduled,
      ]),
      [
        ['1x speed', 1, 1, 100],
        ['1x speed', 1, 2, 100],
        ['4x speed', 4, 1, 400],
        ['4x speed', 4, 2, 400],
      ],
    );
    for (const [arrivals, kept] of /** @type {const} */ ([
      [undefined, 'recorded'],
      ['even', 'even'],
    ])) {
      const rated = await benchmark({ ...given, rate: '1000', arrivals });
      assertSound(rated);
      assert.equal(rated.cells[0].openLoop?.arrivals, kept);
      assert.equal(rated.cells[0].runs[0].openLoop?.scheduled, 200);
    }
  });

  it('is refused where less than half of it can be replayed, unless that is asked for', async () => {
    const script = ['EVALSHA', [40, '1', [6, 7], 12], [':', 1], 65, 1, 1];
    const commands = Array.from({ length: 200 }, (_, index) => [index * 100, 1, ...script]);
    const get = [30_000, 1, 'GET', [[0, 16]], ['$', 240], 75, 1, 1];
    const workload = write('few.ndjson', [PROFILE_HEADER, ...commands, get]);
    await assertRefused(
      ['--workload', workload],
      /^redis-pipe-bench: few\.ndjson: only 1 of 201 commands can be replayed.*'redis-pipe-bench profile few\.ndjson --details' says why\. Use --allow-partial/,
    );
    const { stdout } = await runMain(['profile', join(folder, 'few.ndjson'), '--details']);
    assert.match(
      stdout,
      /^ replay +sends 0\.5 % of the commands and stores about 340 B; left out: 200 EVALSHA/m,
    );
    assert.match(stdout, /^ concurrency +1 operation in flight \(p90\)/m);
    assert.match(stdout, /^ sent .* 12 kB$/m);
    const options = {
      workload,
      clients: 'raw',
      scenarios: 'pool',
      allowPartial: true,
      ...{ runs: 1, starts: 1, warmupRuns: 0, iterations: 20, pin: 'off', profile: false },
    };
    const advice = adviceOf(await benchmark({ ...options, tasks: 2 }));
    assert.ok(
      advice.includes(
        'The replay of few.ndjson sends 0.5 % of the recorded commands, so the figures do not represent the service.',
      ),
      advice.join('\n'),
    );
  });

  it('is refused with what is wrong, before anything starts', async () => {
    const blocking = [[0, 1, 'BLPOP', [[0, 5], '5'], ['_', 0], 9, 1, 1]];
    await assertRefused(
      ['--workload', write('none.ndjson', [PROFILE_HEADER, ...blocking])],
      /has no command that can be replayed/,
    );
    const sample = write('sample.ndjson', SAMPLE_LINES);
    await assertRefused(
      ['--workload', sample, '--speed', '1', '--rate', '5'],
      /--speed and --rate both set the times of operations; give one of them/,
    );
    await assertRefused(
      ['--workload', 'get', '--speed', '1'],
      /--speed replays recorded times, and get has none/,
    );
  });

  it('is bounded, whatever a profile says', async () => {
    const huge = Array.from({ length: 20 }, (_, key) => [
      ...[0, 1, 'GET', [[key, 300]], ['$', 60e6], 9, 1, 1],
    ]);
    await assertRefused(
      ['--workload', write('huge.ndjson', [PROFILE_HEADER, ...huge])],
      /its replies need data of 1200 MB, and a replay stores at most 512 MB/,
    );
    const odd = [
      ['GET', [[0, 5e8]], ['$', 9]],
      ['LRANGE', [[1, 9], '999999999', '-1'], ['*', 9, 1e6, 0]],
      ['SCARD', [[2, 9]], [':', 19]],
      ['SETBIT', [[3, 9], '4294967295', '1'], [':', 1]],
      ['STRLEN', [[4, 9]], [':', 19]],
      ['INCRBY', [[5, 9], -64], [':', 19]],
      ['HGETALL', [[6, 9]], ['%', 0, 1000, 0]],
      ['MGET', [[7, 9]], ['*', 9, 1, 1]],
      ['CONSTRUCTOR', [[8, 9]], ['+', 2]],
      ['ZRANGE', [[9, 9], '9', '1'], ['*', 0, 3, 3]],
    ].map(([name, args, reply], index) => [index, 1, name, args, reply, 9, 1, 1]);
    const report = await benchmark({
      workload: write('odd.ndjson', [PROFILE_HEADER, ...odd]),
      clients: 'raw',
      scenarios: 'shared-connection',
      smoke: true,
      pin: 'off',
    });
    assert.deepEqual([...new Set(runsOf(report).map(({ failed }) => failed))], [null]);
  });
});
