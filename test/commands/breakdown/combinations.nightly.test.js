import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readReport } from '../../../src/cli/render.js';
import { assertFollowed, measure, SMALL } from '../../helpers/breakdown.js';
import { runCli } from '../../helpers/cli.js';
import { profileText, SAMPLE_LINES } from '../../helpers/sample-profile.js';

/** @import { Report } from '../../../src/store/types.js' */

/** Without a batch of its own. */
const CLIENT = `
export default {
  package: 'redis',
  capabilities: ['pipeline', 'prompt-close'],
  async connect({ host, port }, options, { createClient }) {
    const client = createClient({ socket: { host, port }, ...options });
    client.on('error', () => {});
    await client.connect();
    return {
      command: (args) => client.sendCommand(args),
      pipeline(commands) {
        const multi = client.multi();
        for (const command of commands) multi.addCommand(command);
        return multi.execAsPipeline();
      },
      close: () => client.close(),
    };
  },
};`;

const BUSY = 'for (;;);';
/** A clock that no other process has. */
const SKEW = `
const { bigint } = process.hrtime;
process.hrtime.bigint = () => bigint() + 1_000_000_000_000n;
`;

describe('--breakdown with other options', function () {
  this.timeout(120_000);
  /** @type {string} */
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-breakdown-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  /** @param {string} name @param {string} text */
  function write(name, text) {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  }

  it('of each client behind Sentinels, or a line', async () => {
    const both = '--clients redis:tuned,ioredis --topology sentinel --scenarios';
    assertFollowed(await measure(`${both} pool`));
    const { cells } = await measure(`${both} shared-connection`);
    const [tuned, ioredis] = cells;
    assertFollowed({ cells: [ioredis] });
    assert.equal(tuned.noBreakdown?.kind, 'not-matched');
  });

  it('of the best three cells with --details, unless that is not wanted', async () => {
    const short =
      '--size 10 --pin off --no-profile --runs 1 --run-time 50ms --warmup-runs 0 --details --quiet';
    /** @param {string} options */
    const brokenDown = async (options) => {
      const file = join(folder, `${options.length}.ndjson`);
      const { code, stderr } = await runCli([...`${short} --save ${file} ${options}`.split(' ')]);
      assert.equal(code, 0, stderr);
      const { cells } = await readReport(file);
      const inOrder = cells.toSorted(
        (a, b) => Number(b.summary?.opsPerSecond) - Number(a.summary?.opsPerSecond),
      );
      return inOrder.map(({ summary }) => summary?.breakdown !== undefined);
    };
    const four = '--clients ioredis,redis:tuned --scenarios shared-connection,pool';
    assert.deepEqual(await brokenDown(four), [true, true, true, false]);
    const one = '--clients ioredis --scenarios shared-connection --breakdown none';
    assert.deepEqual(await brokenDown(one), [false]);
  });

  it('of clusters: each key goes by the socket of its node', async () => {
    const options = '--topology cluster --clients redis:tuned,ioredis,ioredis:auto-pipelining --scenarios';
    assertFollowed(await measure(`${options} shared-connection,pool`));
    assertFollowed(await measure(`${options} shared-connection --pipelining explicit:5`));
    assertFollowed(await measure(`${options} shared-connection --workload hset`));
    assertFollowed(await measure(`${options} connection-per-task --workload mix:get=2,set=1 --one-slot`));
  });

  it('of a cluster at two distances: there and back is what is farther', async () => {
    const how = '--topology cluster --clients ioredis --scenarios shared-connection --rtt relay,2ms';
    const measured = await measure(how);
    assertFollowed(measured);
    const least = measured.cells.map(({ summary }) =>
      Math.min(...(summary?.breakdown?.slices.map(({ p50 }) => p50.roundTripUs) ?? [])),
    );
    assert.ok(least[1] - least[0] > 1300, `${least}`);
  });

  it('there is none where processes share no clock, and the rest goes on', async () => {
    const module = write('skew.mjs', SKEW);
    const { cells } = await measure(
      `--clients ioredis --scenarios shared-connection --import none,${module}`,
    );
    assert.deepEqual(
      cells.map(({ summary, noBreakdown }) => [summary !== null, noBreakdown?.kind]),
      [
        [true, undefined],
        [true, 'no-shared-clock'],
      ],
    );
  });

  it('where /proc is not there, only what the relay waited is unknown', async function () {
    const shell = (/** @type {string} */ command) =>
      spawnSync('unshare', ['-m', 'sh', '-c', `mount -t tmpfs none /proc && ${command}`], {
        encoding: 'utf8',
      });
    if (shell('true').status !== 0) this.skip();
    const bin = fileURLToPath(new URL('../../../bin/redis-pipe-bench.js', import.meta.url));
    const options = `${SMALL.join(' ')} --clients ioredis --scenarios shared-connection`;
    const { stdout, stderr } = shell(`${process.execPath} ${bin} ${options}`);
    const { cells } = /** @type {Report} */ (JSON.parse(stdout));
    assertFollowed({ cells });
    assert.equal(cells[0].summary?.breakdown?.relayWaitedShare, null, stderr);
  });

  it('of a relay that is short of CPU it is known how much it waited', async () => {
    const busy = cpus()
      .flatMap(() => [BUSY, BUSY])
      .map((code) => spawn(process.execPath, ['-e', code]));
    try {
      const { cells } = await measure('--clients ioredis --scenarios shared-connection');
      assert.ok(
        Number(cells[0].summary?.breakdown?.relayWaitedShare) > 0.1,
        JSON.stringify(cells[0].summary),
      );
    } finally {
      const ended = busy.map((child) => once(child, 'close'));
      for (const child of busy) child.kill('SIGKILL');
      await Promise.all(ended);
    }
  });

  it('with a module that is loaded before the client, and on another Node', async () => {
    const module = write('module.mjs', 'globalThis.isLoaded = true;');
    const node = join(folder, 'node');
    symlinkSync(process.execPath, node);
    const options = `--import none,${module} --node-bin ${process.execPath},${node}`;
    assertFollowed(await measure(`--clients ioredis --scenarios shared-connection ${options}`));
  });

  it('of pools of two sizes, at two distances', async () => {
    assertFollowed(await measure('--clients ioredis --scenarios pool --pool-size 2,3 --rtt 0,1ms'));
  });

  it('of replays in every scenario and batch', async () => {
    const replay = `--workload profile:${write('sample.ndjson', profileText(SAMPLE_LINES))}`;
    const options = '--clients ioredis,redis:tuned --pipelining implicit,explicit:5';
    assertFollowed(await measure(`${options} --scenarios shared-connection,pool ${replay}`));
  });

  it('of own clients in batches', async () => {
    const client = write('own.js', CLIENT);
    assertFollowed(
      await measure(`--clients ${client} --scenarios shared-connection --pipelining explicit:5`),
    );
  });

  it('of commands that wait, which are there and back', async () => {
    const measured = await measure([
      ...'--clients ioredis --scenarios shared-connection --tasks 8'.split(' '),
      ...['--command', 'GET {key}', '--share', '90', '--prepare', 'SET {key} {value}'],
      ...['--command', 'BLPOP {missing} 0.02', '--share', '10'],
    ]);
    assertFollowed(measured);
    const [{ summary }] = measured.cells;
    assert.ok(Number(summary?.breakdown?.p99.roundTripUs) > 10_000);
  });

  it('of any scenario, loop and batch: parts of no less than nothing, which add up to the whole', async () => {
    for (const options of [
      '--clients redis,ioredis --scenarios shared-connection,connection-per-task,pool',
      '--clients ioredis --scenarios shared-connection --pipelining explicit:5,auto --workload mix:get=2,set=1',
      '--clients redis:tuned --scenarios pool --rate 500 --workload set-get',
    ])
      assertFollowed(await measure(options));
  });

  it('of a mix has no operation that waits', async () => {
    const get = ['--command', 'GET {key}', '--share', '9', '--prepare', 'SET {key} 1'];
    const wait = ['--command', 'BLPOP {missing} 0.2', '--share', '1'];
    const how = '--clients ioredis --scenarios connection-per-task,pool --pool-size 4'.split(' ');
    const { code, stdout, stderr } = await runCli([...SMALL, ...get, ...wait, ...how]);
    assert.equal(code, 0, stderr);
    for (const { id, summary } of /** @type {Report} */ (JSON.parse(stdout)).cells) {
      const { p99, operations } = summary?.breakdown ?? assert.fail(`${id}: ${stderr}`);
      assert.ok(p99.wholeUs < 200_000 && operations > 0, `${id} ${p99.wholeUs}`);
    }
  });
});
